"""Recorded sessions of OpenCode, for replay and calibration. Satisfies `hooks.sessions.Sessions`.

The client keeps all sessions in one SQLite file, so one of them is named `FILE#SESSION` here. Its messages are read as
lines: what was said, `{id, role, text, at}`; a call, `{id, role, tool, args, call, cwd, at}`; how it ended, `{call,
failed, at}`. A made-up session's file holds such lines as text.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from hooks.conversation import Said
from hooks.hosts.opencode.tools import READS, WRITES, input_of, name_of
from hooks.hosts.opencode.transcript import spoken
from hooks.lines import Line
from hooks.listed_sessions import Call, Entry, ListedSessions, lines_of
from hooks.recorded import DATABASE, MARK
from hooks.sessions import Shown

_OWN_NAMES = {name: own for own, name in {**READS, **WRITES}.items()}
_SESSIONS = "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_created, id"
_PARTS = (
    "SELECT message.id, message.data, part.data FROM message JOIN part ON part.message_id = message.id "
    "WHERE message.session_id = ? ORDER BY message.id, part.id"
)


class StoredSessions(ListedSessions):
    def find_transcripts(self, names: Sequence[str]) -> list[str]:
        """The sessions of a database that is named, or lies below a folder that is; a subagent's is none."""
        found: dict[str, None] = {}
        for name in names:
            path = os.path.realpath(os.path.expanduser(name))
            named, _, session = path.partition(f"{DATABASE}{MARK}")
            if session and os.path.isfile(named + DATABASE):
                found[path] = None
            elif os.path.isdir(path):
                below = sorted(str(one) for one in Path(path).rglob(DATABASE))
                found |= dict.fromkeys(one for file in below for one in _listed(file))
            elif os.path.basename(path) == DATABASE and os.path.isfile(path):
                found |= dict.fromkeys(_listed(path))
            elif os.path.isfile(path):
                found[path] = None
            else:
                raise PayloadError(f"{name}: no such transcript")
        return list(found)


class _Lines:
    def said(self, entry: Entry) -> Iterable[Said]:
        role, said = text_of(entry, "role"), text_of(entry, "text")
        if role == "user":
            yield Said("user", spoken(said))
        elif role:
            yield Said("agent", said, message_id=text_of(entry, "id"))

    def calls(self, entry: Entry) -> Iterable[Call]:
        tool, args = text_of(entry, "tool"), entry.get("args")
        if tool and isinstance(args, dict):
            given = cast(Mapping[str, object], args)
            folder = os.path.join(text_of(entry, "cwd"), text_of(given, "workdir")).rstrip(os.sep)
            yield Call(text_of(entry, "call"), name_of(tool, ()), input_of(tool, given), folder)

    def ended(self, entry: Entry) -> tuple[str, bool] | None:
        return (text_of(entry, "call"), entry["failed"] is False) if "failed" in entry else None

    def at(self, entry: Entry) -> float | None:
        found = entry.get("at")
        return found / 1000 if isinstance(found, (int, float)) else None

    def session_of(self, path: str) -> str:
        return path.rpartition(MARK)[2] if MARK in path else Path(path).stem

    def wrote(self, role: str, text: str) -> Entry:
        return {"role": "user" if role == "user" else "assistant", "text": text}

    def called(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> Entry:
        return {"role": "assistant", "tool": _OWN_NAMES.get(tool, tool), "args": given, "call": tool_use_id}

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> Entry:
        return {"call": tool_use_id, "failed": failed}

    def shown(self, answer: Mapping[str, object]) -> Shown:
        denied, agent = text_of(answer, "deny"), text_of(answer, "agent")
        person = text_of(answer, "say") or denied
        return Shown(bool(denied), answer.get("stop") is True, person, denied or agent)


def lines(path: str, before: int | None = None) -> Iterator[Line]:
    """Newest first; a line of a stored session has its place there for an offset. What cannot be read is not there."""
    if path.endswith(".json"):
        return reversed(_exported(path, os.stat(path).st_mtime_ns)[:before])
    if MARK not in path:
        return lines_of(path, before)
    file, _, session = path.rpartition(MARK)
    try:
        with closing(_opened(file)) as database:
            rows = database.execute(_PARTS, (session,)).fetchall()
    except sqlite3.Error:
        return iter(())
    entries = [one for name, *data in rows for one in _entries(name, *map(_object, data))]
    return reversed(_as_lines(entries)[:before])


@lru_cache(maxsize=2)
def _exported(path: str, _changed: int) -> list[Line]:
    """Of what `opencode export` wrote: `{info, messages: [{info, parts}]}`."""
    found: list[Entry] = []
    document = _object(Path(path).read_text(encoding="utf-8", errors="replace"))
    for message in _listed_in(document, "messages"):
        info = cast(Entry, message.get("info") or {})
        for part in _listed_in(message, "parts"):
            found += _entries(text_of(info, "id"), info, part)
    return _as_lines(found)


def _listed_in(value: Entry, name: str) -> list[Entry]:
    found = value.get(name)
    return (
        [cast(Entry, one) for one in cast(list[object], found) if isinstance(one, dict)]
        if isinstance(found, list)
        else []
    )


def _as_lines(entries: Sequence[Entry]) -> list[Line]:
    return [Line(place, json.dumps(entry).encode()) for place, entry in enumerate(entries)]


def _listed(file: str) -> list[str]:
    """Raises PayloadError for a file that is no database of the client's."""
    try:
        with closing(_opened(file)) as database:
            return [f"{file}{MARK}{session}" for (session,) in database.execute(_SESSIONS)]
    except sqlite3.Error as error:
        raise PayloadError(f"{file}: {error}") from None


def _opened(file: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{Path(file).as_uri()}?mode=ro", uri=True)


def _entries(message_id: str, info: Mapping[str, object], held: Mapping[str, object]) -> Iterator[Entry]:
    times = info.get("time")
    at = cast(dict[str, object], times).get("created") if isinstance(times, dict) else None
    base: dict[str, object] = {"id": message_id, "role": text_of(info, "role"), "at": at}
    if info.get("summary") is True:
        return
    if held.get("type") == "text" and held.get("synthetic") is not True and held.get("ignored") is not True:
        typed = held.get("metadata")
        command = text_of(cast(dict[str, object], typed), "typed") if isinstance(typed, dict) else ""
        yield base | {"text": "\n\n".join(filter(None, (command, text_of(held, "text"))))}
    elif held.get("type") == "tool":
        state = held.get("state")
        ended = cast(dict[str, object], state) if isinstance(state, dict) else dict[str, object]()
        where = info.get("path")
        cwd = text_of(cast(dict[str, object], where), "cwd") if isinstance(where, dict) else ""
        call = {"call": text_of(held, "callID"), "tool": text_of(held, "tool"), "args": ended.get("input")}
        yield base | call | {"cwd": cwd}
        if ended.get("status") in ("completed", "error"):
            yield {"call": call["call"], "failed": _failed(ended), "at": at}


def _failed(state: Mapping[str, object]) -> bool:
    told = state.get("metadata")
    code = cast(dict[str, object], told).get("exit", 0) if isinstance(told, dict) else 0
    return state.get("status") == "error" or code != 0


def _object(text: str) -> Mapping[str, object]:
    try:
        found = cast(object, json.loads(text))
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}


SESSIONS = StoredSessions(_Lines(), lines)
