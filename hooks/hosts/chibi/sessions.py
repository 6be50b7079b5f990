"""Recorded contexts of chibi, for replay and calibration. Satisfies `hooks.sessions.Sessions`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import cast

from evaluator.effects import text_of
from hooks.conversation import Said
from hooks.hosts.chibi.tools import VFS, translated
from hooks.hosts.chibi.transcript import FILE, one_entry
from hooks.listed_sessions import Call, Entry, ListedSessions
from hooks.sessions import Shown

CONTEXT = "default"
_NAMES = {"Bash": "shell_exec", "Write": "write_file", "Edit": "file_edit"}
_FAILED = ("Error", "Permission denied", "permission denied")


class _Entries:
    def said(self, entry: Entry) -> Iterable[Said]:
        return one_entry(entry)

    def calls(self, entry: Entry) -> Iterable[Call]:
        if text_of(entry, "entry_type") != "tool_call":
            return
        try:
            given = cast(object, json.loads(text_of(entry, "content")))
        except (ValueError, RecursionError):
            given = None
        arguments = cast(dict[str, object], given) if isinstance(given, dict) else dict[str, object]()
        name = text_of(entry, "to")
        hook = "pre_tool"
        data: dict[str, object] = {"tool_name": name, "arguments": arguments}
        if name == "shell_exec":
            hook, data = "pre_shell_exec", {**arguments, "tool_name": name}
        elif name in ("write_file", "file_edit") and not text_of(arguments, "path").startswith(VFS):
            hook, data = "pre_file_write", {**arguments, "tool_name": name}
        yield Call(text_of(entry, "tool_call_id"), *translated(hook, data))

    def ended(self, entry: Entry) -> tuple[str, bool] | None:
        if text_of(entry, "entry_type") != "tool_result":
            return None
        return text_of(entry, "tool_call_id"), not text_of(entry, "content").startswith(_FAILED)

    def at(self, entry: Entry) -> float | None:
        found = entry.get("timestamp")
        return float(found) if isinstance(found, (int, float)) else None

    def session_of(self, path: str) -> str:
        """A context is a folder; its other files are no sessions."""
        return os.path.basename(os.path.dirname(path)) if os.path.basename(path) == FILE else ""

    def wrote(self, role: str, text: str) -> Entry:
        sides = {"from": "user", "to": CONTEXT} if role == "user" else {"from": CONTEXT, "to": "user"}
        return {**sides, "content": text, "entry_type": "message", "role": role}

    def called(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> Entry:
        name = _NAMES.get(tool, tool)
        arguments = {("path" if key == "file_path" else key): value for key, value in given.items()}
        content = json.dumps(arguments)
        return {
            "from": CONTEXT,
            "to": name,
            "content": content,
            "entry_type": "tool_call",
            "tool_call_id": tool_use_id,
        }

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> Entry:
        content = f"Error: {text}" if failed else text
        return {
            "from": "tool",
            "to": CONTEXT,
            "content": content,
            "entry_type": "tool_result",
            "tool_call_id": tool_use_id,
        }

    def shown(self, answer: Mapping[str, object]) -> Shown:
        reason = text_of(answer, "reason")
        return Shown(answer.get("denied") is True, False, reason, reason)


SESSIONS = ListedSessions(_Entries())
