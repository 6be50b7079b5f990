"""A program that runs an agent of its own, as a host: what was said it tells itself, and it is answered in records.

Not among the hosts of the registry: nothing is wired for it, and it has no settings files of its own."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.model import PendingWrite
from evaluator.settings.places import HostFiles, project_dir
from evaluator.verdict.readings import reading_choices
from hooks.host import Host
from hooks.transcript import Conversation, Said

if TYPE_CHECKING:
    from evaluator.model import Check, Concern, Reason, VerdictName
    from evaluator.ports import TranscriptSource
    from hooks.host import ExchangeMemory
    from hooks.sessions import Sessions
    from hooks.setup import Setup


NAME = "python"
MESSAGES_MAX = 2000
"""Of a session, the newest: a check looks at the last turns."""
NO_RECORDS = "a program's sessions are its own: they are not wired or recorded the way a host's are"


class Talk:
    """What was said in one session. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: deque[Said] = deque(maxlen=MESSAGES_MAX)
        self._prompts = 0

    def add(self, role: Literal["user", "agent"], text: str) -> None:
        with self._lock:
            if role == "user":
                self._prompts += 1
            self._said.append(Said(role, text, prompt_id=str(self._prompts) if role == "user" else None))

    @property
    def prompt_id(self) -> str:
        """The id of the user's last message; empty before the first."""
        with self._lock:
            return str(self._prompts) if self._prompts else ""

    def newest_first(self) -> Iterator[Said]:
        with self._lock:
            return iter([*self._said][::-1])


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
    told: Mapping[str, Any] = {}
    """It has no table."""

    def __init__(self, project: str, *, attended: bool = True) -> None:
        self._project = project
        self._attended = attended
        self._talks: dict[str, Talk] = {}

    def talk(self, session: str) -> Talk:
        return self._talks.setdefault(session, Talk())

    def drop(self, session: str) -> None:
        self._talks.pop(session, None)

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
            raise PayloadError("a call's input must be a mapping")
        return PendingWrite(
            host=NAME,
            session_id=self.session_of(payload),
            tool_name=name,
            tool_input=cast(Mapping[str, object], given),
            cwd=text_of(payload, "cwd") or self._project,
            project_dir=self._project,
            prompt_id=text_of(payload, "prompt_id") or None,
            tool_use_id=text_of(payload, "tool_use_id") or None,
        )

    def project_of(self, env: Mapping[str, str], cwd: str) -> str:
        return project_dir(self._project, cwd)

    def attended(self, env: Mapping[str, str]) -> bool:
        return self._attended

    def is_machine_text(self, text: str) -> bool:
        """The program vouches for its user."""
        return False

    def transcripts(self, memory: ExchangeMemory | None) -> TranscriptSource:
        return Conversation(lambda pending: self.talk(pending.session_id).newest_first())

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        return _pack_host_answer(message, reason)

    def tell(self, message: str) -> bytes:
        return _pack_host_answer(message)

    def inform(self, event: str, agent: str, person: str) -> bytes:
        return _pack_host_answer(person, agent)

    def stop_prompt(self, message: str) -> bytes:
        return _pack_host_answer(message)

    def sessions(self) -> Sessions:
        raise LookupError(NO_RECORDS)

    def setup(self) -> Setup:
        raise LookupError(NO_RECORDS)


def _pack_host_answer(person: str, agent: str = "") -> bytes:
    return json.dumps([person, agent]).encode()


def heard(answer: bytes, *, control: bool = False) -> Heard:
    """What the gate answered to an event of a program's session."""
    person, agent = cast(list[str], json.loads(answer)) if answer else ("", "")
    return Heard(person, agent, stops=control and not agent)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one pending call was judged. Figures are None where no reader was asked.

    Act on `allowed`: where the gate only observes, even a call that failed its check may run. `question` is for the
    person, and numbered if the request was read in several ways; it is empty if there is nothing to say, for instance
    when a call that they were asked about is tried again. `agent_message` tells the agent why the call does not run.
    `ends_turn` means that the agent has tried so often that its turn should end. `confidence` is the mean and
    `deviation` the population standard deviation of the readers' scores, in [0, 1]; `agreement` is the probability
    that two of them understood the same. `cost_usd` is None if no price is known. `readings` are what the request was
    understood to mean, in words for people, at most three.
    """

    verdict: VerdictName
    reason: Reason
    allowed: bool
    question: str = ""
    agent_message: str = ""
    readings: tuple[str, ...] = ()
    confidence: float | None = None
    deviation: float | None = None
    agreement: float | None = None
    concern: Concern | None = None
    rationale: str | None = None
    backend: str | None = None
    model: str | None = None
    cost_usd: float | None = None
    ends_turn: bool = False
    check_id: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a message, or of the end of a call. `message` is for the person, `agent_message` for the agent, to
    be added to what the user wrote; most are empty. `stops` means that the message was only for Compass, and that no
    model should see it."""

    message: str = ""
    agent_message: str = ""
    stops: bool = False


def verdict_of(check: Check, told: str) -> Verdict:
    """A check as a program is told of it. `told` is what the person is shown."""
    found, said = check.convergence, check.exchange
    costs = [one.cost_usd for one in check.samples if one.cost_usd is not None]
    readings = reading_choices(check.samples, check.pending.project_dir, said) if said else ()
    return Verdict(
        verdict=check.verdict,
        reason=check.reason,
        allowed=check.decision != "deny",
        question=told,
        agent_message=check.detail if check.decision == "deny" else "",
        readings=tuple(one.text for one in readings),
        confidence=found.mean if found else None,
        deviation=found.stddev if found else None,
        agreement=found.agreement if found else None,
        concern=found.primary_concern if found else None,
        rationale=found.rationale if found else None,
        backend=check.backend,
        model=check.model or None,
        cost_usd=sum(costs) if costs else None,
        ends_turn=check.ends_turn,
        check_id=check.check_id,
    )
