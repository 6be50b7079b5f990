"""Whose words count: those that stand in the transcript as a human's. What is not there yet is looked for again."""

from __future__ import annotations

from evaluator.gate.run import Run
from evaluator.model import KeptPrompt
from evaluator.ports import Voice

LOOK_AGAIN_SECONDS = 0.3
"""The client writes a prompt within some 140 ms of its own time stamp, an API without latency can be faster."""
LOOK_EVERY_SECONDS = 0.03


def stands(run: Run, prompt: KeptPrompt) -> bool:
    """Whether a kept prompt is the user's own word."""
    return voice_of(run, prompt) is not None


def voice_of(run: Run, prompt: KeptPrompt) -> Voice | None:
    """The kept prompt as the user's own word. Only the newest can still be missing from the file."""
    newest = bool(run.prompts) and prompt.position == run.prompts[-1].position
    return _voice(run, prompt.text, prompt.prompt_id, may_wait=newest)


def is_voiced(run: Run, text: str) -> bool:
    """Whether a message of the current request is the user's own word."""
    return _voice(run, text, None, may_wait=text in run.known_exchange.unwritten) is not None


def written(run: Run) -> bool:
    """Whether the whole request stands in the file, which is read again until it does or the time is over."""
    while run.known_exchange.unwritten and _look_again(run):
        run.exchange = run.said = run.parts.transcripts.exchange(run.pending, run.prompts)
    return not run.known_exchange.unwritten


def _voice(run: Run, text: str, prompt_id: str | None, *, may_wait: bool) -> Voice | None:
    """A prompt that came through the client's SDK is human only in a session that was never attended.

    None is in a session that a tool call started.
    """
    if run.origin is not None:
        return None
    attended = run.parts.attended or run.parts.store.was_attended(run.pending.session_id)
    wanted = " ".join(text.split())
    while True:
        for voice in run.parts.transcripts.voices(run.pending):
            if not voice.typed and attended:
                continue
            same_prompt = voice.prompt_id is None or prompt_id is None or voice.prompt_id == prompt_id
            if same_prompt and " ".join(voice.text.split()) == wanted:
                return voice
        if not (may_wait and _look_again(run)):
            return None


def _look_again(run: Run) -> bool:
    """Waits a little; false once the call has waited its whole time, or has no transcript to wait for."""
    if run.pending.transcript_path is None:
        return False
    clock = run.parts.clock
    if run.looks_until is None:
        run.looks_until = clock.monotonic() + LOOK_AGAIN_SECONDS
    if clock.monotonic() >= run.looks_until:
        return False
    clock.sleep(LOOK_EVERY_SECONDS)
    return True
