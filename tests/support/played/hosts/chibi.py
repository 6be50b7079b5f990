"""chibi by its documents, as our plugin wraps its payloads: `fixtures/hosts/chibi`. A session is a process of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from played.client import Call
from played.hosts.player import FAILED, Done, HostSession
from played.machine import Json

from hooks.sessions import MadeUpSession

TOOLS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Write": ("write_file", {"file_path": "path"}),
    "Edit": ("file_edit", {"file_path": "path", "old_string": "find", "new_string": "replace"}),
    "Bash": ("shell_exec", {}),
}
ASKED_LATER = {"write_file": "pre_file_write", "file_edit": "pre_file_write", "shell_exec": "pre_shell_exec"}


class ChibiFile(MadeUpSession):
    """What the client writes."""

    def user(self, text: str, prompt_id: str) -> None:
        self.put({"from": "user", "to": "default", "content": text, "entry_type": "message", "role": "user"})

    def says(self, text: str) -> None:
        self.put({"from": "default", "to": "user", "content": text, "entry_type": "message", "role": "agent"})

    def calls(self, tool: str, given: Mapping[str, Any], tool_use_id: str) -> None:
        sides = {"from": "default", "to": tool, "content": json.dumps(given)}
        self.put({**sides, "entry_type": "tool_call", "tool_call_id": tool_use_id})

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        sides = {"from": "tool", "to": "default", "content": f"Error: {text}" if failed else text}
        self.put({**sides, "entry_type": "tool_result", "tool_call_id": tool_use_id})


class ChibiSession(HostSession):
    NAME = "chibi"
    TOOLS = TOOLS
    REASON = "reason"
    FILE = ChibiFile
    HAS = frozenset(("unattended",))
    SHOWS = frozenset()

    def session_file(self) -> str:
        return f".chibi/contexts/{self.name}/context.jsonl"

    def variables(self) -> Mapping[str, str]:
        return {"CHIBI_PROJECT_ROOT": self.project, "PWD": self.project}

    def prompted(self, text: str) -> Json:
        return self.said("user-prompt-submit", context_name=self.name, prompt=text, summary="")

    def fire(self, call: Call) -> Done:
        """`pre_tool` comes first, with all arguments, and decides nothing where a permission hook follows."""
        first = self._hook("pre-tool-use", self.said("pre-tool-use", **self.called_with(call)))
        assert not first.stdout, first.stdout
        return super().fire(call)

    def before(self, call: Call) -> Json:
        called = self.called_with(call)
        tool, arguments = called["tool_name"], called["arguments"]
        if tool == "shell_exec":
            told = {"command": arguments["command"]}
        else:
            told = {"content": arguments.get("content"), "path": arguments["path"]}
        if tool == "file_edit":
            told["operation"] = "replace_string"
        return {**self.said("pre-tool-use", **told, tool_name=tool), "hook": ASKED_LATER[tool]}

    def after(self, call: Call, *, worked: bool) -> Json:
        told = self.called_with(call)
        result = "done" if worked else f"Error: {FAILED}"
        if told["tool_name"] == "shell_exec":
            ended = {"exit_code": 0 if worked else 1, "stderr": "", "stdout": "", "timed_out": False}
            result = json.dumps(ended, separators=(",", ":"))
        return self.said("post-tool-use", **told, cached=False, result=result)

    def called_with(self, call: Call) -> Json:
        tool, arguments = self.own(call) or (call.tool, call.given)
        more = {"operation": "replace_string"} if tool == "file_edit" else {}
        return {"arguments": {**arguments, **more}, "tool_name": tool}

    def said(self, event: str, **fields: Any) -> Json:
        at = {"project_root": self.project} if event.startswith("session-") else {}
        return {"hook": self.host.EVENTS[event], "parent": f"{self.name}-4711-99", "data": {**at, **fields}}
