"""A session on another host than Claude Code: what a step of a script becomes there. Each host's module has its words.

It stands in for `played.client.Conversation`, for the steps that all these hosts have (`played.hosts.left_out`).
"""

from __future__ import annotations

import json
import subprocess
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from played.client import Call
from played.machine import Json, Machine

from hooks.registry import host_of
from hooks.sessions import MadeUpSession

Done = subprocess.CompletedProcess[bytes]
Own = tuple[str, Any]
"""A call's tool and input in the host's words."""
FAILED = "Exit code 1\nfailed"


class HostSession(ABC):
    """One session. `NAME` is the host's in the registry, `HAS` what else than the common steps it can play.

    `CALL_FIRST`: a call's line is on disk before its hook is run. `SHOWS`: what of the answer to a prompt reaches the
    agent (`context_has`) and the person (`person_has`), the one by the other's means too.
    """

    NAME: ClassVar[str]
    TOOLS: ClassVar[Mapping[str, tuple[str, Mapping[str, str]]]] = {}
    """{Compass's tool: (the host's, {a field: the host's})}."""
    ADDED: ClassVar[Mapping[str, str]] = {}
    """{Compass's tool: a field that the host's model fills in besides}."""
    REASON: ClassVar[str]
    TELLS: ClassVar[tuple[str, str]] = ("", "")
    """Where an answer tells why a call is denied, and, of a prompt, the agent and the person."""
    FILE: ClassVar[type[MadeUpSession]]
    """A session's file."""
    HAS: ClassVar[frozenset[str]] = frozenset()
    CALL_FIRST: ClassVar[bool] = False
    SHOWS: ClassVar[frozenset[str]] = frozenset(("context_has", "person_has"))
    ENV_FILE: ClassVar[str] = ""
    """Of a project: the client sets its variables for a hook."""

    def __init__(self, machine: Machine, name: str, attended: bool) -> None:
        self.machine, self.name, self.attended = machine, name, attended
        self.host = host_of(self.NAME)
        self.session_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.NAME}/{name}"))
        self.home, self.project = Path(machine.place.root) / "home", str(machine.project)
        self.prompts = self.calls = 0
        self.agents: list[str] = []
        self.marks: list[str] = []
        """Of each prompt, how the host's file names it where a rewind goes back to it."""
        self.kept: dict[str, str] = {}
        """What a host has to know of a call or an agent again."""
        self.path = self.home / self.session_file()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = self.opened()

    @abstractmethod
    def session_file(self) -> str:
        """Below the home."""

    @abstractmethod
    def said(self, event: str, **fields: Any) -> Json:
        """A hook's payload, with these fields of the host's own; `event` is Compass's word."""

    @abstractmethod
    def called_with(self, call: Call) -> Json:
        """The fields of a payload that tell a call."""

    @abstractmethod
    def after(self, call: Call, *, worked: bool) -> Json:
        """The payload of a call's end."""

    def before(self, call: Call) -> Json:
        return self.said("pre-tool-use", **self.called_with(call))

    def prompted(self, text: str) -> Json:
        return self.said("user-prompt-submit", prompt=text)

    def own(self, call: Call) -> Own | None:
        """None for a tool that its wiring asks nobody about."""
        if call.tool not in self.TOOLS:
            return None
        name, fields = self.TOOLS[call.tool]
        added = {self.ADDED[call.tool]: "as asked"} if call.tool in self.ADDED else {}
        return name, {fields.get(key, key): value for key, value in call.given.items()} | added

    def reason(self, done: Done) -> str:
        """Of a denial, as the agent is told."""
        return str(answer_of(done)[self.REASON])

    def told(self, answer: Mapping[str, Any]) -> tuple[str, str]:
        """What the answer to a prompt tells (the agent, the person)."""
        agent, person = self.TELLS
        return answer.get(agent, ""), answer.get(person, "")

    def ends_turn(self, done: Done) -> bool:
        return False

    def variables(self) -> Mapping[str, str]:
        """Of the host's own, in a hook's environment."""
        return {}

    def opened(self) -> MadeUpSession:
        return self.FILE(str(self.path), self.session_id)

    def failed_event(self, call: Call) -> str:
        """By which event the host tells that a call failed."""
        return "post-tool-use-failure"

    @property
    def prompt_id(self) -> str:
        return f"{self.session_id}-prompt-{self.prompts}"

    def begins(self, source: str = "startup") -> None:
        self._fire("session-start", self.said("session-start", source=source))

    def ends(self) -> None:
        self._fire("session-end", self.said("session-end", reason="exit"))

    def user(self, text: str, source: str | None = None) -> Done:
        """The hook is run before the prompt's line is on disk."""
        self.prompts += 1
        done = self._fire("user-prompt-submit", self.prompted(text))
        self.file.user(text, self.prompt_id)
        return done

    def agent(self, text: str) -> None:
        self.file.says(text)

    def interrupt(self) -> None:
        """Esc while a command runs: no hook tells of its end, and its line has no result."""
        self.stop(self.call("Bash", {"command": "sleep 60"}, None, ""))

    def rewind(self, turns: int) -> None:
        """Back to before the last prompts. For hosts that have it, as `queued` and `delegate`."""
        raise NotImplementedError

    def queued(self, text: str, *, waits: bool = False) -> Done:
        raise NotImplementedError

    def compact(self, summary: str) -> None:
        raise NotImplementedError

    def delegate(self, agent_id: str, task: str) -> None:
        """A subagent starts."""
        raise NotImplementedError

    def call(self, tool: str, given: Json, agent_id: str | None, task: str) -> Call:
        if agent_id is not None and agent_id not in self.agents:
            self.agents.append(agent_id)
            self.delegate(agent_id, task)
        self.calls += 1
        return Call(tool, given, f"call_{self.calls}_0", agent_id)

    def fire(self, call: Call) -> Done:
        if self.own(call) is None:
            return Done([], 0, b"", b"")
        if self.CALL_FIRST:
            self._called(call)
        return self._hook("pre-tool-use", self.before(call))

    def denied(self, call: Call, reason: str) -> None:
        self._result(call, reason, failed=True)

    def ended(self, call: Call, worked: bool) -> None:
        if self.own(call) is not None:
            event = "post-tool-use" if worked else self.failed_event(call)
            self._fire(event, self.after(call, worked=worked))
        self._result(call, "done" if worked else FAILED, failed=not worked)

    def stop(self, call: Call) -> None:
        if not self.CALL_FIRST:
            self._called(call)

    def _result(self, call: Call, text: str, *, failed: bool) -> None:
        if not self.CALL_FIRST:
            self._called(call)
        if call.agent_id is None:
            self.file.result(call.use_id, text, failed=failed)

    def _called(self, call: Call) -> None:
        """A subagent's lines stand elsewhere."""
        if call.agent_id is not None:
            return
        tool, given = self.own(call) or (call.tool, call.given)
        self.file.calls(tool, given, call.use_id)

    def _fire(self, event: str, payload: Json) -> Done:
        done = self._hook(event, payload)
        assert done.returncode == 0 and b"Traceback" not in done.stdout + done.stderr, done.stderr
        return done

    def _hook(self, event: str, payload: Json) -> Done:
        return self.machine.hook(event, payload, self.variables())


def answer_of(done: Done) -> dict[str, Any]:
    """The object on stdout, empty for none. Raises ValueError for anything else."""
    found: dict[str, Any] = json.loads(done.stdout or b"{}")
    return found
