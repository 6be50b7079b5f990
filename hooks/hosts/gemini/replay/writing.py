"""Writes an exchange as Gemini CLI's chat file, so that a case takes the whole way through the gate."""

from __future__ import annotations

import json
from collections.abc import Mapping

from evaluator.model import Exchange
from hooks.recorded import turns_of

_AT = "2026-01-01T00:00:00.000Z"


def transcript(exchange: Exchange, session_id: str, prompt_id: str) -> str:
    """The earlier turn, then the request as the running prompt. The host has no ids of prompts."""
    turns = (
        (_agent if role == "agent" else _user)(f"turn-{number}", text)
        for number, (role, text, _) in enumerate(turns_of(exchange))
    )
    return "".join((_header(session_id), *turns))


class WrittenSession:
    """A session's file that grows. Satisfies `hooks.sessions.MadeUpSession`."""

    def __init__(self, path: str, session_id: str) -> None:
        self._path, self._count = path, 0
        self._calls: dict[str, dict[str, object]] = {}
        self._save(_header(session_id))

    def user(self, text: str, prompt_id: str) -> None:
        self._save(_user(self._next(), text))

    def says(self, text: str) -> None:
        self._save(_agent(self._next(), text))

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        """As the client does, the call itself is written once it has ended."""
        self._calls[tool_use_id] = {"id": tool_use_id, "name": tool, "args": given, "timestamp": _AT}
        self._calls[tool_use_id]["message"] = self._next()
        self._save(_agent(str(self._calls[tool_use_id]["message"]), ""))

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        call = dict(self._calls.pop(tool_use_id, {"id": tool_use_id, "message": self._next()}))
        response = {"error" if failed else "output": text}
        parts = [{"functionResponse": {"id": tool_use_id, "name": call.get("name"), "response": response}}]
        name = str(call.pop("message"))
        call |= {"status": "error" if failed else "success", "result": parts}
        self._save(_agent(name, "", toolCalls=[call]))
        self._save(_line({"id": self._next(), "timestamp": _AT, "type": "user", "content": parts}))

    def _next(self) -> str:
        self._count += 1
        return f"message-{self._count}"

    def _save(self, line: str) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(line)


def _header(session_id: str) -> str:
    said = {"sessionId": session_id, "projectHash": "0", "startTime": _AT, "lastUpdated": _AT, "kind": "main"}
    return _line(said)


def _user(name: str, text: str) -> str:
    return _line({"id": name, "timestamp": _AT, "type": "user", "content": [{"text": text}]})


def _agent(name: str, text: str, **more: object) -> str:
    return _line({"id": name, "timestamp": _AT, "type": "gemini", "content": text, **more})


def _line(value: Mapping[str, object]) -> str:
    return json.dumps(value) + "\n"
