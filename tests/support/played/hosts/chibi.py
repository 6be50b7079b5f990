"""chibi by its documents, as our plugin wraps its payloads: `fixtures/hosts/chibi`. A session is a process of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from played.client import Call
from played.hosts.player import FAILED, Done, HostSession, Own, named
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
    REASON = "reason"
    FILE = ChibiFile
    HAS = frozenset(("unattended",))
    SHOWS = frozenset()

    def session_file(self) -> str:
        return f".chibi/contexts/{self.name}/context.jsonl"

    def variables(self) -> Mapping[str, str]:
        return {"CHIBI_PROJECT_ROOT": self.project, "PWD": self.project}

    def started(self, source: str) -> Json:
        return self._wrapped("on_start", self._at())

    def finished(self) -> Json:
        return self._wrapped("on_end", self._at())

    def prompted(self, text: str) -> Json:
        return self._wrapped("pre_message", {"context_name": self.name, "prompt": text, "summary": ""})

    def fire(self, call: Call) -> Done:
        """`pre_tool` comes first, with all arguments, and decides nothing where a permission hook follows."""
        tool, arguments = self._arguments(call)
        first = self._hook(
            "pre-tool-use", self._wrapped("pre_tool", {"arguments": arguments, "tool_name": tool})
        )
        assert not first.stdout, first.stdout
        return super().fire(call)

    def before(self, call: Call) -> Json:
        tool, arguments = self._arguments(call)
        if tool == "shell_exec":
            told = {"command": arguments["command"]}
        else:
            told = {"content": arguments.get("content"), "path": arguments["path"]}
        if tool == "file_edit":
            told["operation"] = "replace_string"
        return self._wrapped(ASKED_LATER[tool], {**told, "tool_name": tool})

    def after(self, call: Call, *, worked: bool) -> Json:
        tool, arguments = self._arguments(call)
        result = "done" if worked else f"Error: {FAILED}"
        if tool == "shell_exec":
            ended = {"exit_code": 0 if worked else 1, "stderr": "", "stdout": "", "timed_out": False}
            result = json.dumps(ended, separators=(",", ":"))
        return self._wrapped(
            "post_tool", {"arguments": arguments, "cached": False, "result": result, "tool_name": tool}
        )

    def own(self, call: Call) -> Own | None:
        return named(TOOLS, call)

    def _arguments(self, call: Call) -> Own:
        tool, arguments = self.own(call) or (call.tool, call.given)
        return tool, {**arguments, "operation": "replace_string"} if tool == "file_edit" else arguments

    def _at(self) -> Json:
        return {"chibi_home": str(self.home / ".chibi"), "project_root": self.project, "tool_count": 31}

    def _wrapped(self, hook: str, data: Json) -> Json:
        return {"hook": hook, "parent": f"{self.name}-4711-99", "data": data}
