"""Recorded sessions of Cursor, for replay and calibration. Satisfies `hooks.sessions.Sessions`.

Its files hold calls and no results: whether a call ran is not known.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from hooks.conversation import Said
from hooks.hosts.cursor.tools import folder_of, translated
from hooks.hosts.cursor.transcript import one_line
from hooks.listed_sessions import Call, Entry, ListedSessions
from hooks.sessions import Shown

_NAMES = {"Bash": "Shell"}


class _Lines:
    def said(self, entry: Entry) -> Iterable[Said]:
        return one_line(entry)

    def calls(self, entry: Entry) -> Iterable[Call]:
        message = entry.get("message")
        content = cast(dict[str, object], message).get("content") if isinstance(message, dict) else None
        for block in cast(list[object], content) if isinstance(content, list) else ():
            found = cast(dict[str, object], block) if isinstance(block, dict) else {}
            if found.get("type") != "tool_use":
                continue
            given = found.get("input")
            try:
                tool = translated({"tool_name": found.get("name"), "tool_input": given})
            except PayloadError:
                continue
            folder = folder_of(cast(dict[str, object], given)) if isinstance(given, dict) else ""
            yield Call(text_of(found, "id"), *tool, folder if folder.startswith("/") else "")

    def ended(self, entry: Entry) -> None:
        return None

    def at(self, entry: Entry) -> None:
        return None

    def session_of(self, path: str) -> str:
        return os.path.basename(path).removesuffix(".jsonl")

    def wrote(self, role: str, text: str) -> Entry:
        said = f"<user_query>\n{text}\n</user_query>" if role == "user" else text
        return _line("user" if role == "user" else "assistant", {"type": "text", "text": said})

    def called(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> Entry:
        block = {"type": "tool_use", "id": tool_use_id, "name": _NAMES.get(tool, tool), "input": given}
        return _line("assistant", block)

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        return None

    def shown(self, answer: Mapping[str, object]) -> Shown:
        person, agent = text_of(answer, "user_message"), text_of(answer, "agent_message")
        stops = answer.get("continue") is False
        return Shown(
            answer.get("permission") == "deny", stops, person, agent or text_of(answer, "additional_context")
        )


def _line(role: str, block: Mapping[str, object]) -> Entry:
    return {"role": role, "message": {"content": [block]}}


SESSIONS = ListedSessions(_Lines())
