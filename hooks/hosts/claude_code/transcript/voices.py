"""Which human prompts stand in the transcript: only those may resolve an intervention."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evaluator.ports import Voice
from hooks.hosts.claude_code.transcript.chain import walk
from hooks.hosts.claude_code.transcript.lines import Tail

VOICES_MAX = 30
REACH_BYTES_MAX = 32 * 1024 * 1024


def voices(tail: Tail) -> tuple[Voice, ...]:
    """The newest human messages on the chain, newest first; control replies and queued ones included."""
    return tuple(islice(_spoken(tail), VOICES_MAX))


def _spoken(tail: Tail) -> Iterator[Voice]:
    tip: int | None = None
    for step in walk(tail):
        tip = step.offset if tip is None else tip
        if tip - step.offset > REACH_BYTES_MAX:
            return
        entry = step.entry
        if not step.on_chain or entry.kind not in ("prompt", "queued"):
            continue
        yield Voice(entry.text, entry.prompt_id, typed=entry.typed)
