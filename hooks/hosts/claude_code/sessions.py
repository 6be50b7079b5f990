"""Recorded sessions as what their hooks were told, in order: prompts, calls and their ends. Judges nothing.

A call is told with how far the file reached when it was asked for: the client writes a message's lines after the
message has ended, so none of the call's own message is there. Line types: Claude Code 2.1.330 and 2.1.197.
"""

from __future__ import annotations

import heapq
import os
import uuid
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluator.effects import text_of
from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks.hosts.claude_code.messages import (
    DELEGATING_TOOLS,
    PLAN_TOOL,
    classify,
    is_refused,
    refusal_words,
    text_of_result,
)
from hooks.hosts.claude_code.transcript_source import TranscriptReader
from hooks.json_values import decode, mapping, sequence, string
from hooks.lines import PADDING, Tail, forward
from hooks.sessions import (
    HELD,
    HELD_CHARS,
    Called,
    Ended,
    Entry,
    Fate,
    Interrupted,
    MadeUpSession,
    Moment,
    Passed,
    Sessions,
    SourceThen,
    Spoken,
    seconds,
)

_INTERRUPTED = b'"[Request interrupted by user'
_CREATED = "File created successfully"
_SETTLING = {"", "AskUserQuestion", PLAN_TOOL, *DELEGATING_TOOLS}
"""Tools whose results are part of an exchange; a call that is not known might be one."""
_HUMAN: Entry = {"origin": {"kind": "human"}, "promptSource": "typed"}


class ClaudeSessions(Sessions):
    def session_moments(self, path: str, passed: Passed) -> Iterator[Moment]:
        """In the order of time. A subagent's call has the session's own prompt and file, as far as that reached at the
        time."""
        name, reach = os.path.basename(path).removesuffix(".jsonl"), Reach()
        own = _Walk(path, name, None, passed, reach).moments()
        agents = [
            _Walk(file, name, agent_id, passed, Reach()).moments() for agent_id, file in _agents_of(path)
        ]
        for moment in heapq.merge(own, *agents, key=lambda moment: moment.at):
            if isinstance(moment, Called) and moment.agent_id is not None:
                then = reach.until(moment.at)
                prompt_id = then.prompt_id or moment.prompt_id
                yield replace(moment, prompt_id=prompt_id, end=then.end, heard=then.heard)
            else:
                yield moment

    def then(self) -> SourceThen:
        return TranscriptThen()


_Asked = tuple[str, str | None, str | None, tuple[KeptPrompt, ...], int]


class TranscriptThen:
    """What stands before an offset is read, and no more. An exchange and the voices are read once, as long as nothing
    was heard since: a long turn would otherwise be read anew for each of its calls."""

    def __init__(self) -> None:
        self._end = self._heard = 0
        self._reader = TranscriptReader(lambda path: Tail(path, self._end))
        self._known: tuple[_Asked, Exchange] | None = None
        self._voices: tuple[tuple[str, int], tuple[Voice, ...]] | None = None

    def go_to(self, end: int, heard: int) -> None:
        self._end, self._heard = end, heard

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        path = pending.transcript_path or ""
        asked = (path, pending.agent_id, pending.prompt_id, tuple(kept), self._heard)
        if self._known is None or self._known[0] != asked:
            self._known = (asked, self._reader.exchange(pending, kept))
        return self._known[1]

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        asked = (pending.transcript_path or "", self._heard)
        if self._voices is None or self._voices[0] != asked:
            self._voices = (asked, self._reader.voices(pending))
        return self._voices[1]

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        """None of a subagent's: where its own file ended at this moment is not known."""
        return self._reader.lookups(pending, kept) if pending.agent_id is None else ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """How a call ended, from its result."""

    at: float
    fate: Fate
    created: bool | None
    refusal: str


@dataclass(frozen=True, slots=True)
class FileMark:
    """How far a file had been written after a line, what it held (`Called.heard`), and which prompt was running."""

    end: int = 0
    heard: int = 0
    prompt_id: str | None = None


@dataclass(slots=True)
class Reach:
    """A file's marks, line by line, at times that never go back."""

    times: list[float] = field(default_factory=list[float])
    marks: list[FileMark] = field(default_factory=list[FileMark])

    def until(self, at: float) -> FileMark:
        lines = bisect_right(self.times, at)
        return self.marks[lines - 1] if lines else FileMark()


class _Walk:
    """One file in its order, times never going back. `session_id` is for lines that name none.

    Of a subagent's file (`agent_id`) only its own lines count, of a session's those that are no subagent's. `end`
    is that of this file; `passed` and `reach` grow as the moments are taken.
    """

    def __init__(
        self, path: str, session_id: str, agent_id: str | None, passed: Passed, reach: Reach
    ) -> None:
        self._path = path
        self._agent_id = agent_id
        self._passed = passed
        self._reach = reach
        self._results = _results(path)
        self._session_id = session_id
        self._at = 0.0
        self._prompt_id: str | None = None
        self._project = ""
        self._cwd = ""
        self._heard = 0
        self._message = ("", FileMark())
        """The running message, and the file before it."""
        self._open: dict[str, str] = {}
        """The tool of each call whose end was not told yet."""

    def moments(self) -> Iterator[Moment]:
        for line in forward(self._path):
            raw = line.raw.strip(PADDING)
            if not raw or (raw.startswith(b"{") and raw.endswith(b"}") and b'"uuid"' not in raw):
                continue
            row = decode(raw)
            if row is None:
                self._passed.garbled += 1
                continue
            if (row.get("isSidechain") is True) != (self._agent_id is not None):
                self._passed.orphans += len(_calls(row))
                continue
            self._note(row)
            match row.get("type"):
                case "user":
                    yield from self._user(row, raw)
                case "attachment":
                    yield from self._said(raw)
                case "system":
                    self._heard += 1
                case "assistant":
                    yield from self._assistant(row, line.offset)
                case _:
                    pass
            self._reach.times.append(self._at)
            self._reach.marks.append(FileMark(line.offset + len(line.raw), self._heard, self._prompt_id))

    def _note(self, row: Mapping[str, object]) -> None:
        self._at = max(self._at, seconds(text_of(row, "timestamp")))
        self._session_id = string(row.get("sessionId")) or self._session_id
        self._cwd = string(row.get("cwd")) or self._cwd
        self._project = self._project or self._cwd
        if row.get("type") == "user":
            self._prompt_id = string(row.get("promptId")) or self._prompt_id

    def _user(self, row: Mapping[str, object], raw: bytes) -> Iterator[Moment]:
        results = [block for block in _blocks(row) if block.get("type") == "tool_result"]
        if not self._plain(row, results):
            self._heard += 1
        for block in results:
            yield from self._end(string(block.get("tool_use_id")))
        if not results:
            yield from self._said(raw)
        if not results and _INTERRUPTED in raw:
            yield Interrupted(self._at, self._session_id)

    def _plain(self, row: Mapping[str, object], results: list[Mapping[str, object]]) -> bool:
        """Whether the line is nothing but the results of tools that ask nobody and delegate nothing."""
        tools = {self._open.get(string(block.get("tool_use_id")), "") for block in results}
        only = bool(results) and len(results) == len(_blocks(row)) and tools.isdisjoint(_SETTLING)
        return only and not any(is_refused(row, one) for one in results)

    def _said(self, raw: bytes) -> Iterator[Moment]:
        entry = classify(raw) if self._agent_id is None else None
        if entry is not None and entry.kind in ("prompt", "queued"):
            self._heard += 1
            prompt_id = entry.prompt_id or self._prompt_id
            yield Spoken(self._at, self._session_id, prompt_id, entry.text, entry.typed, self._project)

    def _assistant(self, row: Mapping[str, object], offset: int) -> Iterator[Moment]:
        own = string(mapping(row.get("message")).get("id")) or string(row.get("uuid"))
        if own != self._message[0]:
            self._message = (own, FileMark(offset, self._heard))
        for index, block in _calls(row):
            # Writes of one message run one after the other, though their results are written after all of it.
            for use_id in [*self._open]:
                yield from self._end(use_id)
            use_id = string(block.get("id"))
            result = self._results.get(use_id)
            yield Called(
                at=self._at,
                session_id=self._session_id,
                prompt_id=self._prompt_id,
                tool_use_id=use_id,
                tool_name=string(block.get("name")),
                tool_input=mapping(block.get("input")),
                cwd=self._cwd,
                project=self._project,
                agent_id=self._agent_id,
                uuid=string(row.get("uuid")),
                index=index,
                end=self._message[1].end,
                heard=self._message[1].heard,
                fate=result.fate if result else "unknown",
                created=result.created if result else None,
                refusal=result.refusal if result else "",
            )
            self._open[use_id] = string(block.get("name"))

    def _end(self, use_id: str) -> Iterator[Moment]:
        result = self._results.get(use_id)
        if use_id in self._open and result is not None:
            del self._open[use_id]
            self._at = max(self._at, result.at)
            yield Ended(self._at, self._session_id, use_id, result.fate == "ran")


def _results(path: str) -> dict[str, ToolResult]:
    """How each call ended, by its id: a call's effect at its time is told by what came of it."""
    found: dict[str, ToolResult] = {}
    for line in forward(path):
        row = decode(line.raw) if b'"tool_result"' in line.raw else None
        for block in _blocks(row) if row is not None and row.get("type") == "user" else ():
            if row is not None and block.get("type") == "tool_result":
                found.setdefault(string(block.get("tool_use_id")), _result(row, block))
    return found


def _result(row: Mapping[str, object], block: Mapping[str, object]) -> ToolResult:
    said = text_of_result(block)
    fate: Fate = "ran"
    if HELD.search(said[:HELD_CHARS]):
        fate = "held"
    elif is_refused(row, block):
        fate = "refused"
    elif block.get("is_error") is True:
        fate = "failed"
    kind = mapping(row.get("toolUseResult")).get("type")
    created = True if kind == "create" or said.startswith(_CREATED) else None
    return ToolResult(
        seconds(text_of(row, "timestamp")),
        fate,
        False if created is None and fate == "ran" else created,
        refusal_words(row, block),
    )


def _blocks(row: Mapping[str, object]) -> list[Mapping[str, object]]:
    return [mapping(block) for block in sequence(mapping(row.get("message")).get("content"))]


def _calls(row: Mapping[str, object]) -> list[tuple[int, Mapping[str, object]]]:
    if row.get("type") != "assistant":
        return []
    return [(index, block) for index, block in enumerate(_blocks(row)) if block.get("type") == "tool_use"]


def _agents_of(path: str) -> list[tuple[str, str]]:
    """(agent id, path) of the subagents of the session whose transcript `path` is."""
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [
        (name.removeprefix("agent-").removesuffix(".jsonl"), os.path.join(folder, name))
        for name in names
        if name.startswith("agent-") and name.endswith(".jsonl")
    ]


class ClaudeFile(MadeUpSession):
    """Each line's parent is the line before."""

    def __init__(self, path: str, session_id: str) -> None:
        super().__init__(path, session_id)
        self._prompt_id, self._count = "", 0
        self._parent: str | None = None

    def user(self, text: str, prompt_id: str) -> None:
        self._prompt_id = prompt_id
        self._add("user", {"role": "user", "content": text}, {"promptId": prompt_id, **_HUMAN})

    def says(self, text: str) -> None:
        self._assistant({"type": "text", "text": text})

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        self._assistant({"type": "tool_use", "id": tool_use_id, "name": tool, "input": given})

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": text, "is_error": failed}
        self._add("user", {"role": "user", "content": [block]}, {"promptId": self._prompt_id})

    def _assistant(self, block: Entry) -> None:
        self._add("assistant", {"role": "assistant", "id": f"msg_{self._count}", "content": [block]}, {})

    def _add(self, kind: str, message: Entry, extra: Entry) -> None:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session_id}/{self._parent}/{message}"))
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": own,
            "sessionId": self.session_id,
            **extra,
        }
        self._parent = own
        self._count += 1
        self.put(line)
