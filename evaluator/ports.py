"""What the pipeline needs from outside, one Protocol each; joined in the composition root."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from evaluator.breaker.state import Admission, BreakerRules, BreakerState, EvaluationOutcome, Transition
from evaluator.errors import ReaderError
from evaluator.intervention.held import Intervention
from evaluator.model import (
    Check,
    Convergence,
    Decision,
    Effect,
    Exchange,
    KeptPrompt,
    Lookup,
    OperationClass,
    PendingWrite,
    Reason,
    Sample,
    Subject,
    Thresholds,
    VerdictName,
)
from evaluator.record import Record, replace
from evaluator.trigger.cooldown import Cooldown

if TYPE_CHECKING:
    from concurrent.futures import Future

    from evaluator.breaker.outages import Outage, ReadersBack
    from evaluator.precedents.precedent import Precedent

T = TypeVar("T")


class Clock(Protocol):
    def now(self) -> float:
        """Wall clock, seconds since the epoch. May jump."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...

    def sleep(self, seconds: float) -> None: ...


class ReaderRequest(Record):
    """One request to a hosted reader. `timeout` is in seconds; `user_id` is an opaque digest."""

    system: str
    user: str
    schema: Mapping[str, object]
    max_output_tokens: int
    temperature: float | None
    timeout: float
    user_id: str


class ReaderReply(Record):
    """The raw text that a hosted reader gave, and what it cost in tokens.

    `keeps_schema` False: a server of the user's own was seen to answer without minding the schema.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    keeps_schema: bool = True


class UnusableReplyError(ReaderError):
    """An answer came and was paid for, but holds nothing to judge by. `reply` has its tokens and cost."""

    def __init__(self, detail: str, reply: ReaderReply) -> None:
        self.reply = reply
        super().__init__("invalid", detail)


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


Sent = dict[str, float]
"""{reader that was asked: US dollars that its answers cost so far}; written to from the thread that asks."""


@runtime_checkable
class CountedReaders(Readers, Protocol):
    """Readers who can tell what was sent, though nobody waits for their samples any more."""

    def telling(self, sent: Sent) -> Readers:
        """The same readers, for one subject. They note in `sent` what the caller has to pay for."""
        ...


@runtime_checkable
class LeavableReaders(Readers, Protocol):
    """Readers whose caller can give up on them from another thread."""

    def collect_until(self, gone: Future[None], subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """As `collect`. Raises AbandonedError once `gone` is done; what was asked for this caller alone ends."""
        ...


class Voice(Record):
    """A human message that stands in the transcript. `typed`: the client says that a person typed it.

    `prompt_id` is None where the file does not tell the id that the prompt was submitted with. `after` is the
    assistant's last message before it, empty where it said nothing since the message before. `during` are the ids of
    the prompts in whose turns one without an id of its own may have been typed; none where that is not known.
    """

    text: str
    prompt_id: str | None
    typed: bool
    after: str = ""
    during: tuple[str, ...] = ()


class Written(Record):
    """A file that the turn wrote; `created` if the turn made it, `judged` if readers or the user passed its write."""

    target: str
    created: bool
    judged: bool = True


class Landed(Record):
    """How a check ended that others waited for."""

    check_id: str
    verdict: VerdictName
    reason: Reason
    decision: Decision
    detail: str = ""
    convergence: Convergence | None = None
    thresholds: Thresholds | None = None
    backend: str | None = None
    model: str | None = None

    def as_check(self, own: Check) -> Check:
        """`own`, the waiting call's check, with this end."""
        return replace(
            own,
            verdict=self.verdict,
            reason=self.reason,
            decision=self.decision,
            detail=self.detail,
            convergence=self.convergence,
            thresholds=self.thresholds,
            backend=self.backend,
            model=self.model,
        )


class TranscriptSource(Protocol):
    """Never raises for what the file holds: what cannot be read is an empty part."""

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange: ...

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        """The newest human messages that stand in the session's transcript, newest first."""
        ...

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        """What the agent's calls came back with since the prompt of the request, newest first, whatever their tools;
        in a subagent, that agent's own. Bounded in number and bytes; refused calls are left out.
        """
        ...


class TurnKey(Record):
    """(session, agent, ordinal of the last human prompt). `agent` is empty outside of a subagent."""

    session_id: str
    agent_id: str
    ordinal: int


class StateStore(Protocol):
    """Every method is one transaction. Ids from outside are data."""

    def together(self) -> AbstractContextManager[None]:
        """What the calling thread writes within is one transaction, and other threads wait. Not to be nested.

        A write that fails undoes those before it, and so does whatever is raised within.
        """
        ...

    def start_session(self, session_id: str, project_dir: str, now: float) -> None: ...

    def note_mode(self, session_id: str, mode: str, rests: float, now: float) -> None:
        """What the gate does in this session, for those who look from outside; `rests` seconds an open breaker stays
        open.
        """
        ...

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

    def take_check(self, turn: TurnKey, limit: int, *, act: bool = False) -> bool:
        """Count one paid check of the turn, unless `limit` were already taken; of an `act` of its own, unless as many
        were of such."""
        ...

    def give_back_check(self, turn: TurnKey, *, act: bool = False) -> None:
        """A check that was counted and could not be made counts no more."""
        ...

    def checks_taken(self, turn: TurnKey) -> int:
        """How many paid checks the turn has counted."""
        ...

    def note_call(
        self,
        tool_use_id: str,
        turn: TurnKey,
        each: Sequence[Effect],
        judged: Sequence[Effect],
        now: float,
    ) -> None:
        """Remember that this call was let through, until its result is known; `judged` are those that were."""
        ...

    def settle(self, tool_use_id: str, now: float, *, succeeded: bool) -> None:
        """The call ended. One that succeeded is written; if it was judged, its cooldown starts."""
        ...

    def written(self, turn: TurnKey) -> tuple[Written, ...]:
        """What the turn wrote, all its agents together, oldest first."""
        ...

    def made(self, session_id: str, targets: Sequence[str]) -> frozenset[str]:
        """Those of the targets that the session created."""
        ...

    def note_judged(self, turn: TurnKey, targets: Sequence[str]) -> None:
        """What the turn wrote there was judged since."""
        ...

    def open_coverage(
        self, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass, calls: int
    ) -> None:
        """A check passed: that many further calls of the class or milder in these folders are covered."""
        ...

    def use_coverage(
        self, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass
    ) -> bool:
        """Whether all these folders are covered; each then has one call less."""
        ...

    def note_attended(self, session_id: str) -> None:
        """A person is, or was, at this session's client."""
        ...

    def was_attended(self, session_id: str) -> bool: ...

    def intervention(self, session_id: str) -> Intervention | None: ...

    def change_intervention(
        self,
        session_id: str,
        change: Callable[[Intervention | None], tuple[Intervention | None, T]],
        otherwise: T,
    ) -> T:
        """Read, change and write in one transaction; `otherwise` if the state cannot be used."""
        ...

    def enter_flight(
        self, session_id: str, identity: str, token: str, since: float, now: float, seconds: float
    ) -> bool:
        """Whether the caller checks this evidence; else another one does, or landed since `since`.

        A flight lasts at most `seconds` from its start.
        """
        ...

    def land_flight(self, session_id: str, identity: str, token: str, now: float, check: Check) -> None: ...

    def leave_flight(self, session_id: str, identity: str, token: str) -> None:
        """The check broke: nobody has to wait for it."""
        ...

    def flight(self, session_id: str, identity: str) -> Landed | None:
        """How the check of this evidence ended, once it did."""
        ...

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        """What `samples` answers of hosted readers cost on that day, asked for in vain included."""
        ...

    def spent(self, day: str) -> float:
        """US dollars that paid readers took on this machine on that day (YYYY-MM-DD, UTC)."""
        ...

    def samples_of(self, day: str) -> int:
        """Samples that hosted readers took on this machine on that day."""
        ...

    def cooldowns(self, turn: TurnKey, since: float) -> tuple[Cooldown, ...]: ...

    def save_check(self, check: Check, turn: TurnKey | None, *, store_evidence: bool) -> None: ...

    def check(self, check_id: str | None) -> Mapping[str, object] | None:
        """The record with that id, or the newest for None."""
        ...

    def next_sequence(self, session_id: str) -> int:
        """0, 1, 2, ... within a session."""
        ...

    def owes(self, session_id: str) -> bool:
        """Whether the person has not yet been told of a subagent's call."""
        ...

    def issue_token(self, now: float, seconds: float, holder: str = "") -> str:
        """A fresh one-time token for a nested evaluator process."""
        ...

    def holds_token(self, token: str, now: float) -> bool: ...

    def revoke_token(self, token: str) -> None: ...

    def admit(self, key: str, rules: BreakerRules, now: float) -> Admission:
        """May an evaluation ask the readers behind the breaker `key`? One probe at a time while half-open."""
        ...

    def report(
        self, key: str, rules: BreakerRules, now: float, outcome: EvaluationOutcome, token: str | None
    ) -> Transition | None:
        """How an evaluation ended, with the token of its admission; what that changed, if anything."""
        ...

    def breaker(self, key: str) -> BreakerState:
        """The breaker as it was left: time alone changes nothing before somebody asks."""
        ...

    def meet_outage(
        self, session_id: str, key: str, now: float, cause: str | None
    ) -> tuple[Outage, bool] | None:
        """The outage of the line `key` that a call met, begun by it or not, and whether its session is to be told.

        True once for each session and outage. `cause` is the kind of fault of an evaluation that failed, None for a
        call that found the readers shut off.
        """
        ...

    def readers_back(self, session_id: str, key: str, now: float) -> ReadersBack | None:
        """The readers of the line answered, so its outage is over; once, for a session that was told of one, what it
        is to be told.
        """
        ...

    def sweep(self, now: float, retention_days: int) -> None:
        """Delete what is older than the retention."""
        ...


class PrecedentStore(Protocol):
    """Precedents of a developer's own. Every method is one transaction; `project` is a project key."""

    def has_precedents(self, project: str) -> bool:
        """Whether there is any, at the cost of one look into an index."""
        ...

    def keep_precedent(self, found: Precedent) -> None:
        """One with that id is replaced."""
        ...

    def precedents_of(
        self, project: str, words: Collection[str], since: float, limit: int
    ) -> tuple[Precedent, ...]:
        """Those found by one of `words` (`precedents.relevance`) and not older than `since`: newest first, `limit`."""
        ...

    def precedent(self, precedent_id: str) -> Precedent | None: ...

    def all_precedents(self, project: str | None) -> tuple[Precedent, ...]:
        """Those of the project, of every project for None: newest first."""
        ...

    def forget_precedents(self, ids: Collection[str]) -> int:
        """Delete them and the words they are found by; returns how many there were."""
        ...

    def sweep_precedents(self, project: str, before: float) -> None:
        """Delete those of the project that are older, in seconds since the epoch."""
        ...


class EventSink(Protocol):
    def tells(self, check: Check) -> bool:
        """Whether a check has a public event, which wants a sequence number."""
        ...

    def emit(self, check: Check, sequence: int) -> None:
        """Append the public event of a check, if it has one."""
        ...
