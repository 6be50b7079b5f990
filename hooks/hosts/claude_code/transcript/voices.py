"""Which human prompts stand in the transcript: only those may resolve an intervention."""

from __future__ import annotations

from evaluator.ports import Voice
from hooks.hosts.claude_code.transcript.chain import walk
from hooks.hosts.claude_code.transcript.messages import Entry
from hooks.lines import Tail

VOICES_MAX = 30
REACH_BYTES_MAX = 32 * 1024 * 1024


class _Heard:
    """A message, what the assistant last said before it, and the ids of the turns that it may have been typed in."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.said: list[Entry] = []
        self.during: list[str] = []

    def voice(self) -> Voice:
        entry, after = self.entry, "\n\n".join(one.text for one in self.said)
        if entry.kind == "queued" or entry.waited:
            return Voice(entry.text, None, entry.typed, after, tuple(dict.fromkeys(self.during)))
        return Voice(entry.text, entry.prompt_id, entry.typed, after)


def voices(tail: Tail) -> tuple[Voice, ...]:
    """The newest human messages on the chain, newest first; control replies and queued ones included."""
    tip: int | None = None
    heard: list[_Heard] = []
    queued: list[_Heard] = []
    for step in walk(tail):
        tip = step.offset if tip is None else tip
        if tip - step.offset > REACH_BYTES_MAX:
            break
        entry = step.entry
        if not step.on_chain:
            continue
        if entry.prompt_id:
            for one in queued:
                one.during.append(entry.prompt_id)
        if entry.kind == "assistant" and entry.text and heard:
            said = heard[-1].said
            if not said or _is_same_message(entry, said[0]):
                said.insert(0, entry)
        elif entry.kind in ("prompt", "queued"):
            if len(heard) == VOICES_MAX:
                break
            heard.append(_Heard(entry))
            if entry.kind == "queued" or entry.waited:
                queued.append(heard[-1])
            else:
                # What was typed after this prompt was typed in its turn or in a later one.
                queued.clear()
    return tuple(one.voice() for one in heard)


def _is_same_message(one: Entry, other: Entry) -> bool:
    return bool(one.message_id) and one.message_id == other.message_id
