"""Which human prompts stand in the transcript: only those may resolve an intervention."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evaluator.ports import Voice
from hooks.hosts.claude_code.transcript.chain import walk
from hooks.hosts.claude_code.transcript.lines import Tail
from hooks.hosts.claude_code.transcript.messages import Entry

VOICES_MAX = 30
REACH_BYTES_MAX = 32 * 1024 * 1024


def voices(tail: Tail) -> tuple[Voice, ...]:
    """The newest human messages on the chain, newest first; control replies and queued ones included."""
    return tuple(islice(_spoken(tail), VOICES_MAX))


def _spoken(tail: Tail) -> Iterator[Voice]:
    tip: int | None = None
    newer: Entry | None = None
    said: list[Entry] = []
    for step in walk(tail):
        tip = step.offset if tip is None else tip
        if tip - step.offset > REACH_BYTES_MAX:
            break
        entry = step.entry
        if not step.on_chain:
            continue
        if entry.kind == "assistant" and entry.text and (not said or _is_same_message(entry, said[0])):
            said.insert(0, entry)
        elif entry.kind in ("prompt", "queued"):
            if newer is not None:
                yield _voice(newer, said)
            newer, said = entry, []
    if newer is not None:
        yield _voice(newer, said)


def _is_same_message(one: Entry, other: Entry) -> bool:
    return bool(one.message_id) and one.message_id == other.message_id


def _voice(entry: Entry, said: list[Entry]) -> Voice:
    prompt_id = None if entry.waited else entry.prompt_id
    return Voice(entry.text, prompt_id, entry.typed, "\n\n".join(one.text for one in said))
