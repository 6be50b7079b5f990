"""Codex CLI 0.169: payloads and session file as recorded in `fixtures/hosts/codex`. Files change by patches.

A call's own line is on disk before its hook is run. A denial is the code 2 and what stands on stderr.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from played.client import Call
from played.hosts.player import FAILED, Done, HostSession, Own
from played.machine import Json

from hooks.sessions import MadeUpSession

STARTED = "2026-01-01T00:00:00.000Z"


class CodexFile(MadeUpSession):
    """What the client writes."""

    def __init__(self, path: str, session_id: str) -> None:
        super().__init__(path, session_id)
        self._turn = ""
        meta = {"session_id": session_id, "id": session_id, "cwd": "", "source": "cli"}
        self.put({"timestamp": STARTED, "type": "session_meta", "payload": meta})

    def user(self, text: str, prompt_id: str) -> None:
        self._turn = prompt_id
        message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        self._item(message, content_item_metadata=[{"provenance": {"type": "user"}}])

    def says(self, text: str) -> None:
        content = [{"type": "output_text", "text": text}]
        self._item({"type": "message", "role": "assistant", "id": f"msg_{text}", "content": content})

    def calls(self, tool: str, given: Mapping[str, Any], tool_use_id: str) -> None:
        if tool == "apply_patch":
            call = {"type": "custom_tool_call", "name": tool, "input": given["input"]}
        else:
            name, said = ("exec_command", {"cmd": given["command"]}) if tool == "Bash" else (tool, given)
            call = {"type": "function_call", "name": name, "arguments": json.dumps(said)}
        self._item({**call, "call_id": tool_use_id})

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        output = f"Exit code: {int(failed)}\nOutput:\n{text}"
        self._item({"type": "function_call_output", "call_id": tool_use_id, "output": output})

    def _item(self, item: Json, **noted: object) -> None:
        note = {"internal_chat_message_metadata_passthrough": {"turn_id": self._turn, **noted}}
        self.put({"timestamp": STARTED, "type": "response_item", "payload": {**item, **note}})


class CodexSession(HostSession):
    NAME = "codex"
    FILE = CodexFile
    HAS = frozenset(("edit_text", "resume", "unattended", "rewind"))
    CALL_FIRST = True

    def session_file(self) -> str:
        return f".codex/sessions/2026/11/22/rollout-2026-11-22T08-19-05-{self.session_id}.jsonl"

    def prompted(self, text: str) -> Json:
        return self.said("user-prompt-submit", turn_id=self.prompt_id, prompt=text)

    def after(self, call: Call, *, worked: bool) -> Json:
        """A command's response does not tell how it ended; a patch's does."""
        response = "" if worked else FAILED
        if call.tool != "Bash":
            response = f"Exit code: {0 if worked else 1}\nWall time: 0 seconds\nOutput:\n{response}"
        return self.said("post-tool-use", **self.called_with(call), tool_response=response)

    def failed_event(self, call: Call) -> str:
        return "post-tool-use"

    def rewind(self, turns: int) -> None:
        rolled = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": turns}}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rolled) + "\n")

    def call(self, tool: str, given: Json, agent_id: str | None, task: str) -> Call:
        """The patch is that of the file as it stands when the call is made."""
        call = super().call(tool, given, agent_id, task)
        if tool in ("Write", "Edit"):
            self.kept[call.use_id] = patch_of(given, self.project)
        return call

    def own(self, call: Call) -> Own | None:
        if call.use_id in self.kept:
            return "apply_patch", {"input": self.kept[call.use_id]}
        return ("Bash", call.given) if call.tool == "Bash" else None

    def reason(self, done: Done) -> str:
        return done.stderr.decode()

    def told(self, answer: Mapping[str, Any]) -> tuple[str, str]:
        inner = answer.get("hookSpecificOutput", {})
        return inner.get("additionalContext", ""), answer.get("systemMessage", "")

    def called_with(self, call: Call) -> Json:
        patch = self.kept.get(call.use_id)
        tool, given = ("Bash", call.given) if patch is None else ("apply_patch", {"command": patch})
        return {"turn_id": self.prompt_id, "tool_name": tool, "tool_input": given, "tool_use_id": call.use_id}

    def said(self, event: str, **fields: Any) -> Json:
        return {
            "session_id": self.session_id, "transcript_path": str(self.path), "cwd": self.project,
            "hook_event_name": self.host.EVENTS[event], "model": "gpt-5.5", "permission_mode": "default", **fields,
        }  # fmt: skip


def patch_of(given: Mapping[str, Any], project: str) -> str:
    """Of a Write or an Edit; a patch replaces whole lines, with what stands around them in the file."""
    path = Path(given["file_path"])
    name = os.path.relpath(path, project) if path.is_relative_to(project) else str(path)
    if "content" in given:
        hunk = [f"*** Add File: {name}", *(f"+{line}" for line in given["content"].splitlines())]
    else:
        old, new = given["old_string"], given["new_string"]
        text = path.read_text(encoding="utf-8") if path.exists() else old
        start, found, end = text.partition(old)
        if not found:
            start, end = "", ""
        head, tail = start.rpartition("\n")[2], end.partition("\n")[0]
        lines = [(f"{head}{one}{tail}".splitlines(), sign) for one, sign in ((old, "-"), (new, "+"))]
        hunk = [f"*** Update File: {name}", "@@", *(f"{sign}{line}" for kept, sign in lines for line in kept)]
    return "\n".join(("*** Begin Patch", *hunk, "*** End Patch")) + "\n"
