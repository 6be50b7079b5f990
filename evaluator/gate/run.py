"""One check under way: the parts it uses and what its steps found so far."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar, cast

from evaluator import model
from evaluator.breaker import BreakerRules
from evaluator.effects import WRITE_CLASS_TOOLS, digest, narrowed
from evaluator.errors import AbandonedError
from evaluator.intervention.records import HeldCall
from evaluator.ports import Clock, LeavableReaders, Readers, TranscriptSource, TurnKey
from evaluator.record import Record, replace
from evaluator.settings.keys import Settings
from evaluator.settings.places import main_root, project_root, recorded_key
from evaluator.trigger.calls import Translate, translated_globs

if TYPE_CHECKING:
    from concurrent.futures import Future

    from evaluator.events import EventLog
    from evaluator.intervention.records import Intervention
    from evaluator.precedents import RequestPlace
    from evaluator.state.store import PrecedentStore, Store

T = TypeVar("T")

# What stays of the deadline for writing the record and answering.
ANSWER_SECONDS = 1.0


class Breaker(Record):
    """Which breaker the hosted readers are behind, and its rules. None of it with `enabled` off."""

    key: str
    rules: BreakerRules


class Rule(Record):
    """What a check is held against, by the stakes of its call. `note` says why a calibration does not count."""

    reversible: model.Thresholds
    irreversible: model.Thresholds
    note: str = ""

    def of(self, effects: model.Effects) -> model.Thresholds:
        return self.irreversible if effects.stakes_class == "irreversible" else self.reversible


class PrecedentMemory(Record):
    """What the user settled before, kept in the state in `state_dir`.

    `serves`: whether the host shows what was asked, and proves who answered.
    """

    store: PrecedentStore
    state_dir: str
    serves: Callable[[], bool] = lambda: True

    def project(self, pending: model.PendingWrite) -> str:
        """The project's key."""
        return recorded_key(self.state_dir, pending.project_dir)

    def place(self, pending: model.PendingWrite, project: str) -> RequestPlace:
        """Where the user asks."""
        from evaluator.precedents import RequestPlace

        root = project_root(pending.project_dir)
        return RequestPlace(project, main_root(root) or root, root)


class Parts(Record):
    """What the composition root joins for one gate: values, stores, and functions that a step calls."""

    settings: Settings
    """Those in force for the project."""
    store: Store
    """What is held, counted and recorded; in memory where nothing may be kept."""
    sink: EventLog | None
    """The event log; None where the check leaves no event."""
    transcripts: TranscriptSource
    """Where the exchange of a call is read from."""
    readers: Callable[[], Readers]
    """Who answers the prompt; made once a call needs them."""
    effects_of: Callable[[model.PendingWrite], model.Effects | None]
    """What a call would do; None for a tool that nothing is known of."""
    protects: Callable[[model.PendingWrite, model.Effects | None], str]
    """What the call would do to the gate itself, in words; empty for every other call."""
    scripts: Callable[[model.PendingWrite, Mapping[str, bool]], tuple[model.Effect, ...]]
    """Effects of scripts that the command runs, of {absolute path: whether its text was judged}."""
    clock: Clock
    """Wall clock, monotonic clock and sleep."""
    new_id: Callable[[float], str]
    """The id of a check that is made at that time, in seconds since the epoch."""
    token: Callable[[], str]
    """A random text, by which the one that makes a shared check is known."""
    paid: Callable[[], bool]
    """Whether the readers cost money or leave the machine."""
    least: Callable[[], int]
    """How many samples have to be valid."""
    attended: bool
    """Whether a person is there to answer."""
    breaker: Callable[[], Breaker | None]
    """The breaker that the readers are behind; None where it is off."""
    slot: Callable[[], AbstractContextManager[bool]]
    """One of the machine's places for samples; False where none is free."""
    rule: Callable[[], Rule]
    """What scores are held against."""
    line: Callable[[], str] = lambda: ""
    """The key of the breaker to the readers, open or not in use."""
    prompt: Callable[[], str] = lambda: ""
    """The fingerprint of what the readers are told besides the evidence."""
    nested: Callable[[], bool] = lambda: False
    """Whether one of our own readers' processes makes the call."""
    origin: Callable[[model.PendingWrite], model.Origin | None] = lambda _: None
    """Whose tool call started the session; None for nobody's."""
    translate: Translate = translated_globs
    """Skip globs as regular expressions; None where one of them is none."""
    builds: Callable[[model.PendingWrite], bool] = lambda _: False
    """Whether a command builds, tests or lints, and so loads the project's own files."""
    linked: Callable[[str], bool] = lambda _: False
    """Whether a file that stands there has more than one name."""
    text_of: Callable[[str], str | None] = lambda _: None
    """The text of a file, None where it is not known; asked before each parse, whose packages it makes importable."""
    instructions: Callable[[model.PendingWrite], tuple[tuple[str, str], ...]] = lambda _: ()
    """(file, line) of what the user and the project tell the agent to read; rules look there for bans alone."""
    measures: bool = False
    """Whether cases are measured: then rules answer as one reader, who passes what they do not hold."""
    memory: PrecedentMemory | None = None
    """Precedents; None where none are kept and none are shown."""
    unreadable: str = ""
    """Why what was held and released before cannot be known; empty where it can."""
    gone: Future[None] | None = None
    """Done once nobody waits for the check any more; None where that cannot be known."""


class Run:
    """One check under way. A step reads what earlier steps found and adds what it finds."""

    effects: model.Effects | None = None
    """What is left to judge: without what was excused, unless that is all of it."""
    excused: tuple[model.Effect, ...] = ()
    """What was taken out of `effects`, in the order of the steps."""
    exchange: model.Exchange | None = None
    """What readers may be shown of the conversation, with what an intervention joins to it."""
    said: model.Exchange | None = None
    """The exchange as the transcript has it, before what an intervention joins to it."""
    origin: model.Origin | None = None
    """Set where a tool call started the session: then none of its prompts is a person's."""
    turn: TurnKey | None = None
    """Whose budget the check takes from; None until the exchange was read."""
    prompts: tuple[model.KeptPrompt, ...] = ()
    """What was typed in the session, as the hook at the prompt kept it."""
    resolved: model.ResolvedOption | None = None
    """The option that the user's answer chose."""
    evidence: model.Evidence | None = None
    """What may leave the machine, sanitized."""
    rechecking = False
    """Whether the call was held back and the user's answer to that is judged now."""
    held_before = False
    """Whether the call was held back, and nothing keeps it from being judged again."""
    chose_reading = False
    """Whether the user chose a reading of what was held."""
    answers_hold = False
    """What was chosen is about something that is still held."""
    explained = False
    """Whether the user said since the hold what the request means."""
    answered: Intervention | None = None
    """The hold that they answered so."""
    flight = ""
    """The token by which this check stands for all of equal evidence; empty where it does not."""
    counted = False
    """Whether the turn's budget holds this check."""
    notice = ""
    """What the person is told of the readers beside the call: that they fail, or that they answer again."""
    notes: list[str]
    """What else came of it, for the record, such as that rules judged where readers failed."""
    looks_until: float | None = None
    """Until when, on the monotonic clock, the transcript is looked at again for words that are not there."""

    def __init__(self, parts: Parts, pending: model.PendingWrite, at: float | None = None) -> None:
        self.parts = parts
        self.called = pending
        """The call as the host put it; `pending` is the same in the gate's own terms."""
        if pending.tool_name not in WRITE_CLASS_TOOLS:
            from evaluator.trigger.tools import in_own_terms

            pending = in_own_terms(pending, parts.settings.gate.mcp_tools)
        self.pending = pending
        self.started = parts.clock.monotonic()
        """When the check began, on the monotonic clock."""
        self.at = parts.clock.now() if at is None else at
        """The same in seconds since the epoch."""
        self.notes = []

    @property
    def settings(self) -> Settings:
        return self.parts.settings

    @property
    def known_effects(self) -> model.Effects:
        assert self.effects is not None
        return self.effects

    def excuse(self, found: Iterable[model.Effect]) -> bool:
        """Leave these effects out of what is judged; true if nothing is left to judge."""
        effects = self.known_effects
        excused = frozenset(found)
        left = [one for one in effects.each if one not in excused]
        if effects.each and not left:
            return True
        self.excused += tuple(one for one in effects.each if one in excused)
        self.effects = narrowed(effects, left)
        return False

    @property
    def known_exchange(self) -> model.Exchange:
        assert self.exchange is not None
        return self.exchange

    @property
    def known_turn(self) -> TurnKey:
        assert self.turn is not None
        return self.turn

    @property
    def known_evidence(self) -> model.Evidence:
        assert self.evidence is not None
        return self.evidence

    @property
    def call(self) -> HeldCall:
        """As it is recognised when it is tried again: its identity is a digest of tool and command."""
        effects, pending = self.known_effects, self.pending
        identity = digest(pending.tool_name, " ".join(effects.command.split()))
        does = effects.targets, effects.operation, effects.operation_class
        return HeldCall(*does, identity, pending.tool_use_id or "", effects.each)

    @property
    def enforces(self) -> bool:
        return self.settings.mode == "enforce"

    @property
    def destructive(self) -> bool:
        return self.known_effects.operation_class == "destructive"

    def seconds_left(self) -> float:
        spent = self.parts.clock.monotonic() - self.started
        return max(0.0, self.settings.deadline_seconds - ANSWER_SECONDS - spent)

    def subject(self) -> model.Subject:
        effects, exchange, evidence = self.known_effects, self.known_exchange, self.known_evidence
        return model.Subject(self.pending, effects, exchange, evidence, self.resolved)

    def thresholds(self) -> model.Thresholds:
        rule = self.parts.rule()
        if rule.note and rule.note not in self.notes:
            self.notes.append(rule.note)
        return rule.of(self.known_effects)

    def give_back(self) -> None:
        """Takes back what a check counted against the turn's budget: one that could not be made spends nothing."""
        if self.counted:
            self.parts.store.give_back_check(self.known_turn, act=self.known_effects.acts)
            self.counted = False

    def skip(self, reason: model.Reason, detail: str = "") -> model.Check:
        return self.check("skipped", reason, "allow", detail=detail)

    def deny(
        self, reason: model.Reason, detail: str, *, told: str = "", ends_turn: bool = False
    ) -> model.Check:
        """Denied in enforce mode, told as failed either way."""
        decision: model.Decision = "deny" if self.enforces else "allow"
        ends_turn = ends_turn and self.enforces
        return self.check("failed", reason, decision, detail=detail, told=told, ends_turn=ends_turn)

    def check(
        self, verdict: model.VerdictName, reason: model.Reason, decision: model.Decision, **more: object
    ) -> model.Check:
        """`more` are further fields of a check, by name."""
        found = model.Check(
            check_id=self.parts.new_id(self.at),
            verdict=verdict,
            decision=decision,
            reason=reason,
            pending=self.called,
            effects=self.effects,
            exchange=self.exchange,
            evidence=self.evidence,
            resolved=self.resolved,
            mode=self.settings.mode,
            duration_ms=round((self.parts.clock.monotonic() - self.started) * 1000),
            at=self.at,
            notes=tuple(self.notes),
        )
        return replace(found, **more)


class Collect(Record):
    """A wait for readers, of at most `seconds`; it ends with their samples."""

    readers: Readers
    subject: model.Subject
    seconds: float


class Sleep(Record):
    """A wait for what another check holds; it ends with nothing."""

    seconds: float


Samples = tuple[model.Sample, ...]
Waiting = Generator[Collect | Sleep, Samples, T]
"""Work that says what it waits for, so that a thread of its own need not wait with it."""
Step = Callable[[Run], model.Check | Waiting[model.Check | None] | None]


def drive(work: Waiting[T], clock: Clock, gone: Future[None] | None = None) -> T:
    """What the work comes to; the calling thread waits. Raises AbandonedError where it would wait with `gone` done."""
    try:
        wait = next(work)
        while True:
            try:
                samples = _perform_run_wait(wait, clock, gone)
            except BaseException as error:  # noqa: BLE001 - the work's own, where it waits
                wait = work.throw(error)
            else:
                wait = work.send(samples)
    except StopIteration as done:
        return cast(T, done.value)


def _perform_run_wait(wait: Collect | Sleep, clock: Clock, gone: Future[None] | None) -> Samples:
    if gone is not None and gone.done():
        raise AbandonedError
    if isinstance(wait, Sleep):
        clock.sleep(wait.seconds)
        return ()
    if gone is not None and isinstance(wait.readers, LeavableReaders):
        return wait.readers.collect_until(gone, wait.subject, wait.seconds)
    return wait.readers.collect(wait.subject, wait.seconds)
