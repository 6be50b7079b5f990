"""The conversation as it stands in a transcript: the chain of lines that leads to its tip, newest first, and its turns.

Each line names its parent, so what a rewind abandoned is never met. A parent that is not in the file (not written, too
long, garbled) is replaced by the nearest older line that is no sidechain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from evaluator.model import AnsweredQuestion, Plan
from evaluator.ports import Voice
from evaluator.record import Record
from hooks.hosts.claude_code.messages import TranscriptEntry, classify_line
from hooks.json_lines import FileLine, Tail, open_regular
from hooks.transcript import VOICES_MAX, Turn, UserMessage, user_message

SEARCH_BYTES_MAX = 192 * 1024 * 1024
"""How far back a parent is looked for; what is left of the scan then serves the walk itself."""
SEARCH_BYTES_AFTER_LOSS = 1024 * 1024
"""The same once a parent was not found: a file that lost one line may have lost many."""
ASIDE_BYTES_MAX = 1024 * 1024
"""How far from the chain its side branches are looked at."""
HEAD_BYTES_MAX = 1024 * 1024
"""A subagent's task is on the first line of its file; a task that does not fit is not read."""
VOICES_BYTES_MAX = 32 * 1024 * 1024

_ASIDE_MARKS = (b'"answers"', b'"ExitPlanMode"', b'"toolDenialKind"')


class ChainStep(Record):
    """An entry and where it stands. One that is not `on_chain` belongs to the conversation only if it is a
    part of a message on the chain, or a result of one: parallel tool calls branch the chain."""

    entry: TranscriptEntry
    offset: int
    on_chain: bool


def walk_chain(tail: Tail) -> Iterator[ChainStep]:
    """The steps of the chain from its tip (the newest line) towards the root. Parents are older lines, so it ends."""
    lines = tail.lines()
    wanted: str = ""
    last: int | None = None
    reach = SEARCH_BYTES_MAX
    while True:
        found: ChainStep | None = None
        for line in lines:
            lost = 0 if last is None else last - line.offset
            if wanted and lost > reach:
                break
            step = _conversation_step(line, wanted, look_aside=lost <= ASIDE_BYTES_MAX)
            if step is None:
                continue
            if step.on_chain:
                found = step
                break
            yield step
        if found is not None:
            yield found
            last = found.offset
            if found.entry.parent is None:
                return
            wanted = found.entry.parent
        elif wanted:
            lines, wanted, reach = tail.lines(last), "", SEARCH_BYTES_AFTER_LOSS
        else:
            return


def _conversation_step(line: FileLine, wanted: str, *, look_aside: bool) -> ChainStep | None:
    """The step that a line is: the wanted parent (any entry where none is wanted), or with `look_aside` a side branch.
    None for every other line."""
    # Decoding is slow and most lines lie apart: one that does not hold the wanted id is not decoded.
    if wanted:
        near = wanted.encode() in line.raw
        if not near and not (look_aside and any(mark in line.raw for mark in _ASIDE_MARKS)):
            return None
    elif b'"uuid"' not in line.raw:
        return None
    entry = classify_line(line.raw)
    if entry is None or entry.sidechain:
        return None
    return ChainStep(entry, line.offset, not wanted or entry.uuid == wanted)


class ClaudeTurn(Turn[ChainStep]):
    """Prompts that inherit, and machine prompts, do not open a turn."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: list[UserMessage] = []
        self._queued: list[str] = []
        self._speech: list[tuple[int, str, str]] = []
        self._asides: list[ChainStep] = []
        self._chain: list[ChainStep] = []
        self._chain_ids: set[str] = set()

    def add(self, step: ChainStep) -> None:
        entry = step.entry
        if not step.on_chain:
            if entry.kind in {"assistant", "result"}:
                self._asides.append(step)
            return
        if entry.prompt_id is not None:
            # A queued message carries no id; it shares the turn of the line before it.
            self.prompt_ids.add(entry.prompt_id)
            self._flush_queued_messages(entry.prompt_id)
        if entry.kind == "queued":
            self._queued.append(entry.text)
        elif entry.kind == "prompt":
            opening = user_message(entry.text, entry.prompt_id)
            self._flush_queued_messages(entry.prompt_id)
            self._messages.append(opening)
            self.closed = not opening.inherits
        elif entry.kind == "assistant":
            self.spoke = True
            self._chain_ids.update(filter(None, (entry.uuid, entry.message_id)))
            if self._speech and (not entry.message_id or entry.message_id != self._speech[-1][1]):
                self.heard = True
            elif entry.text and not self.heard:
                self._speech.append((step.offset, entry.message_id, entry.text))
        elif entry.kind == "result" and entry.text:
            # No prompt event told of it, so it counts as none of those that were submitted under the id.
            self._messages.append(user_message(entry.text, None))
        if entry.uses or entry.outcomes or entry.answers:
            self._chain.append(step)

    def _flush_queued_messages(self, prompt_id: str | None) -> None:
        self._messages.extend(user_message(text, prompt_id) for text in self._queued)
        self._queued.clear()

    @property
    def messages(self) -> list[UserMessage]:
        return [*reversed([*self._messages, *(user_message(text, None) for text in self._queued)])]

    @property
    def speech(self) -> str:
        aside = [
            (step.offset, step.entry.message_id, step.entry.text)
            for step in self._asides
            if step.entry.text and self._belongs_to_turn(step.entry)
        ]
        blocks = sorted([*self._speech, *aside])
        if not blocks:
            return ""
        last_id = blocks[-1][1]
        if not last_id:
            return blocks[-1][2]
        return "\n\n".join(text for _, message_id, text in blocks if message_id == last_id)

    @property
    def questions(self) -> tuple[AnsweredQuestion, ...]:
        return tuple(question for entry in self._ordered_turn_entries() for question in entry.answers)

    @property
    def plans(self) -> tuple[Plan, ...]:
        settling = self._ordered_turn_entries()
        outcomes = {outcome.use_id: outcome for entry in settling for outcome in entry.outcomes}
        return tuple(
            Plan(text, approved=not outcome.refused)
            for entry in settling
            for use in entry.uses
            if (outcome := outcomes.get(use.use_id)) is not None and (text := outcome.plan or use.text)
        )

    def _ordered_turn_entries(self) -> list[TranscriptEntry]:
        """Entries with calls, results or answers, oldest first, side branches of this turn included."""
        members = {
            step.entry.uuid for step in self._asides if self._belongs_to_turn(step.entry)
        } | self._chain_ids
        aside = [
            step
            for step in self._asides
            if step.entry.uuid in members or (step.entry.kind == "result" and step.entry.parent in members)
        ]
        return [step.entry for step in sorted([*self._chain, *aside], key=lambda step: step.offset)]

    def _belongs_to_turn(self, entry: TranscriptEntry) -> bool:
        return entry.kind == "assistant" and entry.message_id in self._chain_ids


def agent_path(transcript_path: str, agent_id: str) -> str | None:
    """Where the client keeps this agent's transcript; None for an id that may not be part of a path."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", agent_id):
        return None
    return f"{transcript_path.removesuffix('.jsonl')}/subagents/agent-{agent_id}.jsonl"


def read_delegation(transcript_path: str, agent_id: str) -> tuple[str, str | None]:
    """(its task, the prompt in whose turn it was started) of an agent, by the first user line of its file; ("", None)
    if there is none to read."""
    path = agent_path(transcript_path, agent_id)
    descriptor = open_regular(path) if path else None
    if descriptor is None:
        return "", None
    try:
        head = os.pread(descriptor, HEAD_BYTES_MAX, 0)
    except OSError:
        head = b""
    finally:
        os.close(descriptor)
    entries = map(classify_line, head.split(b"\n"))
    told = ((one.text, one.prompt_id) for one in entries if one is not None and one.kind == "prompt")
    return next(told, ("", None))


class _Heard:
    """A message, what the assistant last said before it, and the ids of the turns that it may have been typed in."""

    def __init__(self, entry: TranscriptEntry) -> None:
        self.entry = entry
        self.said: list[TranscriptEntry] = []
        self.during: list[str] = []
        self.waits = entry.kind in ("queued", "result") or entry.waited
        """Whether it was typed in a turn that another prompt had opened."""

    def voice(self) -> Voice:
        entry, after = self.entry, "\n\n".join(one.text for one in self.said)
        prompt_id = None if self.waits else entry.prompt_id
        return Voice(entry.text, prompt_id, entry.typed, after, tuple(dict.fromkeys(self.during)))


def conversation_voices(tail: Tail) -> tuple[Voice, ...]:
    """The newest human messages on the chain, newest first; control replies, queued ones and words in refusing a call
    included."""
    tip: int | None = None
    heard: list[_Heard] = []
    queued: list[_Heard] = []
    for step in walk_chain(tail):
        tip = step.offset if tip is None else tip
        if tip - step.offset > VOICES_BYTES_MAX:
            break
        entry = step.entry
        if not step.on_chain:
            continue
        if entry.prompt_id:
            for one in queued:
                one.during.append(entry.prompt_id)
        if entry.kind == "assistant" and entry.text and heard:
            said = heard[-1].said
            if not said or (entry.message_id and entry.message_id == said[0].message_id):
                said.insert(0, entry)
        elif entry.kind in ("prompt", "queued") or (entry.kind == "result" and entry.text):
            if len(heard) == VOICES_MAX:
                break
            heard.append(_Heard(entry))
            if heard[-1].waits:
                queued.append(heard[-1])
            else:
                # What was typed after this prompt was typed in its turn or in a later one.
                queued.clear()
    return tuple(one.voice() for one in heard)
