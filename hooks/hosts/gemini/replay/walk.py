"""What the hooks of a recorded session were told, in the order of its chat file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from evaluator.effects import text_of
from hooks.hosts.gemini.results import failed
from hooks.hosts.gemini.tools import translated
from hooks.hosts.gemini.transcript import LINE_BYTES_MAX, ChatDocument, Message, objects, of_person
from hooks.lines import forward
from hooks.moments import Called, Ended, Fate, Moment, Passed, Spoken
from hooks.recorded import HELD, HELD_CHARS

_BLOCKED = ("Tool execution blocked: ", "Agent execution stopped by hook: ")


def moments(path: str, passed: Passed) -> Iterator[Moment]:
    """A message that a later line repeats, or lists anew, is told once."""
    walk = _Walk(_project(path))
    document = path.endswith(".json")
    for line in reversed([*ChatDocument(path).lines()]) if document else forward(path, LINE_BYTES_MAX):
        if not line.raw.strip():
            continue
        try:
            found = cast(object, json.loads(line.raw))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            passed.garbled += 1
            continue
        yield from walk.line(line.offset, cast(Message, found))


@dataclass(slots=True)
class _Walk:
    project: str
    session: str = ""
    heard: int = 0
    seen: set[str] = field(default_factory=set[str])

    def line(self, offset: int, record: Message) -> Iterator[Moment]:
        change = record.get("$set")
        if isinstance(change, dict):
            for message in objects(cast(Message, change).get("messages")):
                yield from self._message(offset, message)
        elif "id" in record:
            yield from self._message(offset, record)
        else:
            self.session = text_of(record, "sessionId") or self.session

    def _message(self, offset: int, message: Message) -> Iterator[Moment]:
        name, at = text_of(message, "id"), _seconds(text_of(message, "timestamp"))
        self.heard += 1
        if message.get("type") == "user" and name not in self.seen and (text := of_person(message)):
            yield Spoken(at, self.session, None, text, typed=True, project=self.project)
        self.seen.add(name)
        if message.get("type") == "gemini" and "toolCalls" in message:
            for index, call in enumerate(objects(message["toolCalls"])):
                if (number := text_of(call, "id")) not in self.seen:
                    self.seen.add(number)
                    yield from self._call(offset, name, index, call, at)

    def _call(self, offset: int, name: str, index: int, call: Message, at: float) -> Iterator[Moment]:
        number, fate = text_of(call, "id"), _fate(call)
        tool, given = translated({"tool_name": text_of(call, "name"), "tool_input": call.get("args")})
        yield Called(
            at,
            self.session,
            None,
            number,
            tool,
            cast(Mapping[str, object], given) if isinstance(given, dict) else {},
            self.project,
            self.project,
            None,
            name,
            index,
            offset,
            self.heard,
            fate,
            _created(call) if fate == "ran" else None,
        )
        if fate in ("ran", "failed"):
            end = max(at, _seconds(text_of(call, "timestamp")))
            yield Ended(end, self.session, number, succeeded=fate == "ran")


def _fate(call: Message) -> Fate:
    status, told = text_of(call, "status"), _told(call)
    if HELD.search(told[:HELD_CHARS]):
        return "held"
    if status == "success":
        return (
            "failed"
            if failed(translated({"tool_name": call.get("name")})[0], {"llmContent": told})
            else "ran"
        )
    if status == "cancelled" or (status == "error" and told.startswith(_BLOCKED)):
        return "refused"
    return "failed" if status == "error" else "unknown"


def _told(call: Message) -> str:
    """What the agent was told of its end."""
    for part in objects(call.get("result")):
        for found in objects(part.get("functionResponse")):
            for response in objects(found.get("response")):
                return text_of(response, "output") or text_of(response, "error")
    return ""


def _created(call: Message) -> bool | None:
    shown = call.get("resultDisplay")
    found = cast(Message, shown).get("isNewFile") if isinstance(shown, dict) else None
    return found if isinstance(found, bool) else None


def _project(path: str) -> str:
    """The folder that the client noted beside its chats."""
    try:
        folder = os.path.dirname(os.path.dirname(os.path.abspath(path)))
        with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
            found = file.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return found if os.path.isabs(found) else ""


def _seconds(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0
