"""An exchange from what was said, for hosts whose session file is a plain list of messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt, Lookup, PendingWrite, Plan
from evaluator.ports import Voice
from evaluator.record import Record, replace
from hooks.resolving import Message, gather, message, resolve

VOICES_MAX = 30


class Said(Record):
    """One message, or a block of one: blocks of the same `message_id` are joined.

    An agent's tool call is one without text. `prompt_id` is that of the turn, in the words of the prompt event, where
    the host has such ids. `typed`: the file says that a person typed it, or does not tell such apart.
    """

    role: Literal["user", "agent"]
    text: str
    prompt_id: str | None = None
    typed: bool = True
    message_id: str = ""


class Conversation:
    """A `TranscriptSource`. `said` gives the messages of a call's session, newest first, machine text left out."""

    def __init__(self, said: Callable[[PendingWrite], Iterator[Said]]) -> None:
        self._said = said

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        steps, running = self._said(pending), pending.prompt_id
        if running is None and kept:
            steps, kept = _numbered(steps, kept), [_number(one) for one in kept]
            running = kept[-1].prompt_id
        turn = _Turn()
        gather(steps, turn)
        return resolve(turn, steps, running, kept, _Turn)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        found: list[Voice] = []
        after: list[Said] = []
        open_one: Said | None = None
        for one in self._said(pending):
            if one.role == "agent":
                if one.text and open_one and (not after or _same(one, after[0])):
                    after.insert(0, one)
                continue
            if open_one is not None:
                found.append(_voice(open_one, after))
            open_one, after = one, []
            if len(found) == VOICES_MAX:
                return tuple(found)
        return (*found, _voice(open_one, after)) if open_one else tuple(found)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()


class _Turn:
    """Goes in newest first. Messages that inherit do not open a turn."""

    def __init__(self) -> None:
        self.closed = False
        self.spoke = False
        self.heard = False
        self.prompt_ids: set[str] = set()
        self._messages: list[Message] = []
        self._blocks: list[Said] = []

    def add(self, step: Said) -> None:
        if step.prompt_id is not None:
            self.prompt_ids.add(step.prompt_id)
        if step.role == "user":
            found = message(step.text, step.prompt_id)
            self._messages.insert(0, found)
            self.closed = not found.inherits
            return
        self.spoke = True
        if self._blocks and not _same(step, self._blocks[0]):
            self.heard = True
        elif step.text and not self.heard:
            self._blocks.insert(0, step)

    @property
    def messages(self) -> list[Message]:
        return list(self._messages)

    @property
    def speech(self) -> str:
        return "\n\n".join(one.text for one in self._blocks)

    @property
    def questions(self) -> tuple[AnsweredQuestion, ...]:
        return ()

    @property
    def plans(self) -> tuple[Plan, ...]:
        return ()


def _numbered(steps: Iterator[Said], kept: Sequence[KeptPrompt]) -> Iterator[Said]:
    """A host without ids of prompts: a message gets the number of the newest kept prompt of the same words."""
    left = len(kept)
    for step in steps:
        number: str | None = None
        if step.role == "user":
            words = step.text.split()
            at = next((i for i in range(left - 1, -1, -1) if kept[i].text.split() == words), None)
            if at is not None:
                left, number = at, _number(kept[at]).prompt_id
        yield replace(step, prompt_id=number)


def _number(prompt: KeptPrompt) -> KeptPrompt:
    return replace(prompt, prompt_id=f"#{prompt.position}")


def _voice(one: Said, after: Sequence[Said]) -> Voice:
    return Voice(one.text, one.prompt_id, one.typed, "\n\n".join(block.text for block in after))


def _same(one: Said, other: Said) -> bool:
    return bool(one.message_id) and one.message_id == other.message_id
