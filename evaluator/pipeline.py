"""The order of the stages of a check, in one visible list. Knows ports and stages, no implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from evaluator.model import (
    Check,
    Convergence,
    Decision,
    Effect,
    Evidence,
    Exchange,
    PendingWrite,
    Reason,
    ResolvedOption,
    Sample,
    Subject,
    Thresholds,
    VerdictName,
)
from evaluator.ports import Clock, EventSink, Readers, StateStore, TranscriptSource, TurnKey
from evaluator.settings import Settings
from evaluator.stages import budget, gate, trigger
from evaluator.stages.convergence import converge
from evaluator.stages.cooldown import cooled_down
from evaluator.stages.evidence import build_evidence
from evaluator.stages.skip import contradicts, covered_by_plan, find_menu, resolve_answers, resolve_reply

# What stays of the deadline for writing the record and answering.
ANSWER_SECONDS = 1.0


class FallbackJudgement(Protocol):
    """What the local evaluator says when it stands in: it may abstain."""

    @property
    def decision(self) -> Literal["block", "pass", "abstain"]: ...

    @property
    def samples(self) -> tuple[Sample, ...]: ...

    @property
    def rationale(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the composition root joins. `paid` tells whether the readers cost money or leave the machine."""

    settings: Settings
    store: StateStore
    sink: EventSink | None
    transcripts: TranscriptSource
    readers: Callable[[], Readers]
    fallback: Callable[[Subject], FallbackJudgement]
    effect_of: Callable[[PendingWrite], Effect | None]
    clock: Clock
    new_id: Callable[[float], str]
    paid: bool
    nested: Callable[[], bool] = lambda: False


@dataclass(slots=True)
class Run:
    """One check under way. A step reads what earlier steps found and adds what it finds."""

    parts: Parts
    pending: PendingWrite
    started: float
    at: float
    effect: Effect | None = None
    exchange: Exchange | None = None
    turn: TurnKey | None = None
    resolved: ResolvedOption | None = None
    evidence: Evidence | None = None
    notes: list[str] = field(default_factory=list[str])

    @property
    def settings(self) -> Settings:
        return self.parts.settings

    def known_effect(self) -> Effect:
        assert self.effect is not None
        return self.effect

    def known_exchange(self) -> Exchange:
        assert self.exchange is not None
        return self.exchange

    def known_evidence(self) -> Evidence:
        assert self.evidence is not None
        return self.evidence

    def seconds_left(self) -> float:
        spent = self.parts.clock.monotonic() - self.started
        return max(0.0, self.settings.deadline_seconds - ANSWER_SECONDS - spent)

    def check(  # noqa: PLR0913 - the fields of a check, by name
        self,
        verdict: VerdictName,
        reason: Reason,
        decision: Decision,
        *,
        detail: str = "",
        convergence: Convergence | None = None,
        thresholds: Thresholds | None = None,
        samples: Sequence[Sample] = (),
        backend: str | None = None,
        model: str | None = None,
    ) -> Check:
        clock = self.parts.clock
        return Check(
            check_id=self.parts.new_id(self.at),
            verdict=verdict,
            decision=decision,
            reason=reason,
            pending=self.pending,
            effect=self.effect,
            exchange=self.exchange,
            evidence=self.evidence,
            resolved=self.resolved,
            convergence=convergence,
            thresholds=thresholds,
            samples=tuple(samples),
            backend=backend,
            model=model,
            mode=self.settings.mode,
            detail=detail,
            duration_ms=round((clock.monotonic() - self.started) * 1000),
            at=self.at,
            notes=tuple(self.notes),
        )

    def skip(self, reason: Reason) -> Check:
        return self.check("skipped", reason, "allow")


Step = Callable[[Run], Check | None]


def not_write_class(run: Run) -> Check | None:
    run.effect = run.parts.effect_of(run.pending)
    if run.effect is None or run.effect.verdict == "read_only":
        return run.skip("not_write_class")
    return None


def disabled(run: Run) -> Check | None:
    return run.skip("disabled") if not run.settings.enabled or run.parts.nested() else None


def read_exchange(run: Run) -> Check | None:
    kept = run.parts.store.prompts(run.pending.session_id)
    run.exchange = run.parts.transcripts.exchange(run.pending, kept)
    run.turn = run.parts.store.turn(run.pending.session_id, run.pending.agent_id)
    return None


def skip_sentinel(run: Run) -> Check | None:
    trusted = run.settings.skip_sentinel.trust_tool_input
    if trigger.has_sentinel(run.known_exchange().request, run.pending.tool_input, trust_tool_input=trusted):
        return run.skip("skip_sentinel")
    return None


def skip_glob(run: Run) -> Check | None:
    targets = run.known_effect().targets
    if trigger.all_skipped(targets, run.pending.project_dir, run.settings.skip_globs):
        return run.skip("skip_glob")
    return None


def cooldown(run: Run) -> Check | None:
    seconds = run.settings.cooldown.seconds
    if run.turn is None or not seconds:
        return None
    effect = run.known_effect()
    found = run.parts.store.cooldowns(run.turn, run.at - seconds)
    if cooled_down(effect.targets, effect.operation, effect.operation_class, found, run.at, seconds):
        return run.skip("dir_plus_stem_cooldown")
    return None


def reply_to_question(run: Run) -> Check | None:
    """The symbolic layer: the resolved option is kept as evidence even where the write is not skipped."""
    exchange, effect = run.known_exchange(), run.known_effect()
    if exchange.questions:
        run.resolved = resolve_answers(exchange.questions)
    elif len(exchange.request) == 1 and not exchange.delegated_task:
        menu = find_menu(exchange.prior_assistant_turn)
        run.resolved = resolve_reply(menu, exchange.request[0]) if menu else None
    if not run.settings.skip_patterns.reply_to_question.enabled or effect.operation_class == "destructive":
        return None
    if run.resolved is not None and not contradicts(run.resolved, effect.targets, effect.command):
        return run.skip("reply_to_question_pattern")
    approved = [plan.text for plan in exchange.plans if plan.approved]
    if approved and covered_by_plan(approved[-1], effect.targets, run.pending.project_dir):
        return run.skip("reply_to_question_pattern")
    return None


def sanitize(run: Run) -> Check | None:
    run.evidence = build_evidence(
        run.pending, run.known_effect(), run.known_exchange(), run.settings, resolved=run.resolved
    )
    return None


def spend(run: Run) -> Check | None:
    """Paid readers are asked only within the turn's budget and with something to judge by."""
    if run.turn is None or not run.parts.paid:
        return None
    first = run.parts.store.checks_taken(run.turn) == 0
    short = budget.short_context(
        run.known_evidence(), run.known_exchange(), run.settings.min_context_chars, first_of_turn=first
    )
    if short:
        return _instead(run, short, run.settings.on_short_context)
    if not run.parts.store.take_check(run.turn, run.settings.max_checks_per_turn):
        return _instead(run, "turn_budget_exhausted", run.settings.on_exhausted)
    return None


def read(run: Run) -> Check:
    """Ask the readers, and judge whether they converge."""
    subject = _subject(run)
    readers = run.parts.readers()
    samples = readers.collect(subject, run.seconds_left())
    thresholds = _thresholds(run.settings)
    convergence = converge(samples, _least_valid(run.settings, samples))
    if convergence is None:
        return _failed_evaluation(run, samples, readers)
    verdict, reason = gate.judge(convergence, thresholds)
    return run.check(
        verdict,
        reason,
        gate.decision_of(verdict, run.settings.mode),
        convergence=convergence,
        thresholds=thresholds,
        samples=samples,
        backend=readers.name,
        model=readers.model,
        detail=_message(run, convergence, thresholds, samples) if verdict == "failed" else "",
    )


STEPS: tuple[Step, ...] = (
    not_write_class,
    disabled,
    read_exchange,
    skip_sentinel,
    skip_glob,
    cooldown,
    reply_to_question,
    sanitize,
    spend,
    read,
)

SILENT: frozenset[Reason] = frozenset(("not_write_class", "disabled"))


def check(parts: Parts, pending: PendingWrite, *, steps: Iterable[Step] = STEPS) -> Check:
    """Run the stages until one decides, and record the check unless it is a silent one."""
    run = Run(parts, pending, started=parts.clock.monotonic(), at=parts.clock.now())
    for step in steps:
        found = step(run)
        if found is not None:
            break
    else:
        raise AssertionError("the last step always decides")
    if found.reason not in SILENT:
        record(parts, found, run.turn)
    return found


def evidence_of(parts: Parts, pending: PendingWrite) -> Evidence | None:
    """What hosted readers would be shown of this call, unjudged; None for a call that is no write."""
    run = Run(parts, pending, started=parts.clock.monotonic(), at=parts.clock.now())
    if not_write_class(run) is not None:
        return None
    for step in (read_exchange, reply_to_question, sanitize):
        step(run)
    return run.evidence


def record(parts: Parts, found: Check, turn: TurnKey | None) -> None:
    store = parts.store
    store.save_check(found, turn, store_evidence=parts.settings.store_evidence)
    if found.verdict == "passed" and found.pending.tool_use_id and found.effect and turn:
        effect = found.effect
        store.note_judged(
            found.pending.tool_use_id, turn, effect.targets, effect.operation_class, parts.clock.now()
        )
    if parts.sink is not None:
        parts.sink.emit(found, lambda: store.next_sequence(found.pending.session_id))


def _subject(run: Run) -> Subject:
    return Subject(run.pending, run.known_effect(), run.known_exchange(), run.known_evidence(), run.resolved)


def _thresholds(settings: Settings) -> Thresholds:
    return Thresholds(settings.confidence_threshold, settings.stddev_threshold)


def _least_valid(settings: Settings, samples: Sequence[Sample]) -> int:
    """A backend with fewer readers of its own than `min_valid_samples` needs all of them."""
    return min(settings.evaluator.min_valid_samples, max(1, len(samples)))


def _message(run: Run, convergence: Convergence, thresholds: Thresholds, samples: Sequence[Sample]) -> str:
    effect = run.known_effect()
    return gate.block_message(
        target=trigger.display_target(run.pending, effect.targets),
        operation=effect.operation,
        convergence=convergence,
        thresholds=thresholds,
        samples=samples,
    )


def _failed_evaluation(run: Run, samples: Sequence[Sample], readers: Readers) -> Check:
    """Too few valid samples: the error policy decides, and the record says that nobody judged."""
    settings, effect = run.settings, run.known_effect()
    causes = [sample.error or "" for sample in samples]
    run.notes.extend(dict.fromkeys(cause for cause in causes if cause))
    if settings.error_policy == "embedded":
        return replace(_instead(run, "sampler_error", "embedded"), samples=tuple(samples))
    closed = settings.error_policy == "closed" and settings.mode == "enforce"
    target = trigger.display_target(run.pending, effect.targets)
    return run.check(
        "failed" if closed else "skipped",
        "sampler_error",
        "deny" if closed else "allow",
        samples=samples,
        backend=readers.name,
        model=readers.model,
        detail=gate.failure_message(target=target, operation=effect.operation, causes=causes)
        if closed
        else "",
    )


def _instead(run: Run, reason: Reason, behaviour: str) -> Check:
    """What happens past a budget or without readers: skip, deny, or the local evaluator's fallback."""
    enforce = run.settings.mode == "enforce"
    effect = run.known_effect()
    target = trigger.display_target(run.pending, effect.targets)
    if behaviour == "skip":
        return run.skip(reason)
    if behaviour == "deny":
        detail = f"Compass held back this {effect.operation} of {target}: {reason.replace('_', ' ')}."
        return run.check("failed", reason, "deny" if enforce else "allow", detail=detail)
    judgement = run.parts.fallback(_subject(run))
    run.notes.append(f"{reason}: judged by the embedded evaluator")
    convergence = converge(judgement.samples, 1)
    assert convergence is not None
    thresholds = _thresholds(run.settings)
    if judgement.decision == "abstain" and effect.operation_class != "destructive":
        return run.check("skipped", reason, "allow", samples=judgement.samples, backend="embedded")
    verdict: VerdictName = "passed" if judgement.decision == "pass" else "failed"
    return run.check(
        verdict,
        "confident" if verdict == "passed" else "low_confidence",
        gate.decision_of(verdict, run.settings.mode),
        convergence=convergence,
        thresholds=thresholds,
        samples=judgement.samples,
        backend="embedded",
        detail=gate.fallback_message(
            target=target, operation=effect.operation, reason=reason, rationale=judgement.rationale
        )
        if verdict == "failed"
        else "",
    )
