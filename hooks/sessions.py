"""Recorded sessions, for replay and calibration: found, walked as their hooks were told them, written anew.

A host tells what its lines are; the walk is the same for all.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from evaluator.errors import PayloadError
from evaluator.model import Exchange
from hooks.json_lines import LINE_BYTES_MAX, PADDING, FileLine, decode, lines_forward

if TYPE_CHECKING:
    from hooks.host import Host

DATABASE, MARK = "opencode.db", "#"
"""A session of a database is named `DATABASE#SESSION`."""
HELD = re.compile(r"Compass (?:held back|still holds back|could not check)")
"""How the reason of a denial of this gate begins, as the agent was told it (`evaluator.intervention.messages`)."""
HELD_CHARS = 200
OPENING = "Hello, I need help with this project."

Entry = Mapping[str, object]
Fate = Literal["ran", "failed", "refused", "held", "unknown"]
"""`refused` by the person at the client's own prompt, `held` by this gate."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A person's prompt. Here and below the walk fills in what a line does not tell: `at`, wall time in seconds, the
    session's id, and `project`, where the session started."""

    text: str
    prompt_id: str | None = None
    typed: bool = True
    at: float = 0.0
    session_id: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call that is asked for, in Compass's words. `uuid` names its line, by the line's offset where that has no
    name, `index` its block there. `cwd` is the project where the line tells none.

    Only what stands before the offset `end` of the session's transcript was there when the call's hook was run: what
    stands before the line where a host gives no other. `created`: whether the call is known to have made its file, or
    to have found it there. The walk fills in how the call ended.
    """

    tool_use_id: str
    tool_name: str
    tool_input: Mapping[str, object]
    cwd: str = ""
    uuid: str = ""
    index: int = 0
    prompt_id: str | None = None
    agent_id: str | None = None
    created: bool | None = None
    end: int = -1
    at: float = 0.0
    session_id: str = ""
    project: str = ""
    fate: Fate = "unknown"
    refusal: str = ""
    """What the person typed in refusing it, where the host keeps that."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A call's result came back."""

    at: float
    session_id: str
    tool_use_id: str
    succeeded: bool


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The person stopped the agent."""

    at: float = 0.0
    session_id: str = ""


Moment = Spoken | Called | Ended | Interrupted


@dataclass(slots=True)
class Passed:
    """What was passed over in a file: lines that are no JSON object."""

    garbled: int = 0


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What the host makes of a hook's answer. `denied`: the call does not run; `stops`: the turn, or the prompt, ends
    there. `person` is what the user sees, as much as the host shows at once; `agent` what the agent is told."""

    denied: bool = False
    stops: bool = False
    person: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class FileRow:
    """A line: where it starts and ends, and what it holds."""

    offset: int
    end: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class SessionStep:
    """What the file says of the session as a whole; empty where it does not say."""

    session_id: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class EndStep:
    """How a call ended. `told`: a hook was told of it. `at` where it is not the line's own time. `created` and
    `refusal` as in `Called`, where the result tells."""

    tool_use_id: str
    fate: Fate
    told: bool = True
    at: float = 0.0
    created: bool | None = None
    refusal: str = ""


Steps = Iterator[tuple[FileRow, SessionStep | Spoken | Called | EndStep | Interrupted]]


class Sessions:
    """What replay and calibration ask of a host."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.find_transcripts, self.made_up = host.find, host.made_up

    def session_moments(self, path: str, passed: Passed) -> Iterator[Moment]:
        """What the hooks of the session at `path`, and of its subagents, were told. Times never go back."""
        return self.moments(path, passed, self._host.steps)

    def moments(
        self, path: str, passed: Passed, steps: Callable[[Iterable[FileRow]], Steps]
    ) -> Iterator[Moment]:
        """What `steps` makes of one file."""
        session, project, ends, lines = self._survey_session(path, steps)
        at = 0.0
        last: FileRow | None = None
        running: EndStep | None = None
        for row, step in steps(self._readable_session_rows(path, passed)):
            if row is not last:
                time = self._host.at(row.entry)
                untimed = at or max(0.0, session_written(path) - lines)
                at, last = untimed + 1 if time is None else max(at, time), row
            # Calls of one message run one after the other, though their results may stand behind all of it.
            ends_it = isinstance(step, EndStep) and running and step.tool_use_id == running.tool_use_id
            if running and (ends_it or isinstance(step, Called)):
                at = max(at, running.at)
                yield Ended(at, session, running.tool_use_id, running.fate == "ran")
                running = None
            match step:
                case SessionStep():
                    session = step.session_id or session
                case Spoken():
                    yield replace(step, at=at, session_id=session, project=project)
                case Called():
                    later = (one for place, one in ends.get(step.tool_use_id, ()) if place >= row.offset)
                    end = next(later, EndStep("", "unknown", told=False))
                    created = step.created if end.created is None else end.created
                    yield replace(
                        step, at=at, session_id=session, project=project, cwd=step.cwd or project,
                        uuid=step.uuid or str(row.offset), end=row.offset if step.end < 0 else step.end,
                        fate=end.fate, created=created if end.fate == "ran" else None, refusal=end.refusal,
                    )  # fmt: skip
                    running = end if end.told else None
                case Interrupted():
                    yield replace(step, at=at, session_id=session)
                case _:
                    pass

    def _survey_session(
        self, path: str, steps: Callable[[Iterable[FileRow]], Steps]
    ) -> tuple[str, str, dict[str, list[tuple[int, EndStep]]], int]:
        """The session, its project, and how each call ended and where, by its id: some models count a request's calls
        from 0. A project that no line tells is where the first call was made that says so."""
        session, project = self._host.session_named(path), self._host.project_named(path)
        called, lines = "", 0
        ends: dict[str, list[tuple[int, EndStep]]] = {}
        for row, step in steps(self._readable_session_rows(path, Passed())):
            lines += 1
            if isinstance(step, SessionStep):
                project = project or step.project
            elif isinstance(step, Called):
                called = called or step.cwd
            elif isinstance(step, EndStep):
                timed = replace(step, at=step.at or self._host.at(row.entry) or 0.0)
                ends.setdefault(step.tool_use_id, []).append((row.offset, timed))
        return session, project or called, ends, lines

    def _readable_session_rows(self, path: str, passed: Passed) -> Iterator[FileRow]:
        for row in self._host.file_rows(path):
            if row is None:
                passed.garbled += 1
            else:
                yield row

    def then(self) -> SessionThen:
        return SessionThen(self._host)

    def transcript(self, exchange: Exchange, session_id: str, prompt_id: str) -> str:
        """The text of a session's file that holds this exchange, with the request as the running prompt."""
        made = self.made_up("", session_id)
        if exchange.prior_assistant_turn:
            made.user(OPENING, "opening")
            made.says(exchange.prior_assistant_turn)
        for message in exchange.request:
            made.user(message, prompt_id)
        return made.text

    def shown(self, answer: bytes) -> ShownAnswer:
        """What becomes of a hook's answer, which may be empty. Raises ValueError for what is no JSON object."""
        if not answer.strip():
            return ShownAnswer()
        found = decode(answer)
        if found is None:
            raise ValueError("not a JSON object")
        return self._host.shown(found) if found else ShownAnswer()


class MadeUpSession:
    """A session's file that grows as its host would write it, call by call. Without a path it is `text` alone."""

    def __init__(self, path: str, session_id: str) -> None:
        self._path, self.session_id, self.text = path, session_id, ""

    def user(self, text: str, prompt_id: str) -> None:
        raise NotImplementedError

    def says(self, text: str) -> None:
        """The agent says something in the made-up session, in words."""
        raise NotImplementedError

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        raise NotImplementedError

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        """Nothing where the host's file holds no results."""
        raise NotImplementedError

    def put(self, *lines: Entry) -> None:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        self.text += text
        if self._path:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(text)


class SessionThen:
    """A `TranscriptSource`: a session's file as it stood before an offset."""

    def __init__(self, host: Host) -> None:
        self._end = 0
        source = host.reader(lambda path: host.tail(path, self._end))
        self.exchange, self.voices = source.exchange, source.voices
        self.lookups, self.commands = source.lookups, source.commands

    def go_to(self, end: int) -> None:
        self._end = end


def session_rows(path: str, line_bytes_max: int = LINE_BYTES_MAX) -> Iterator[FileRow | None]:
    """A longer line than any that people or models write is passed over."""
    return rows_of_lines(lines_forward(path, line_bytes_max))


def rows_of_lines(lines: Iterable[FileLine]) -> Iterator[FileRow | None]:
    for line in lines:
        entry = decode(line.raw)
        if entry is not None:
            yield FileRow(line.offset, line.offset + len(line.raw), entry)
        elif line.raw.strip(PADDING):
            yield None


def session_seconds(stamp: str) -> float:
    """A time of a session's file in seconds since the epoch; 0 for one that cannot be read."""
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def session_files(names: Sequence[str], belongs: Callable[[str], bool]) -> list[str]:
    """The files named, and those below the folders named that `belongs` takes, each once, in order.

    Raises PayloadError for a name that is neither file nor folder.
    """
    found: dict[str, str] = {}
    for name in names:
        path = os.path.abspath(os.path.expanduser(name))
        if os.path.isdir(path):
            below = sorted(os.path.join(here, file) for here, _, files in os.walk(path) for file in files)
            files = [file for file in below if belongs(file)]
        elif os.path.exists(path):
            files = [path]
        else:
            raise PayloadError(f"{name}: no such transcript")
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def session_file(path: str) -> str:
    """The file of a session that is named `DATABASE#SESSION`; the path itself for any other."""
    file, mark, _ = path.rpartition(f"{DATABASE}{MARK}")
    return file + DATABASE if mark else path


def session_written(path: str) -> float:
    """When a session's file was written last; 0 where it is not there."""
    try:
        return os.stat(session_file(path)).st_mtime
    except OSError:
        return 0.0
