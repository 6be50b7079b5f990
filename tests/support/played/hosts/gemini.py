"""Gemini CLI 0.61: payloads and chat file as recorded in `fixtures/hosts/gemini`, without ids of prompts or calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from played.client import Call
from played.hosts.player import FAILED, Done, HostSession, answer_of
from played.machine import Json

from hooks.sessions import MadeUpSession

TOOLS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Write": ("write_file", {}),
    "Edit": ("replace", {}),
    "Bash": ("run_shell_command", {}),
}

AT = "2026-01-01T00:00:00.000Z"


class GeminiFile(MadeUpSession):
    """What the client writes. The call itself stands in its message once it has ended."""

    def __init__(self, path: str, session_id: str) -> None:
        super().__init__(path, session_id)
        about = {"startTime": AT, "lastUpdated": AT, "kind": "main"}
        self.put({"sessionId": session_id, "projectHash": "0", **about})
        self._count = 0
        self._calls: dict[str, tuple[str, Json]] = {}

    def user(self, text: str, prompt_id: str) -> None:
        self.put({"id": self._next(), "timestamp": AT, "type": "user", "content": [{"text": text}]})

    def says(self, text: str) -> None:
        self.put(self._message(self._next(), text))

    def calls(self, tool: str, given: Mapping[str, Any], tool_use_id: str) -> None:
        name = self._next()
        self._calls[tool_use_id] = name, {"id": tool_use_id, "name": tool, "args": given, "timestamp": AT}
        self.put(self._message(name, ""))

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        name, call = self._calls.pop(tool_use_id)
        response = {"error" if failed else "output": text}
        parts = [{"functionResponse": {"id": tool_use_id, "name": call["name"], "response": response}}]
        ended = {**call, "status": "error" if failed else "success", "result": parts}
        answer = {"id": self._next(), "timestamp": AT, "type": "user", "content": parts}
        self.put({**self._message(name, ""), "toolCalls": [ended]}, answer)

    def _message(self, name: str, text: str) -> Json:
        return {"id": name, "timestamp": AT, "type": "gemini", "content": text}

    def _next(self) -> str:
        self._count += 1
        return f"message-{self._count}"


class GeminiSession(HostSession):
    NAME = "gemini"
    TOOLS, ADDED = TOOLS, {"Edit": "instruction", "Bash": "description"}
    REASON = "reason"
    FILE = GeminiFile
    HAS = frozenset(("edit_text", "resume", "unattended", "ends_turn", "rewind", "env_block"))
    ENV_FILE = ".env"

    def session_file(self) -> str:
        return f".gemini/tmp/project/chats/session-2026-11-22T08-39-{self.session_id[:8]}.jsonl"

    def variables(self) -> Mapping[str, str]:
        names = ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR")
        return {**dict.fromkeys(names, self.project), "GEMINI_SESSION_ID": self.session_id}

    def user(self, text: str, source: str | None = None) -> Done:
        done = super().user(text, source)
        self.marks.append(json.loads(self.path.read_text(encoding="utf-8").splitlines()[-1])["id"])
        return done

    def rewind(self, turns: int) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"$rewindTo": self.marks[-turns]}) + "\n")
        del self.marks[-turns:]

    def after(self, call: Call, *, worked: bool) -> Json:
        """A command that failed has no error: its output ends with the code."""
        response: Json = {"llmContent": "Successfully modified file.", "returnDisplay": ""}
        if call.tool == "Bash":
            code = "" if worked else "\nExit Code: 1"
            output = f"Output: (empty){code}\nProcess Group PGID: 13578"
            response["llmContent"] = f"<untrusted_context>\n{output}\n</untrusted_context>"
        elif not worked:
            response = {"llmContent": FAILED, "returnDisplay": "", "error": {"message": FAILED}}
        return self.said("post-tool-use", **self.called_with(call), tool_response=response)

    def failed_event(self, call: Call) -> str:
        return "post-tool-use"

    def ends_turn(self, done: Done) -> bool:
        return answer_of(done).get("continue") is False

    def told(self, answer: Mapping[str, Any]) -> tuple[str, str]:
        agent = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return agent, answer.get("stopReason") or answer.get("systemMessage", "")

    def called_with(self, call: Call) -> Json:
        tool, given = self.own(call) or (call.tool, call.given)
        return {"tool_name": tool, "tool_input": given}

    def said(self, event: str, **fields: Any) -> Json:
        return {
            "session_id": self.session_id, "transcript_path": str(self.path), "cwd": self.project,
            "hook_event_name": self.host.EVENTS[event], "timestamp": "2026-11-22T08:39:44.436Z", **fields,
        }  # fmt: skip
