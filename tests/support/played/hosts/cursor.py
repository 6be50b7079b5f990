"""Cursor by its documents and what others recorded: `fixtures/hosts/cursor`. No payload names the session's file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from played.client import Call
from played.hosts.player import HostSession
from played.machine import Json

from hooks.sessions import MadeUpSession

TOOLS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Write": ("Write", {}),
    "Edit": ("StrReplace", {"file_path": "path"}),
    "Bash": ("Shell", {}),
    "NotebookEdit": ("EditNotebook", {"notebook_path": "target_notebook"}),
    "Read": ("Read", {"file_path": "path"}),
    "WebFetch": ("WebFetch", {}),
}


class CursorFile(MadeUpSession):
    """What the client writes; no results."""

    def user(self, text: str, prompt_id: str) -> None:
        self._line("user", {"type": "text", "text": f"<user_query>\n{text}\n</user_query>"})

    def says(self, text: str) -> None:
        self._line("assistant", {"type": "text", "text": text})

    def calls(self, tool: str, given: Mapping[str, Any], tool_use_id: str) -> None:
        self._line("assistant", {"type": "tool_use", "id": tool_use_id, "name": tool, "input": given})

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        """No file tells of one."""

    def _line(self, role: str, block: Json) -> None:
        self.put({"role": role, "message": {"content": [block]}})


class CursorSession(HostSession):
    NAME = "cursor"
    TOOLS = TOOLS
    REASON = "agent_message"
    TELLS = ("", "user_message")
    FILE = CursorFile
    HAS = frozenset(("edit_text", "resume", "notebook"))
    SHOWS = frozenset(("person_has",))

    def session_file(self) -> str:
        folder = re.sub(r"[^A-Za-z0-9]", "-", self.project).lstrip("-")
        return f".cursor/projects/{folder}/agent-transcripts/{self.session_id}.jsonl"

    def variables(self) -> Mapping[str, str]:
        return {"CURSOR_PROJECT_DIR": self.project}

    def after(self, call: Call, *, worked: bool) -> Json:
        told = self.called_with(call)
        if worked:
            return self.said("post-tool-use", **told, tool_output="{}", duration=12)
        return self.said("post-tool-use-failure", **told, error_message="exit 1", failure_type="error")

    def called_with(self, call: Call) -> Json:
        tool, given = self.own(call) or (call.tool, call.given)
        if tool == "Shell":
            given = {**given, "working_directory": self.project}
        return {"tool_name": tool, "tool_input": given, "tool_use_id": call.use_id, "cwd": self.project}

    def said(self, event: str, **fields: Any) -> Json:
        return {
            "conversation_id": self.session_id, "generation_id": f"g{self.prompts}", "model": "m", **fields,
            "hook_event_name": self.host.EVENTS[event], "cursor_version": "2026.08.11", "transcript_path": None,
            "user_email": "someone@example.com", "workspace_roots": [self.project],
        }  # fmt: skip
