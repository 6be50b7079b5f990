"""What the pipeline needs from outside, one Protocol each; joined in the composition root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from evaluator.errors import ReaderError
from evaluator.model import (
    Convergence,
    Decision,
    Exchange,
    KeptPrompt,
    Lookup,
    PendingWrite,
    Reason,
    Sample,
    Subject,
    Thresholds,
    VerdictName,
)
from evaluator.record import Record

if TYPE_CHECKING:
    from concurrent.futures import Future


GRACE_SECONDS = 0.5
"""For cancelled requests of readers to close their connections and end their processes; taken from the time that the
caller gives."""


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
        """One answer of a reader. Raises ReaderError for every way in which no answer comes."""
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
        """The readers, for one subject. They note in `sent` what the caller has to pay for."""
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


class LandedCheck(Record):
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


class TranscriptSource(Protocol):
    """Never raises for what the file holds: what cannot be read is an empty part."""

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange: ...

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        """The newest human messages that stand in the session's transcript, newest first."""
        ...

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        """What the agent's calls came back with since the prompt of the request, newest first, whatever their tools;
        in a subagent, that agent's own. Bounded in number and bytes; refused calls are left out."""
        ...

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        """The shell commands of the session that ran without an error, newest first, bounded in bytes; none where the
        host's file does not hold them."""
        ...


class TurnKey(Record):
    """(session, agent, ordinal of the last human prompt). `agent` is empty outside of a subagent."""

    session_id: str
    agent_id: str
    ordinal: int
