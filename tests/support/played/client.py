"""Plays the client's part in a session: its hook payloads, and its transcript in the recorded line format."""

from __future__ import annotations

import json
import subprocess
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from played.machine import Json, Machine
from samples.sessions import Session

FAILED = "Exit code 1\nfailed"
INTERRUPTED = "[Request interrupted by user for tool use]"
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
BY_USER = {"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected"}


@dataclass
class Call:
    """A tool call on its way: fired, and later ended."""

    tool: str
    given: Json
    use_id: str
    agent_id: str | None


@dataclass
class Conversation:
    """One session with its transcript and its running prompt; `attended` is False for `claude -p`."""

    machine: Machine
    name: str
    attended: bool
    session: Session = field(default_factory=Session)
    agents: dict[str, tuple[Session, str | None]] = field(default_factory=dict[str, Any])
    tips: list[str | None] = field(default_factory=list[Any])
    prompt_count: int = 0
    call_count: int = 0

    def __post_init__(self) -> None:
        self.session_id = str(uuid.uuid5(uuid.NAMESPACE_URL, self.name))
        folder = "-" + str(self.machine.project).strip("/").replace("/", "-")
        home = Path(self.machine.place.root) / "home"
        self.path = home / ".claude" / "projects" / folder / f"{self.session_id}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def begins(self, source: str = "startup") -> None:
        self._fire("session-start", "SessionStart", source=source)

    def ends(self) -> None:
        self._fire("session-end", "SessionEnd", reason="other")

    def user(self, text: str, source: str | None = None) -> str:
        """A prompt of the person, or of the program that drives the session; what the hook printed."""
        return self._prompt(text, text, source)

    def slash(self, text: str, expands_to: str) -> str:
        """A custom command as typed: its wrapper, then what it expands to."""
        name, _, rest = text.removeprefix("/").partition(" ")
        wrapper = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"
        if rest:
            wrapper += f"\n<command-args>{rest}</command-args>"
        printed = self._prompt(text, wrapper, None)
        self.session.user([{"type": "text", "text": expands_to}], isMeta=True)
        self._save()
        return printed

    def builtin(self, text: str, output: str) -> None:
        """A command of the client itself. No hook fires."""
        self.session.prompt_id = self._new_prompt_id()
        self.session.user("<local-command-caveat>...</local-command-caveat>", isMeta=True)
        self.session.user(f"<command-name>{text}</command-name>\n<command-args></command-args>")
        self.session.user(f"<local-command-stdout>{output}</local-command-stdout>")
        self._save()

    def queued(self, text: str, *, waits: bool = False) -> str:
        """Typed while the agent works: its own UserPromptSubmit with the running prompt's id.

        One that is stopped, or that `waits` since no tool runs any more, opens a turn after the running one, under a
        new id that no hook is told.
        """
        done = self._fire("user-prompt-submit", "UserPromptSubmit", prompt=text)
        answer: Json = json.loads(done.stdout or b"{}")
        printed = done.stdout.decode()
        self.session.apart(type="queue-operation", operation="enqueue", content=text)
        if waits or answer.get("continue") is False:
            self.session.apart(type="queue-operation", operation="dequeue")
            self.session.says("That is all.")
            self.session.prompt(text, self._new_prompt_id(), promptSource="queued")
            self._stopped(answer)
            self._save()
            return printed
        self.session.apart(
            type="queue-operation", operation="remove", content=text, reason="absorbed_mid_turn"
        )
        self.session.queued(text)
        self._save()
        return printed

    def _stopped(self, answer: Json) -> None:
        """What the client writes where a hook let a prompt go to no model."""
        if answer.get("continue") is False:
            said = f"Operation stopped by hook: {answer['stopReason']}"
            self.session.user(said, isMeta=True)
            self.session.line("system", subtype="informational", content=said, isMeta=False)

    def machine_says(self, text: str) -> None:
        self.session.prompt_id = self._new_prompt_id()
        self._fire("user-prompt-submit", "UserPromptSubmit", prompt=text)
        marks = {"origin": {"kind": "task-notification"}, "promptSource": "system", "turnOrigin": "system"}
        self.session.user(text, **marks)
        self._save()

    def agent(self, text: str) -> None:
        self.session.says(text)
        self._save()

    def asks(self, question: str, options: list[str], answer: str) -> None:
        """AskUserQuestion, answered. It is not gated, so PreToolUse does not fire for it."""
        labelled = [{"label": option, "description": ""} for option in options]
        asked = [{"question": question, "header": "Choice", "options": labelled, "multiSelect": False}]
        answered = {"questions": asked, "answers": {question: answer}, "annotations": {}}
        call = self._call("AskUserQuestion", {"questions": asked}, None)
        self._fire_after(call, {**call.given, **answered}, answered)
        self.session.calls(call.tool, call.given, call.use_id)
        text = f'Your questions have been answered: "{question}"="{answer}".'
        self.session.result(text, call.use_id, toolUseResult=answered)
        self._save()

    def plans(self, plan: str, approved: bool) -> None:
        """ExitPlanMode. A rejected plan fires no hook, as an interruption does not."""
        call = self._call("ExitPlanMode", {"plan": plan}, None)
        self.session.calls(call.tool, call.given, call.use_id)
        if approved:
            result = {"plan": plan, "isAgent": False}
            self._fire_after(call, call.given, result)
            said = f"User has approved your plan. You can now start coding.\n\n## Approved Plan:\n{plan}"
            self.session.result(said, call.use_id, toolUseResult=result)
        else:
            self.session.result(REJECTED, call.use_id, is_error=True, **BY_USER)
        self._save()

    def interrupt(self) -> None:
        """Esc while a tool runs."""
        self.stop(self._call("Bash", {"command": "sleep 60"}, None))

    def compact(self, summary: str) -> None:
        self.session.line(
            "system", parent=None, logicalParentUuid=self.session.tip, subtype="compact_boundary"
        )
        self.session.prompt_id = self._new_prompt_id()
        intro = "This session is being continued from a previous conversation that ran out of context."
        self.session.user(f"{intro}\n\nSummary:\n{summary}", isCompactSummary=True)
        self.session.user("<local-command-caveat>...</local-command-caveat>", isMeta=True)
        self.session.user("<command-name>/compact</command-name>\n<command-args></command-args>")
        self.session.user("<local-command-stdout>Compacted</local-command-stdout>")
        self._save()
        self.begins("compact")

    def rewind(self, turns: int) -> None:
        """Back to before the last `turns` prompts; what is abandoned stays in the file."""
        self.session.tip = self.tips[-turns]
        del self.tips[-turns:]

    def call(self, tool: str, given: Json, agent_id: str | None, task: str) -> Call:
        """A call that is about to be gated: a subagent that is new is started first."""
        if agent_id is not None and agent_id not in self.agents:
            self._delegate(agent_id, task)
        return self._call(tool, given, agent_id)

    def fire(self, call: Call) -> subprocess.CompletedProcess[bytes]:
        """PreToolUse. The call's own line is not on disk yet."""
        return self.machine.hook("pre-tool-use", self._tool_payload("PreToolUse", call))

    def denied(self, call: Call, reason: str) -> None:
        said = f"PreToolUse:{call.tool} hook error: {reason}"
        self._write(
            call, said, is_error=True, toolUseResult=f"Error: {said}", toolDenialKind="permission-rule"
        )

    def ended(self, call: Call, worked: bool) -> None:
        """The call ran: its lines, and PostToolUse or PostToolUseFailure before them."""
        if worked:
            self._fire_after(call, call.given, _response(call))
            self._write(call, "done", toolUseResult=_response(call))
        else:
            fault = {"error": FAILED, "is_interrupt": False, "duration_ms": 3}
            payload = {**self._tool_payload("PostToolUseFailure", call), **fault}
            self._sound(self.machine.hook("post-tool-use-failure", payload))
            self._write(call, FAILED, is_error=True, toolUseResult=f"Error: {FAILED}")

    def stop(self, call: Call) -> None:
        """The call never came to its end: the person pressed Esc in it. No hook fires."""
        self._write(call, REJECTED, is_error=True, **BY_USER)
        self.session.user([{"type": "text", "text": INTERRUPTED}])
        self._save()

    def _prompt(self, submitted: str, written: str, source: str | None) -> str:
        if self.session.tip is not None:
            self.session.line("system", subtype="turn_duration", durationMs=5, isMeta=False)
        prompt_id = self.session.prompt_id = self._new_prompt_id()
        done = self._fire("user-prompt-submit", "UserPromptSubmit", prompt=submitted)
        self.tips.append(self.session.tip)
        if source == "sdk" or (source is None and not self.attended):
            marks = {"promptId": prompt_id, "promptSource": "sdk", "turnOrigin": "sdk"}
            self.session.user(written, **marks)
        else:
            self.session.prompt(written, prompt_id)
        self._stopped(json.loads(done.stdout or b"{}"))
        self._save()
        return done.stdout.decode()

    def _delegate(self, agent_id: str, task: str) -> None:
        given = {"description": task[:30], "prompt": task, "subagent_type": "general-purpose"}
        call = self._call("Agent", given, None)
        self.session.calls("Agent", given, call.use_id)
        launched = {"isAsync": True, "status": "async_launched", "agentId": agent_id, "prompt": task}
        said = f"Async agent launched successfully.\nagentId: {agent_id}"
        self.session.result([{"type": "text", "text": said}], call.use_id, toolUseResult=launched)
        own = Session()
        own.prompt_id = self.session.prompt_id
        own.tip = None
        self.agents[agent_id] = (own, self.session.prompt_id)
        own.tip = own.user(task, isSidechain=True, agentId=agent_id)
        self._save()

    def _call(self, tool: str, given: Json, agent_id: str | None) -> Call:
        self.call_count += 1
        return Call(tool, given, f"toolu_{self.name[:12]}_{self.call_count:04d}", agent_id)

    def _write(self, call: Call, said: object, **fields: Any) -> None:
        if call.agent_id is None:
            self.session.calls(call.tool, call.given, call.use_id)
            self.session.result(said, call.use_id, **fields)
        else:
            own, _ = self.agents[call.agent_id]
            side: Json = {"isSidechain": True, "agentId": call.agent_id}
            own.tip = own.calls(call.tool, call.given, call.use_id, **side)
            own.tip = own.result(said, call.use_id, **side, **fields)
        self._save()

    def _fire(self, event: str, named: str, **fields: Any) -> subprocess.CompletedProcess[bytes]:
        return self._sound(self.machine.hook(event, {**self._payload(named), **fields}))

    def _fire_after(self, call: Call, given: Json, response: Json) -> None:
        payload = {**self._tool_payload("PostToolUse", call), "tool_input": given}
        payload |= {"tool_response": response, "duration_ms": 3}
        self._sound(self.machine.hook("post-tool-use", payload))

    def _sound(self, done: subprocess.CompletedProcess[bytes]) -> subprocess.CompletedProcess[bytes]:
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stdout + done.stderr, done.stderr
        return done

    def _payload(self, named: str) -> Json:
        payload: Json = {
            "session_id": self.session_id,
            "transcript_path": str(self.path),
            "cwd": str(self.machine.project),
            "hook_event_name": named,
        }
        if self.session.prompt_id is not None:
            payload["prompt_id"] = self.session.prompt_id
        return payload

    def _tool_payload(self, named: str, call: Call) -> Json:
        payload = {**self._payload(named), "permission_mode": "default", "effort": {"level": "medium"}}
        if call.agent_id is not None:
            _, prompt_id = self.agents[call.agent_id]
            payload |= {"agent_id": call.agent_id, "agent_type": "general-purpose", "prompt_id": prompt_id}
        return payload | {"tool_name": call.tool, "tool_input": call.given, "tool_use_id": call.use_id}

    def _new_prompt_id(self) -> str:
        self.prompt_count += 1
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.name}/{self.prompt_count}"))

    def _save(self) -> None:
        self.session.write(self.path)
        for agent_id, (own, _) in self.agents.items():
            folder = self.path.with_suffix("") / "subagents"
            folder.mkdir(parents=True, exist_ok=True)
            own.write(folder / f"agent-{agent_id}.jsonl")


def _response(call: Call) -> Json:
    if call.tool == "Bash":
        return {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    path = call.given.get("file_path") or call.given.get("notebook_path")
    return {"filePath": path, "structuredPatch": [], "originalFile": None, "userModified": False}
