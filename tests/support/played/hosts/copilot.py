"""Copilot CLI 1.0: payloads and events as recorded in `fixtures/hosts/copilot`. No payload names the session's file.

The client writes it behind; within a model's latency the prompt is there at each call, as it was in 56 of 56.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from played.client import Call
from played.hosts.player import FAILED, Done, HostSession
from played.machine import Json

from hooks.sessions import MadeUpSession

TOOLS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Write": ("create", {"file_path": "path", "content": "file_text"}),
    "Edit": ("edit", {"file_path": "path", "old_string": "old_str", "new_string": "new_str"}),
    "Bash": ("bash", {}),
}
FIRST = 1795336591179


class CopilotFile(MadeUpSession):
    """What the client writes."""

    def user(self, text: str, prompt_id: str) -> None:
        told = {"sessionId": self.session_id, "prompt": text, "timestamp": prompt_id}
        hook = event("hook.start", {"hookType": "userPromptSubmitted", "input": told})
        self.put(hook, event("user.message", {"content": text, "delivery": "idle"}))

    def says(self, text: str, *requests: Json) -> None:
        told = {"content": text, "toolRequests": requests, "apiCallId": f"chat-{uuid.uuid4()}"}
        self.put(event("assistant.message", told))

    def calls(self, tool: str, given: Mapping[str, Any], tool_use_id: str) -> None:
        call = {"toolCallId": tool_use_id, "name": tool, "arguments": given, "type": "function"}
        self.says("", call)

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        told = {"error": {"message": text, "code": "failure"}} if failed else {"result": {"content": text}}
        self.put(event("tool.execution_complete", {"toolCallId": tool_use_id, "success": not failed, **told}))


def event(kind: str, data: Json, agent_id: str = "") -> Json:
    name = {"agentId": agent_id} if agent_id else {}
    return {"type": kind, "data": data, **name, "id": str(uuid.uuid4()), "parentId": None}


class CopilotSession(HostSession):
    NAME = "copilot"
    TOOLS, ADDED = TOOLS, {"Bash": "description"}
    REASON = "permissionDecisionReason"
    TELLS = ("additionalContext", "")
    FILE = CopilotFile
    HAS = frozenset(("edit_text", "resume", "unattended", "rewind", "agents"))

    def session_file(self) -> str:
        return f".copilot/session-state/{self.session_id}/events.jsonl"

    def variables(self) -> Mapping[str, str]:
        names = ("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
        return {**dict.fromkeys(names, self.project), "COPILOT_CLI": "1"}

    @property
    def prompt_id(self) -> str:
        """The time that the prompt's hook was told, which stands in the line of that hook."""
        return str(FIRST + self.prompts)

    def user(self, text: str, source: str | None = None) -> Done:
        lines = len(self._written())
        done = super().user(text, source)
        self.marks.append(self._written()[lines]["id"])
        return done

    def rewind(self, turns: int) -> None:
        self._line("session.snapshot_rewind", {"upToEventId": self.marks[-turns]})
        del self.marks[-turns:]

    def delegate(self, agent_id: str, task: str) -> None:
        """Its hooks bear its own id as the session's."""
        given = {"description": "x", "prompt": task, "agent_type": "general-purpose", "mode": "background"}
        self.file.calls("task", given, f"task_{agent_id}")
        self._line(
            "subagent.started", {"toolCallId": f"task_{agent_id}", "agentType": "general-purpose"}, agent_id
        )
        told = {**self.prompted(task), **self._by(agent_id)}
        self._fire("user-prompt-submit", told)
        self._line("hook.start", {"hookType": "userPromptSubmitted", "input": told}, agent_id)
        said = {"content": task, "source": f"agent-{self.session_id}", "delivery": "idle"}
        self._line("user.message", said, agent_id)

    def after(self, call: Call, *, worked: bool) -> Json:
        """A command that failed has ended well for the host: its last line has the code."""
        told = self.called_with(call)
        if call.tool == "Bash":
            text = f"\n<shellId: 0 completed with exit code {0 if worked else 1}>"
        elif worked:
            text = "File updated with changes."
        else:
            return self.said("post-tool-use", **told, error=FAILED)
        return self.said(
            "post-tool-use", **told, toolResult={"resultType": "success", "textResultForLlm": text}
        )

    def failed_event(self, call: Call) -> str:
        return "post-tool-use" if call.tool == "Bash" else "post-tool-use-failure"

    def called_with(self, call: Call) -> Json:
        tool, given = self.own(call) or (call.tool, call.given)
        return {"toolName": tool, "toolArgs": given, **(self._by(call.agent_id) if call.agent_id else {})}

    def _by(self, agent_id: str) -> Json:
        return {
            "sessionId": agent_id, "agentId": agent_id, "agentType": "general-purpose",
            "parentAgentId": self.session_id,
        }  # fmt: skip

    def _line(self, kind: str, data: Json, agent_id: str = "") -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(event(kind, data, agent_id)) + "\n")

    def _written(self) -> list[Json]:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return [json.loads(line) for line in lines]

    def said(self, event: str, **fields: Any) -> Json:
        at = {"timestamp": FIRST + self.prompts, "cwd": self.project}
        return {"sessionId": self.session_id, **at, **fields}
