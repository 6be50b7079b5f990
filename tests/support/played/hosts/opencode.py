"""OpenCode 1.18 by what our plugin passes on: `fixtures/hosts/opencode`. A call brings what was said, not a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from played.client import Call
from played.hosts.player import Done, HostSession, answer_of
from played.machine import Json

TOOLS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Write": ("write", {"file_path": "filePath"}),
    "Edit": ("edit", {"file_path": "filePath", "old_string": "oldString", "new_string": "newString"}),
    "Bash": ("bash", {}),
}


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
    NAME = "opencode"
    TOOLS, ADDED = TOOLS, {"Bash": "description"}
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
