"""Whose words count: those that stand in the transcript as a human's. What is not there yet is looked for again."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.gate.run import Run
from evaluator.model import KeptPrompt
from evaluator.ports import Voice

LOOK_AGAIN_SECONDS = 0.3
"""The client writes a prompt within some 140 ms of its own time stamp, an API without latency can be faster."""
LOOK_EVERY_SECONDS = 0.03


def voice_of(run: Run, prompt: KeptPrompt) -> Voice | None:
    """The kept prompt as the user's own word. Only the newest can still be missing from the file."""
    newest = bool(run.prompts) and prompt.position == run.prompts[-1].position
    wanted = _normalize_user_message(prompt.text)
    before = (one.text for one in run.prompts if one.position < prompt.position)
    said_before = any(_normalize_user_message(text) == wanted for text in before)

    def is_it(voice: Voice) -> bool:
        if voice.prompt_id is None and said_before and voice.during and prompt.prompt_id is not None:
            # It may be the earlier one, which was typed in another turn.
            return prompt.prompt_id in voice.during
        return None in (voice.prompt_id, prompt.prompt_id) or voice.prompt_id == prompt.prompt_id

    return _find_user_message(run, wanted, is_it, may_wait=newest)


def is_voiced(run: Run, text: str) -> bool:
    """Whether a message of the current request is the user's own word."""
    may_wait, words = text in run.known_exchange.unwritten, _normalize_user_message(text)
    return _find_user_message(run, words, lambda _: True, may_wait=may_wait) is not None


def is_request_written(run: Run) -> bool:
    """Whether the whole request stands in the file, which is read again until it does or the time is over."""
    while run.known_exchange.unwritten and _wait_for_user_message(run):
        run.exchange = run.said = run.parts.transcripts.exchange(run.pending, run.prompts)
    return not run.known_exchange.unwritten


def _find_user_message(
    run: Run, words: str, is_it: Callable[[Voice], bool], *, may_wait: bool
) -> Voice | None:
    """The newest message of the user's that says these words.

    A prompt that came through the client's SDK is human only in a session that was never attended; none is
    in a session that a tool call started.
    """
    if run.origin is not None:
        return None
    attended = run.parts.attended or run.parts.store.was_attended(run.pending.session_id)
    while True:
        for voice in run.parts.transcripts.voices(run.pending):
            if not voice.typed and attended:
                continue
            if _normalize_user_message(voice.text) == words and is_it(voice):
                return voice
        if not (may_wait and _wait_for_user_message(run)):
            return None


def _normalize_user_message(text: str) -> str:
    return " ".join(text.split())


def _wait_for_user_message(run: Run) -> bool:
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
