"""The conversation as it stands in a transcript: the chain of lines that leads to its tip, newest first, and its turns;
which messages the agent acts on, what it said before them and looked up since. Implements `TranscriptSource`.

Each line names its parent, so what a rewind abandoned is never met. A parent that is not in the file (not written, too
long, garbled) is replaced by the nearest older line that is no sidechain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt, Lookup, PendingWrite, Plan
from evaluator.ports import Voice
from evaluator.record import Record, replace
from hooks import transcript
from hooks.hosts.claude_code.messages import REFUSALS, TranscriptEntry, classify_line, text_of_result
from hooks.json_lines import FileLine, Tail, decode, mapping, mappings, open_regular, string

if TYPE_CHECKING:
    from hooks.host import ExchangeMemory

SEARCH_BYTES_MAX = 192 * 1024 * 1024
"""How far back a parent is looked for; what is left of the scan then serves the walk itself."""
SEARCH_BYTES_AFTER_LOSS = 1024 * 1024
"""The same once a parent was not found: a file that lost one line may have lost many."""
ASIDE_BYTES_MAX = 1024 * 1024
"""How far from the chain its side branches are looked at."""
HEAD_BYTES_MAX = 1024 * 1024
"""A subagent's task is on the first line of its file; a task that does not fit is not read."""
VOICES_BYTES_MAX = 32 * 1024 * 1024

DEAR_BYTES = 512 * 1024
"""A read of less than this costs no more than remembering it."""
REACH_BYTES_MAX = 8 * 1024 * 1024
"""How far from the end of the file is looked. A turn that reaches further is known by its later part."""
SESSION_BYTES_MAX = 64 * 1024 * 1024
"""How far from the end of the file commands are looked for that made what is deleted."""
_COMMANDS = (b'"command"', b'"tool_result"')
_REMINDER = r"(?s)<system-reminder>.*?(?:</system-reminder>|\Z)"
_FAULT = r"</?tool_use_error>"
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


class ClaudeTurn(transcript.Turn[ChainStep]):
    """Prompts that inherit, and machine prompts, do not open a turn."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: list[transcript.UserMessage] = []
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
            opening = transcript.user_message(entry.text, entry.prompt_id)
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
            self._messages.append(transcript.user_message(entry.text, None))
        if entry.uses or entry.outcomes or entry.answers:
            self._chain.append(step)

    def _flush_queued_messages(self, prompt_id: str | None) -> None:
        self._messages.extend(transcript.user_message(text, prompt_id) for text in self._queued)
        self._queued.clear()

    @property
    def messages(self) -> list[transcript.UserMessage]:
        return [*reversed([*self._messages, *(transcript.user_message(text, None) for text in self._queued)])]

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


class TranscriptReader:
    """Reads the host's file from its end, and only as far as the exchange reaches.

    `open_tail` may end the file earlier: a replay reads it as it stood then. With a `memory`, what was costly to find
    in a file of `dear_bytes` or more is remembered; without one, the file is read anew at each call.
    """

    def __init__(
        self,
        open_tail: Callable[[str], Tail] = Tail,
        memory: ExchangeMemory | None = None,
        dear_bytes: int = DEAR_BYTES,
    ) -> None:
        self._open_tail, self._memory, self._dear_bytes = open_tail, memory, dear_bytes

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        try:
            file = None if self._memory is None else os.stat(pending.transcript_path or "")
        except (OSError, ValueError):
            file = None
        if self._memory is None or file is None or file.st_size < self._dear_bytes:
            return self.read(pending, kept)[0]
        from hooks.hosts.claude_code.exchange_memory import remembered_exchange

        anew = partial(self.read, pending, kept)
        return remembered_exchange(self._memory, pending, kept, file, anew, self._dear_bytes)

    def read(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Exchange, int]:
        """The exchange, and how many bytes of the transcript it took to find it."""
        path = pending.transcript_path or ""
        tail = self._open_tail(path)
        steps = walk_chain(tail)
        newest = transcript.gather_turn(steps, ClaudeTurn())
        if pending.agent_id is None:
            return transcript.resolve_exchange(newest, steps, pending.prompt_id, kept), tail.bytes_read
        # A subagent keeps the request of the call that started it, though the user may have spoken since.
        task, started_by = read_delegation(path, pending.agent_id)
        started_by = started_by or pending.prompt_id
        at_tip = _is_at_transcript_tip(newest, started_by, kept)
        resolve = transcript.resolve_exchange if at_tip else _earlier_exchange
        return replace(resolve(newest, steps, started_by, kept), delegated_task=task), tail.bytes_read

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return conversation_voices(self._open_tail(pending.transcript_path or ""))

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        """The newest CALLS_MAX results of the turn, newest first; none where the turn in the file is not that of the
        running prompt. A subagent's are those since it was last told what to do, from its own file."""
        path = pending.transcript_path or ""
        if pending.agent_id is not None:
            own_file = agent_path(path, pending.agent_id)
            lines = _transcript_calls_since(self._open_tail(own_file)) if own_file else iter(())
            return _transcript_lookups(lines, None)
        own = transcript.asking_messages(transcript.own_prompts(pending.prompt_id, kept))
        tail = self._open_tail(path)
        span = _turn_span_in_transcript(tail, pending.prompt_id if own else None)
        return () if span is None else _transcript_lookups(_transcript_calls_since(tail, span[0]), span[1])

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        found: list[str] = []
        ran: set[str] = set()
        tip = -1
        for line in self._open_tail(pending.transcript_path or "").lines():
            tip = line.offset if tip < 0 else tip
            if tip - line.offset > SESSION_BYTES_MAX:
                break
            if not any(mark in line.raw for mark in _COMMANDS):
                continue
            for block in mappings(mapping((decode(line.raw) or {}).get("message")).get("content")):
                if block.get("type") == "tool_result" and block.get("is_error") is not True:
                    ran.add(string(block.get("tool_use_id")))
                elif block.get("type") == "tool_use" and string(block.get("id")) in ran:
                    found.append(string(mapping(block.get("input")).get("command")))
        return tuple(filter(None, found))


def _is_at_transcript_tip(turn: ClaudeTurn, prompt_id: str | None, kept: Sequence[KeptPrompt]) -> bool:
    """Whether the turn at the tip is the prompt's own, or the prompt is newer than it."""
    if prompt_id is None or prompt_id in turn.prompt_ids:
        return True
    order = [prompt.prompt_id for prompt in kept]
    on_file = [order.index(known) for known in turn.prompt_ids if known in order]
    return bool(on_file) and prompt_id in order and order.index(prompt_id) > max(on_file)


def _earlier_exchange(
    newest: ClaudeTurn, steps: Iterator[ChainStep], prompt_id: str | None, kept: Sequence[KeptPrompt]
) -> Exchange:
    """The exchange of the prompt's own, older turn; without one its kept text alone, or else the newest request."""
    before = turn = transcript.gather_turn(steps, ClaudeTurn())
    while turn.closed and prompt_id not in turn.prompt_ids:
        turn = transcript.gather_turn(steps, ClaudeTurn())
    if prompt_id in turn.prompt_ids:
        return transcript.resolve_exchange(turn, steps, prompt_id, kept)
    own = transcript.asking_messages(transcript.own_prompts(prompt_id, kept))
    if own:
        return Exchange(transcript.message_texts(own), unwritten=transcript.message_texts(own))
    request = transcript.message_texts(transcript.asking_messages(newest.messages))
    return Exchange(request, before.speech if before.spoke else "", newest.questions, newest.plans)


def _turn_span_in_transcript(tail: Tail, prompt_id: str | None) -> tuple[int, frozenset[str]] | None:
    """Where the turn begins in the file, and the ids of the assistant's lines and messages on its branch; None where it
    is not the turn of `prompt_id`."""
    turn, ids, tip, start = ClaudeTurn(), set[str](), -1, 0
    for step in walk_chain(tail):
        tip = step.offset if tip < 0 else tip
        if tip - step.offset > REACH_BYTES_MAX:
            break
        turn.add(step)
        if step.on_chain:
            start = step.offset
            if step.entry.kind == "assistant":
                ids.update(filter(None, (step.entry.uuid, step.entry.message_id)))
        if turn.closed:
            break
    if prompt_id is not None and prompt_id not in turn.prompt_ids:
        return None
    return start, frozenset(ids)


def _transcript_calls_since(tail: Tail, start: int | None = None) -> Iterator[Mapping[str, object]]:
    """The lines that hold a call or a result, newest first: a session's own from the offset `start` on, or, where it is
    None, a subagent's back to what it was told."""
    tip = -1
    for line in tail.lines():
        tip = line.offset if tip < 0 else tip
        if tip - line.offset > REACH_BYTES_MAX or line.offset < (start or 0):
            return
        held = decode(line.raw) if b'"tool_result"' in line.raw or b'"tool_use"' in line.raw else None
        if held is not None and held.get("type") in ("user", "assistant"):
            if start is None or held.get("isSidechain") is not True:
                yield held
        elif start is None and (entry := classify_line(line.raw)) is not None and entry.kind == "prompt":
            return


def _transcript_lookups(
    lines: Iterator[Mapping[str, object]], ids: frozenset[str] | None
) -> tuple[Lookup, ...]:
    """Results with their calls, of the assistant's lines and messages of these `ids`, or of all for None. A result
    stands after its call, so it is met first."""
    results: dict[str, tuple[int, str, bool]] = {}
    found: list[tuple[int, Lookup]] = []
    for line in lines:
        message = mapping(line.get("message"))
        blocks = mappings(message.get("content"))
        if line.get("type") == "user":
            refused = "toolDenialKind" in line or string(line.get("toolUseResult")).startswith(REFUSALS)
            for block in blocks:
                if block.get("type") == "tool_result" and not refused:
                    said = transcript.bounded_result(text_of_result(block))
                    bare = re.sub(_FAULT, "", re.sub(_REMINDER, "", said))
                    if not bare.startswith(REFUSALS):
                        failed, use_id = block.get("is_error") is True, string(block.get("tool_use_id"))
                        results.setdefault(use_id, (len(results), bare, failed))
        elif ids is None or not ids.isdisjoint((string(line.get("uuid")), string(message.get("id")))):
            for block in blocks:
                use_id = string(block.get("id"))
                if block.get("type") == "tool_use" and use_id in results:
                    age, text, failed = results[use_id]
                    name, given = string(block.get("name")), mapping(block.get("input"))
                    found.append((age, Lookup(name, given, text, failed)))
        if len(found) >= transcript.CALLS_MAX:
            break
    return tuple(call for _, call in sorted(found, key=lambda pair: pair[0])[: transcript.CALLS_MAX])


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
    """The newest human messages on the chain, newest first, with control replies, queued ones and words in refusals."""
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
            if len(heard) == transcript.VOICES_MAX:
                break
            heard.append(_Heard(entry))
            if heard[-1].waits:
                queued.append(heard[-1])
            else:
                # What was typed after this prompt was typed in its turn or in a later one.
                queued.clear()
    return tuple(one.voice() for one in heard)
