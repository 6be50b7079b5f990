"""Players of the hosts whose real clients were recorded: Codex, Copilot and Gemini; and those of all hosts by name."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from played.client import Call
from played.machine import Json
from sessions_data.playing.documented_hosts import ASKED_LATER, ChibiSession, CursorSession, OpenCodeSession
from sessions_data.playing.host_session import FAILED, Done, HostSession, Own, answer_of

from hooks import registry
from hooks.sessions import MadeUpSession

AT = "2026-01-01T00:00:00.000Z"
FIRST = 1795336591179
"""Copilot's time of a session's start."""


class CodexFile(MadeUpSession):
    """What the client writes."""

    def __init__(self, path: str, session_id: str) -> None:
        super().__init__(path, session_id)
        self._turn = ""
        meta = {"session_id": session_id, "id": session_id, "cwd": "", "source": "cli"}
        self.put({"timestamp": AT, "type": "session_meta", "payload": meta})

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
        self.put({"timestamp": AT, "type": "response_item", "payload": {**item, **note}})


class CodexSession(HostSession):
    """Codex CLI 0.169: `fixtures/hosts/codex`. Files change by patches.

    A call's own line is on disk before its hook is run. A denial is the code 2 and what stands on stderr.
    """

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
    """Copilot CLI 1.0: `fixtures/hosts/copilot`. No payload names the session's file.

    The client writes it behind; within a model's latency the prompt is there at each call, as it was in 56 of 56.
    """

    NAME = "copilot"
    TOOLS: ClassVar = {
        "Write": ("create", {"file_path": "path", "content": "file_text"}),
        "Edit": ("edit", {"file_path": "path", "old_string": "old_str", "new_string": "new_str"}),
        "Bash": ("bash", {}),
    }
    ADDED: ClassVar = {"Bash": "description"}
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
    """Gemini CLI 0.61: `fixtures/hosts/gemini`. Neither prompts nor calls have ids."""

    NAME = "gemini"
    TOOLS: ClassVar = {
        "Write": ("write_file", {}),
        "Edit": ("replace", {}),
        "Bash": ("run_shell_command", {}),
    }
    ADDED: ClassVar = {"Edit": "instruction", "Bash": "description"}
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


# The players of all hosts but Claude Code, and a call of Bash or Write as a host tells its hook.

SESSIONS: dict[str, type[HostSession]] = {
    kind.NAME: kind
    for kind in (ChibiSession, CodexSession, CopilotSession, CursorSession, GeminiSession, OpenCodeSession)
}
TOLD = {"tool_name": "tool_input", "toolName": "toolArgs", "tool": "args"}
"""Where hosts tell a call's tool, and its input."""


def payload_of(name: str, tool: str, given: dict[str, str], project: str, session: str) -> bytes:
    told = json.loads(registry.host_of(name).setup().trial(project, session))
    known = SESSIONS[name].TOOLS if name in SESSIONS else {}
    own, fields = known.get(tool, (tool, {}))
    said = {fields.get(key, key): value for key, value in given.items()}
    if name == "codex" and tool == "Write":
        added = f"*** Add File: {given['file_path']}\n+{given['content']}\n"
        own, said = "apply_patch", {"command": f"*** Begin Patch\n{added}*** End Patch\n"}
    if name == "chibi":
        call = {"hook": ASKED_LATER[own], "data": {"tool_name": own, **said}}
    else:
        field = next(one for one in TOLD if one in told)
        call = {field: own, TOLD[field]: said}
    return json.dumps(told | call).encode()
