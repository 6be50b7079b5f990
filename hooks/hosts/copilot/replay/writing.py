"""Writes an exchange as a session's file, so that a case takes the whole way through the gate."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping

from evaluator.model import Exchange
from hooks.recorded import turns_of


def transcript(exchange: Exchange, session_id: str, prompt_id: str) -> str:
    """JSONL in the shape of Copilot CLI 1.0: the earlier turn, then the request as the running prompt."""
    lines = _Lines(session_id)
    for role, text, asks in turns_of(exchange):
        if role == "agent":
            lines.agent(text)
        else:
            lines.user(text, prompt_id if asks else "opening")
    return "".join(lines.written)


class WrittenSession:
    """A session's file that grows. Satisfies `hooks.sessions.MadeUpSession`."""

    def __init__(self, path: str, session_id: str) -> None:
        self._path = path
        self._lines = _Lines(session_id)

    def user(self, text: str, prompt_id: str) -> None:
        self._save(lambda: self._lines.user(text, prompt_id))

    def says(self, text: str) -> None:
        self._save(lambda: self._lines.agent(text))

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        request = {"toolCallId": tool_use_id, "name": tool, "arguments": given, "type": "function"}
        self._save(lambda: self._lines.agent("", request))

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        told = {"error": {"message": text, "code": "failure"}} if failed else {"result": {"content": text}}
        event = {"toolCallId": tool_use_id, "success": not failed, **told}
        self._save(lambda: self._lines.add("tool.execution_complete", event))

    def _save(self, write: Callable[[], None]) -> None:
        known = len(self._lines.written)
        write()
        with open(self._path, "a", encoding="utf-8") as file:
            file.writelines(self._lines.written[known:])


class _Lines:
    """Each line's parent is the line before."""

    def __init__(self, session_id: str) -> None:
        self.written: list[str] = []
        self._session_id = session_id
        self._parent: str | None = None

    def user(self, text: str, prompt_id: str) -> None:
        told = {"sessionId": self._session_id, "prompt": text, "timestamp": prompt_id}
        self.add("hook.start", {"hookType": "userPromptSubmitted", "input": told})
        self.add("user.message", {"content": text, "delivery": "idle"})

    def agent(self, text: str, *requests: object) -> None:
        message = f"chat-{len(self.written)}"
        self.add("assistant.message", {"content": text, "toolRequests": list(requests), "apiCallId": message})

    def add(self, kind: str, data: Mapping[str, object]) -> None:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self._session_id}/{self._parent}/{kind}{data}"))
        line = {"type": kind, "data": data, "id": own, "parentId": self._parent}
        self._parent = own
        self.written.append(json.dumps(line) + "\n")
