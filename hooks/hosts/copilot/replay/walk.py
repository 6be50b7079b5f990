"""One session's events as what its hooks were told, in order: prompts, calls and their ends. Judges nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from evaluator.effects import text_of
from hooks.hosts.copilot.tools import translated
from hooks.hosts.copilot.transcript import REWIND, is_typed, prompt_id
from hooks.lines import PADDING, forward
from hooks.moments import Called, Ended, Fate, Moment, Passed, Spoken
from hooks.recorded import HELD, HELD_CHARS

_REFUSED = ("denied", "rejected")


@dataclass(frozen=True, slots=True)
class Row:
    """An event, and where its line starts."""

    offset: int
    name: str
    kind: str
    agent: str
    at: float
    data: Mapping[str, object]


def rows(path: str, passed: Passed | None = None) -> Iterator[Row]:
    """From the first on. A longer line than any that people or models write is passed over."""
    for line in forward(path):
        found = _row(line.offset, line.raw)
        if found is not None:
            yield found
        elif passed is not None and line.raw.strip(PADDING):
            passed.garbled += 1


def moments(path: str, passed: Passed) -> Iterator[Moment]:
    """A subagent's calls stand in the session's own file. Times never go back."""
    ends = _ends(path)
    session, project, at, heard = os.path.basename(os.path.dirname(path)), "", 0.0, 0
    asked: dict[str, str] = {}
    running: str | None = None
    for row in rows(path, passed):
        at = max(at, row.at)
        if row.kind in ("session.start", "session.resume"):
            session = text_of(row.data, "sessionId") or session
            project = project or text_of(_object(row.data.get("context")), "cwd")
        elif row.kind == "hook.start" and row.data.get("hookType") == "userPromptSubmitted" and not row.agent:
            told = _object(row.data.get("input"))
            asked[_words(text_of(told, "prompt"))] = prompt_id(told) or ""
        elif row.kind == "user.message" and not row.agent and is_typed(row.data):
            text = text_of(row.data, "content")
            running, heard = asked.pop(_words(text), "") or None, heard + 1
            yield Spoken(at, session, running, text, True, project)
        elif row.kind in ("subagent.started", REWIND):
            heard += 1
        elif row.kind == "assistant.message":
            heard += not row.agent
            for index, request in enumerate(_listed(row.data.get("toolRequests"))):
                call = text_of(request, "toolCallId")
                tool, given = translated(text_of(request, "name"), request.get("arguments"))
                fate = _after(ends, call, row.offset)
                yield Called(
                    at, session, running, call, tool, _object(given), project, project, row.agent or None, row.name,
                    index, row.offset, heard, fate, (tool == "Write") if fate == "ran" else None,
                )  # fmt: skip
        elif row.kind == "tool.execution_complete":
            call = text_of(row.data, "toolCallId")
            yield Ended(at, session, call, _after(ends, call, row.offset) == "ran")


def standing(path: str) -> frozenset[str]:
    """The ids of the events that no rewind took back."""
    names: list[str] = []
    for row in rows(path):
        if row.kind == REWIND:
            listed = row.data.get("eventIds")
            gone = set(cast(list[object], listed)) if isinstance(listed, list) else set[object]()
            first = text_of(row.data, "upToEventId")
            if gone:
                names = [name for name in names if name not in gone]
            elif first in names:
                names = names[: names.index(first)]
        names.append(row.name)
    return frozenset(names)


def _ends(path: str) -> dict[str, list[tuple[int, Fate]]]:
    """How each call ended, and where that stands, by its id: some providers count a request's calls from 0."""
    found: dict[str, list[tuple[int, Fate]]] = {}
    for row in rows(path):
        if row.kind == "tool.execution_complete":
            error, shell = _object(row.data.get("error")), _object(row.data.get("shellExecution"))
            fate: Fate = "failed"
            if HELD.search(text_of(error, "message")[:HELD_CHARS]):
                fate = "held"
            elif text_of(error, "code") in _REFUSED:
                fate = "refused"
            elif row.data.get("success") is True and shell.get("exitCode", 0) == 0:
                fate = "ran"
            found.setdefault(text_of(row.data, "toolCallId"), []).append((row.offset, fate))
    return found


def _after(ends: Mapping[str, list[tuple[int, Fate]]], call: str, offset: int) -> Fate:
    for place, fate in ends.get(call, ()):
        if place >= offset:
            return fate
    return "unknown"


def _row(offset: int, raw: bytes) -> Row | None:
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError):
        return None
    held = _object(found)
    kind, data = text_of(held, "type"), held.get("data")
    if not kind or not isinstance(data, dict):
        return None
    try:
        at = datetime.fromisoformat(text_of(held, "timestamp")).timestamp()
    except (ValueError, OverflowError):
        at = 0.0
    return Row(offset, text_of(held, "id"), kind, text_of(held, "agentId"), at, cast(dict[str, object], data))


def _object(value: object) -> dict[str, object]:
    return cast(dict[str, object], value) if isinstance(value, dict) else {}


def _listed(value: object) -> list[dict[str, object]]:
    return [_object(one) for one in cast(list[object], value)] if isinstance(value, list) else []


def _words(text: str) -> str:
    return " ".join(text.split())
