"""Whether a kept prompt is the user's own word: it must stand in the transcript as a human's."""

from __future__ import annotations

from evaluator.model import KeptPrompt
from evaluator.run import Run


def stands(run: Run, prompt: KeptPrompt) -> bool:
    """A prompt that came through the client's SDK is human only in a session that was never attended."""
    attended = run.parts.attended or run.parts.store.was_attended(run.pending.session_id)
    wanted = " ".join(prompt.text.split())
    for voice in run.parts.transcripts.voices(run.pending):
        if not voice.typed and attended:
            continue
        same_prompt = (
            voice.prompt_id is None or prompt.prompt_id is None or voice.prompt_id == prompt.prompt_id
        )
        if same_prompt and " ".join(voice.text.split()) == wanted:
            return True
    return False
