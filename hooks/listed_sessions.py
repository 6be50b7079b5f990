"""Recorded sessions of a host whose file is a plain list of messages, one a line. Satisfies `hooks.sessions.Sessions`.

What a line says is the host's to tell (`Dialect`). Where its lines bear no time, a session's file tells when it ended,
and each line counts as a second.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks.conversation import Conversation, Said
from hooks.lines import Line, Tail
from hooks.moments import Called, Ended, Fate, Moment, Passed, Spoken
from hooks.recorded import answered, files_named, turns_of
from hooks.sessions import MadeUpSession, Shown, SourceThen

Entry = Mapping[str, object]
Lines = Callable[[str, int | None], Iterator[Line]]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of a line, in Compass's words. `cwd` is absolute, or empty where the line does not tell."""

    tool_use_id: str
    tool_name: str
    tool_input: Mapping[str, object]
    cwd: str = ""


class Dialect(Protocol):
    def said(self, entry: Entry) -> Iterable[Said]: ...

    def calls(self, entry: Entry) -> Iterable[Call]: ...

    def ended(self, entry: Entry) -> tuple[str, bool] | None:
        """(the call's id, whether it succeeded) of a line that is a result."""
        ...

    def at(self, entry: Entry) -> float | None:
        """Wall time in seconds."""
        ...

    def session_of(self, path: str) -> str: ...

    def wrote(self, role: str, text: str) -> Entry: ...

    def called(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> Entry: ...

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> Entry | None:
        """None where the host's file holds no results."""
        ...

    def shown(self, answer: Mapping[str, object]) -> Shown: ...


def lines_of(path: str, before: int | None = None) -> Iterator[Line]:
    return Tail(path).lines(before)


class ListedSessions:
    """`lines` gives those of a session newest first, before an offset if one is named."""

    def __init__(self, dialect: Dialect, lines: Lines = lines_of) -> None:
        self._dialect = dialect
        self._lines = lines

    def find_transcripts(self, names: Sequence[str]) -> list[str]:
        found = files_named(names, _may_be_session)
        return [path for path in found if self._dialect.session_of(path)]

    def session_moments(self, path: str, passed: Passed) -> Iterator[Moment]:
        lines = list(_entries(self._lines(path, None), passed))
        fates = dict(ended for _, entry in lines if (ended := self._dialect.ended(entry)))
        session, project = self._dialect.session_of(path), self._project(lines)
        at, heard = _began(path, len(lines)), 0
        for line, entry in lines:
            at = max(at + 1, self._dialect.at(entry) or 0)
            for index, call in enumerate(self._dialect.calls(entry)):
                fate: Fate = "unknown"
                if call.tool_use_id in fates:
                    fate = "ran" if fates[call.tool_use_id] else "failed"
                yield Called(
                    at, session, None, call.tool_use_id, call.tool_name, call.tool_input, call.cwd or project,
                    project, None, str(line.offset), index, line.offset, heard, fate, None,
                )  # fmt: skip
            if ended := self._dialect.ended(entry):
                yield Ended(at, session, *ended)
            for one in self._dialect.said(entry):
                heard += 1
                if one.role == "user":
                    yield Spoken(at, session, None, one.text, one.typed, project)

    def then(self) -> SourceThen:
        return _Then(self._dialect, self._lines)

    def standing(self, path: str) -> frozenset[str]:
        """Nothing in such a file is abandoned."""
        return frozenset(str(line.offset) for line in self._lines(path, None))

    def transcript(self, exchange: Exchange, session_id: str, prompt_id: str) -> str:
        wrote = self._dialect.wrote
        return "".join(json.dumps(wrote(role, text)) + "\n" for role, text, _ in turns_of(exchange))

    def made_up(self, path: str, session_id: str) -> MadeUpSession:
        return _Written(path, self._dialect)

    def shown(self, answer: bytes) -> Shown:
        """Raises ValueError for what is no JSON object."""
        return self._dialect.shown(found) if (found := answered(answer)) else Shown()

    def _project(self, lines: Sequence[tuple[Line, Entry]]) -> str:
        """Where the first call that says it was made; empty where none does."""
        return next((call.cwd for _, entry in lines for call in self._dialect.calls(entry) if call.cwd), "")


class _Then:
    """The file as it stood before an offset."""

    def __init__(self, dialect: Dialect, lines: Lines) -> None:
        self._dialect = dialect
        self._lines = lines
        self._end = 0
        self._conversation = Conversation(self._said)

    def go_to(self, end: int, heard: int) -> None:
        self._end = end

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        return self._conversation.exchange(pending, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._conversation.voices(pending)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()

    def _said(self, pending: PendingWrite) -> Iterator[Said]:
        for line in self._lines(pending.transcript_path or "", self._end):
            entry = decoded(line.raw)
            if entry is not None:
                yield from self._dialect.said(entry)


class _Written:
    def __init__(self, path: str, dialect: Dialect) -> None:
        self._path = path
        self._dialect = dialect

    def user(self, text: str, prompt_id: str) -> None:
        self._save(self._dialect.wrote("user", text))

    def says(self, text: str) -> None:
        self._save(self._dialect.wrote("agent", text))

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        self._save(self._dialect.called(tool, given, tool_use_id))

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        self._save(self._dialect.result(tool_use_id, text, failed=failed))

    def _save(self, entry: Entry | None) -> None:
        if entry is not None:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")


def _may_be_session(path: str) -> bool:
    folder, name = os.path.split(path)
    return name.endswith(".jsonl") and os.path.basename(folder) != "subagents"


def decoded(raw: bytes) -> Entry | None:
    """A line's object; None for what is none."""
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError):
        return None
    return cast(Entry, found) if isinstance(found, dict) else None


def _entries(lines: Iterator[Line], passed: Passed) -> Iterator[tuple[Line, Entry]]:
    for line in reversed(list(lines)):
        entry = decoded(line.raw)
        if entry is None:
            passed.garbled += 1
        else:
            yield line, entry


def _began(path: str, lines: int) -> float:
    try:
        return os.stat(path).st_mtime - lines
    except OSError:
        return 0.0
