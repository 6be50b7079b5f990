"""Writes an exchange as a session's file, so that a case takes the whole way through the gate."""

from __future__ import annotations

import json
from collections.abc import Mapping

from evaluator.effects import PATCH_TOOL, text_of
from evaluator.model import Exchange
from hooks.recorded import turns_of

STARTED = "2026-01-01T00:00:00.000Z"


def transcript(exchange: Exchange, session_id: str, prompt_id: str) -> str:
    """JSONL in the shape of Codex CLI 0.169: the earlier turn, then the request as the running prompt."""
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
        self._saved = 0
        self._save()

    def user(self, text: str, prompt_id: str) -> None:
        self._lines.user(text, prompt_id)
        self._save()

    def says(self, text: str) -> None:
        self._lines.agent(text)
        self._save()

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        if tool == PATCH_TOOL:
            call = {"type": "custom_tool_call", "name": tool, "input": text_of(given, "input")}
        else:
            name, said = ("exec_command", {"cmd": given.get("command")}) if tool == "Bash" else (tool, given)
            call = {"type": "function_call", "name": name, "arguments": json.dumps(said)}
        self._lines.item({**call, "call_id": tool_use_id})
        self._save()

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        output = f"Exit code: {int(failed)}\nOutput:\n{text}"
        self._lines.item({"type": "function_call_output", "call_id": tool_use_id, "output": output})
        self._save()

    def _save(self) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.writelines(self._lines.written[self._saved :])
        self._saved = len(self._lines.written)


class _Lines:
    def __init__(self, session_id: str) -> None:
        self.written: list[str] = []
        self._turn = ""
        self._add("session_meta", {"session_id": session_id, "id": session_id, "cwd": "", "source": "cli"})

    def user(self, text: str, prompt_id: str) -> None:
        self._turn = prompt_id
        content = [{"type": "input_text", "text": text}]
        self.item({"type": "message", "role": "user", "content": content}, typed=True)

    def agent(self, text: str) -> None:
        content = [{"type": "output_text", "text": text}]
        self.item(
            {"type": "message", "role": "assistant", "id": f"msg_{len(self.written)}", "content": content}
        )

    def item(self, item: Mapping[str, object], *, typed: bool = False) -> None:
        note: dict[str, object] = {"turn_id": self._turn}
        if typed:
            note["content_item_metadata"] = [{"provenance": {"type": "user"}}]
        self._add("response_item", {**item, "internal_chat_message_metadata_passthrough": note})

    def _add(self, kind: str, payload: Mapping[str, object]) -> None:
        line = {"timestamp": STARTED, "ordinal": len(self.written), "type": kind, "payload": payload}
        self.written.append(json.dumps(line) + "\n")
