"""Writes an exchange as a transcript of the host, so that a case takes the whole way through the gate."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping

from evaluator.model import Exchange
from hooks.recorded import turns_of

HUMAN: dict[str, object] = {"origin": {"kind": "human"}, "promptSource": "typed"}


def transcript(exchange: Exchange, session_id: str, prompt_id: str) -> str:
    """JSONL in the shape of Claude Code 2.1: the earlier turn, then the request as the running prompt."""
    lines = _Lines(session_id)
    for role, text, asks in turns_of(exchange):
        if role == "agent":
            lines.assistant("msg_opening", {"type": "text", "text": text})
        else:
            lines.user(text, promptId=prompt_id if asks else "opening", **HUMAN)
    return "".join(lines.written)


class WrittenSession:
    """A session's file that grows. Satisfies `hooks.sessions.MadeUpSession`."""

    def __init__(self, path: str, session_id: str) -> None:
        self._path = path
        self._lines = _Lines(session_id)
        self._prompt_id = ""

    def user(self, text: str, prompt_id: str) -> None:
        self._prompt_id = prompt_id
        self._lines.user(text, promptId=prompt_id, **HUMAN)
        self._save()

    def says(self, text: str) -> None:
        self._lines.assistant(self._message_id(), {"type": "text", "text": text})
        self._save()

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        block = {"type": "tool_use", "id": tool_use_id, "name": tool, "input": given}
        self._lines.assistant(self._message_id(), block)
        self._save()

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": text, "is_error": failed}
        self._lines.user([block], promptId=self._prompt_id)
        self._save()

    def _message_id(self) -> str:
        return f"msg_{len(self._lines.written)}"

    def _save(self) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(self._lines.written[-1])


class _Lines:
    """Each line's parent is the line before."""

    def __init__(self, session_id: str) -> None:
        self.written: list[str] = []
        self._session_id = session_id
        self._parent: str | None = None

    def user(self, content: object, **extra: object) -> None:
        self._add("user", {"role": "user", "content": content}, extra)

    def assistant(self, message_id: str, block: Mapping[str, object]) -> None:
        self._add("assistant", {"role": "assistant", "id": message_id, "content": [block]}, {})

    def _add(self, kind: str, message: dict[str, object], extra: Mapping[str, object]) -> None:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self._session_id}/{self._parent}/{message}"))
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": own,
            "sessionId": self._session_id,
            **extra,
        }
        self._parent = own
        self.written.append(json.dumps(line) + "\n")
