"""A program that runs an agent of its own, as a host: what was said it tells itself, and it is answered in JSON.

Not among the hosts of the registry: nothing is wired for it, and it has no settings files of its own.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, cast

from compass.api.records import Heard
from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.record import Record, replace
from evaluator.settings.places import HostFiles, project_dir
from evaluator.shell.hosts import HostPrograms
from hooks.host import Host
from hooks.transcript import CALLS_MAX, Conversation, Said, bounded, message

if TYPE_CHECKING:
    from evaluator.ports import TranscriptSource
    from hooks.host import ExchangeMemory
    from hooks.sessions import Sessions
    from hooks.setup import Setup

NAME = "python"
MESSAGES_MAX = 2000
"""Of a session, the newest: a check looks at the last turns."""
NO_RECORDS = "a program's sessions are its own: nothing of them is wired or recorded as a host's"


class _Begun(Record):
    tool: str
    input: Mapping[str, object]
    agent: str


class Talk:
    """What was said in one session, and what its calls came back with. Safe for threads.

    `agent` is a subagent's id, empty for the agent itself.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: deque[Said] = deque(maxlen=MESSAGES_MAX)
        self._prompts = 0
        self._begun: OrderedDict[str, _Begun] = OrderedDict()
        self._ended: list[tuple[str, Lookup]] = []
        self.tasks: dict[str, str] = {}
        """{agent: what it was told to do}"""

    def add(self, role: Literal["user", "agent"], text: str) -> str:
        """Adds a message to the session's exchange. The id of the user's message; of the agent's none."""
        with self._lock:
            if role == "agent":
                self._said.append(Said("agent", text))
                return ""
            self._prompts += 1
            prompt = message(text, str(self._prompts))
            self._said.append(Said("user", text, prompt_id=prompt.prompt_id))
            if not prompt.inherits:
                self._turn("")
            return str(self._prompts)

    def told(self, agent: str, task: str) -> None:
        """Notes the task that a subagent got."""
        with self._lock:
            self.tasks[agent] = task
            self._turn(agent)

    def begun(self, call_id: str, tool: str, given: Mapping[str, object], agent: str) -> None:
        """Notes that a call runs, so that its end can be told."""
        with self._lock:
            self._begun[call_id] = _Begun(tool, given, agent)
            if len(self._begun) > CALLS_MAX:
                self._begun.popitem(last=False)

    def ended(self, call_id: str, output: str, *, failed: bool) -> None:
        """Notes the end of a call. Nothing of a call that did not run here."""
        with self._lock:
            call = self._begun.pop(call_id, None)
            if call is None:
                return
            self._ended.append((call.agent, Lookup(call.tool, call.input, bounded(output), failed)))
            of_agent = [place for place, (agent, _) in enumerate(self._ended) if agent == call.agent]
            if len(of_agent) > CALLS_MAX:
                del self._ended[of_agent[0]]

    @property
    def prompt_id(self) -> str:
        with self._lock:
            return str(self._prompts) if self._prompts else ""

    def newest_first(self) -> Iterator[Said]:
        with self._lock:
            return iter([*self._said][::-1])

    def lookups(self, agent: str) -> tuple[Lookup, ...]:
        """What an agent's calls of its turn came back with, the newest first."""
        with self._lock:
            return tuple(call for of, call in reversed(self._ended) if of == agent)

    def _turn(self, agent: str) -> None:
        """Another turn of that agent begins: what it read before is no finding of this one."""
        self._ended = [one for one in self._ended if one[0] != agent]
        for call_id in [call_id for call_id, call in self._begun.items() if call.agent == agent]:
            del self._begun[call_id]


class Talks(Conversation):
    """The sessions of one gate, by id."""

    def __init__(self) -> None:
        super().__init__(lambda pending: self.of(pending.session_id).newest_first())
        self._talks: dict[str, Talk] = {}

    def of(self, session: str) -> Talk:
        return self._talks.setdefault(session, Talk())

    def drop(self, session: str) -> None:
        self._talks.pop(session, None)

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        found = super().exchange(pending, kept)
        task = self.of(pending.session_id).tasks.get(pending.agent_id or "", "")
        return replace(found, delegated_task=task) if task else found

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return self.of(pending.session_id).lookups(pending.agent_id or "")


class ProgramHost(Host):
    """The host of one gate. `attended`: a person is there to answer."""

    NAME: str = NAME
    TITLE: str = "Python"
    EVENTS: Mapping[str, str] = {
        "session-start": "session",
        "user-prompt-submit": "user",
        "pre-tool-use": "before",
        "post-tool-use": "after",
        "post-tool-use-failure": "after",
        "session-end": "end",
    }
    NEVER_WRITES: frozenset[str] = frozenset()
    LEFT_ALONE: frozenset[str] = frozenset()
    FILES: HostFiles = HostFiles(user=(), project=(), env_blocks=False)
    PROJECT_VARIABLE: str = ""
    STOPS_PROMPTS: bool = True
    PREFIXES: tuple[str, ...] = ()

    def __init__(self, project: str, *, attended: bool = True) -> None:
        self._project = project
        self._attended = attended
        self.talks = Talks()

    def parse(self, raw: bytes) -> Mapping[str, object]:
        return cast(Mapping[str, object], json.loads(raw))

    def session_of(self, payload: Mapping[str, object]) -> str:
        session = text_of(payload, "session_id")
        if not session:
            raise PayloadError("a session needs an id: a non-empty string")
        return session

    def pending_write(self, payload: Mapping[str, object], env: Mapping[str, str]) -> PendingWrite:
        name, given = text_of(payload, "tool_name"), payload.get("tool_input")
        if not name:
            raise PayloadError("a call needs the name of its tool")
        if not isinstance(given, Mapping):
            raise PayloadError("a call's input has to be a mapping")
        return PendingWrite(
            host=NAME,
            session_id=self.session_of(payload),
            tool_name=name,
            tool_input=cast(Mapping[str, object], given),
            cwd=text_of(payload, "cwd") or self._project,
            project_dir=self._project,
            prompt_id=text_of(payload, "prompt_id") or None,
            tool_use_id=text_of(payload, "tool_use_id") or None,
            agent_id=text_of(payload, "agent_id") or None,
        )

    def project_of(self, env: Mapping[str, str], cwd: str) -> str:
        return project_dir(self._project, cwd)

    def attended(self, env: Mapping[str, str]) -> bool:
        return self._attended

    def is_machine_text(self, text: str) -> bool:
        """The program vouches for its user."""
        return False

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        return self.talks

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        return _packed(message, reason)

    def tell(self, message: str) -> bytes:
        return _packed(message)

    def inform(self, event: str, agent: str, person: str) -> bytes:
        return _packed(person, agent)

    def stop_prompt(self, message: str) -> bytes:
        return _packed(message)

    def programs(self) -> HostPrograms:
        return HostPrograms(names=(), rows=dict)

    def sessions(self) -> Sessions:
        raise LookupError(NO_RECORDS)

    def setup(self) -> Setup:
        raise LookupError(NO_RECORDS)


def _packed(person: str, agent: str = "") -> bytes:
    return json.dumps([person, agent]).encode()


def heard(answer: bytes, *, control: bool = False) -> Heard:
    """What the gate answered to an event of a program's session."""
    person, agent = cast(list[str], json.loads(answer)) if answer else ("", "")
    return Heard(person, agent, stops=control and not agent)
