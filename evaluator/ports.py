"""What the pipeline needs from outside, one Protocol each; joined in the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluator.model import Check, Exchange, KeptPrompt, OperationClass, PendingWrite, Sample, Subject


class Clock(Protocol):
    def now(self) -> float:
        """Wall clock, seconds since the epoch. May jump."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...


@dataclass(frozen=True, slots=True)
class ReaderRequest:
    """One request to a hosted reader. `timeout` is in seconds; `user_id` is an opaque digest."""

    system: str
    user: str
    schema: Mapping[str, object]
    max_output_tokens: int
    temperature: float | None
    timeout: float
    user_id: str


@dataclass(frozen=True, slots=True)
class ReaderReply:
    """The raw text that a hosted reader gave, and what it cost in tokens."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class Backend(Protocol):
    """A hosted reader: text in, text out. It neither builds prompts nor judges answers."""

    name: str
    model: str

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """Raises ReaderError for every way in which no answer comes."""
        ...

    async def aclose(self) -> None: ...


class Readers(Protocol):
    """N readers of one subject. `collect` never raises for a reader's failure: that is an invalid sample."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """At most `seconds` of wall time; samples in reader order, failed and cancelled ones included."""
        ...


class TranscriptSource(Protocol):
    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        """Never raises for what the file holds: what cannot be read is an empty part."""
        ...


@dataclass(frozen=True, slots=True)
class TurnKey:
    """(session, agent, ordinal of the last human prompt). `agent` is empty outside of a subagent."""

    session_id: str
    agent_id: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class Cooldown:
    """A judged write that then succeeded. `at` is wall time."""

    directory: str
    stem: str
    operation_class: OperationClass
    at: float


class StateStore(Protocol):
    """Every method is one transaction. Ids from outside are data."""

    def start_session(self, session_id: str, project_dir: str, now: float) -> None: ...

    def end_session(self, session_id: str, now: float) -> None: ...

    def add_prompt(
        self, session_id: str, prompt_id: str | None, text: str, now: float, *, opens_turn: bool
    ) -> int:
        """Append to the session's ordered list; returns the ordinal of the turn that it belongs to."""
        ...

    def prompts(self, session_id: str) -> tuple[KeptPrompt, ...]:
        """In the order they were submitted."""
        ...

    def turn(self, session_id: str, agent_id: str | None) -> TurnKey:
        """The running turn. A subagent keeps the turn in which it first acted."""
        ...

    def take_check(self, turn: TurnKey, limit: int) -> bool:
        """Count one paid check of the turn, unless `limit` were already taken."""
        ...

    def checks_taken(self, turn: TurnKey) -> int:
        """How many paid checks the turn has counted."""
        ...

    def note_judged(
        self,
        tool_use_id: str,
        turn: TurnKey,
        targets: Sequence[str],
        operation_class: OperationClass,
        now: float,
    ) -> None:
        """Remember that this call was let through after being judged, until its result is known."""
        ...

    def settle(self, tool_use_id: str, now: float, *, succeeded: bool) -> None:
        """The call ended: a judged write that succeeded starts its cooldown."""
        ...

    def cooldowns(self, turn: TurnKey, since: float) -> tuple[Cooldown, ...]: ...

    def save_check(self, check: Check, turn: TurnKey | None, *, store_evidence: bool) -> None: ...

    def check(self, check_id: str | None) -> Mapping[str, object] | None:
        """The record with that id, or the newest for None."""
        ...

    def next_sequence(self, session_id: str) -> int:
        """0, 1, 2, ... within a session."""
        ...

    def issue_token(self, now: float, seconds: float) -> str:
        """A fresh one-time token for a nested evaluator process."""
        ...

    def holds_token(self, token: str, now: float) -> bool: ...

    def revoke_token(self, token: str) -> None: ...

    def sweep(self, now: float, retention_days: int) -> None:
        """Delete what is older than the retention."""
        ...


class EventSink(Protocol):
    def emit(self, check: Check, next_sequence: Callable[[], int]) -> None:
        """Append the public event of a check, if it has one; only then is a sequence number drawn."""
        ...
