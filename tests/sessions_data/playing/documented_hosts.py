"""Players of hosts by their documents, or by what our plugin passes on: chibi, Cursor and OpenCode."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from played.client import Call
from played.machine import Json
from sessions_data.playing.host_session import FAILED, Done, HostSession, answer_of

from hooks.sessions import MadeUpSession

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
    """chibi, as our plugin wraps its payloads: `fixtures/hosts/chibi`. A session is a process of it."""

    NAME = "chibi"
    TOOLS: ClassVar = {
        "Write": ("write_file", {"file_path": "path"}),
        "Edit": ("file_edit", {"file_path": "path", "old_string": "find", "new_string": "replace"}),
        "Bash": ("shell_exec", {}),
    }
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
    """Cursor, as others recorded it too: `fixtures/hosts/cursor`. No payload names the session's file."""

    NAME = "cursor"
    TOOLS: ClassVar = {
        "Write": ("Write", {}),
        "Edit": ("StrReplace", {"file_path": "path"}),
        "Bash": ("Shell", {}),
        "NotebookEdit": ("EditNotebook", {"notebook_path": "target_notebook"}),
        "Read": ("Read", {"file_path": "path"}),
        "WebFetch": ("WebFetch", {}),
    }
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


class Messages:
    """What the client would tell of the session. Satisfies `hooks.sessions.MadeUpSession`."""

    def __init__(self) -> None:
        self.listed: list[Json] = []

    def user(self, text: str, prompt_id: str) -> None:
        # The client completes no message of a person's.
        self._add("user", text, prompt_id, running=True)

    def says(self, text: str) -> None:
        self._add("assistant", text, f"msg_{len(self.listed)}", running=False)

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        self._add("assistant", "", tool_use_id, running=True)

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        next(one for one in self.listed if one["id"] == tool_use_id)["running"] = False

    def _add(self, role: str, text: str, name: str, *, running: bool) -> None:
        self.listed.append({"id": name, "role": role, "text": text, "summary": False, "running": running})


class OpenCodeSession(HostSession):
    """OpenCode 1.18: `fixtures/hosts/opencode`. A call brings what was said, not a file."""

    NAME = "opencode"
    TOOLS: ClassVar = {
        "Write": ("write", {"file_path": "filePath"}),
        "Edit": ("edit", {"file_path": "filePath", "old_string": "oldString", "new_string": "newString"}),
        "Bash": ("bash", {}),
    }
    ADDED: ClassVar = {"Bash": "description"}
    REASON = "deny"
    TELLS = ("agent", "say")
    HAS = frozenset(
        ("edit_text", "resume", "unattended", "ends_turn", "queued", "agents", "compact", "slash")
    )
    CALL_FIRST = True

    def session_file(self) -> str:
        return ".local/share/opencode/opencode.db"

    def opened(self) -> Messages:
        self._waiting: list[tuple[str, str]] = []
        return Messages()

    def queued(self, text: str, *, waits: bool = False) -> Done:
        """It stands behind the message that makes the next call, or opens the next turn."""
        self.prompts += 1
        done = self._fire("user-prompt-submit", self.prompted(text))
        self._waiting.append((text, self.prompt_id))
        if waits:
            self._heard()
        return done

    def slash(self, text: str, expands_to: str) -> Done:
        """The plugin puts what was typed before what the client makes of it."""
        return self.user(f"{text}\n\n{expands_to}")

    def builtin(self, text: str, output: str) -> None:
        """Nothing is said, and no hook is told."""

    def compact(self, summary: str) -> None:
        """All that was said before stays listed, and no hook tells of it."""
        self.file.says(summary)
        self.file.listed[-1]["summary"] = True

    def delegate(self, agent_id: str, task: str) -> None:
        """The message that starts it runs on, and its own are in another session, of which only the task is told."""
        self.file.calls("task", {}, f"task_{agent_id}")
        self.kept[agent_id] = task

    def prompted(self, text: str) -> Json:
        return self.said("user-prompt-submit", prompt=text, id=self.prompt_id)

    def before(self, call: Call) -> Json:
        self._heard()
        return {**super().before(call), "said": [dict(one) for one in self.file.listed]}

    def after(self, call: Call, *, worked: bool) -> Json:
        return self.said("post-tool-use", **self.called_with(call))

    def called_with(self, call: Call) -> Json:
        tool, args = self.own(call) or (call.tool, call.given)
        caller = {"agent": call.agent_id, "task": self.kept[call.agent_id]} if call.agent_id else {}
        return {"tool": tool, "args": args, "call": call.use_id, **caller}

    def ends_turn(self, done: Done) -> bool:
        return answer_of(done).get("stop") is True

    def _heard(self) -> None:
        while self._waiting:
            self.file.user(*self._waiting.pop(0))

    def said(self, event: str, **fields: Any) -> Json:
        return {"session": f"ses_{self.session_id}", "project": self.project, **fields}
