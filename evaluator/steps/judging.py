"""From the symbolic layer to the readers: what is skipped as settled, what is paid for, who judges."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from evaluator.circuit import Outcome
from evaluator.model import Check, Convergence, Effect, Reason, Sample, VerdictName
from evaluator.ports import Readers
from evaluator.run import Run
from evaluator.stages import budget, gate, trigger
from evaluator.stages.breaker import outcome_of
from evaluator.stages.convergence import converge
from evaluator.stages.evidence import build_evidence
from evaluator.stages.skip import contradicts, covered_by_plan, find_menu, resolve_answers, resolve_reply

FLIGHT_POLL_SECONDS = 0.05
LEAST_READING_SECONDS = 2.0
"""What a check that waits for a free slot keeps for its readers."""


def reply_to_question(run: Run) -> Check | None:
    """The symbolic layer: the resolved option is kept as evidence even where the write is not skipped."""
    exchange, effect = run.said or run.known_exchange, run.known_effect
    if exchange.questions:
        run.resolved = resolve_answers(exchange.questions)
    elif len(exchange.request) == 1 and not exchange.delegated_task:
        menu = find_menu(exchange.prior_assistant_turn)
        run.resolved = resolve_reply(menu, exchange.request[0]) if menu else None
    if not run.settings.skip_patterns.reply_to_question.enabled or run.destructive:
        return None
    if run.rechecking:
        # The agent words its own menus: what was held back is read again, with the answer as evidence.
        return None
    if run.resolved is not None and not contradicts(run.resolved, effect.targets, effect.command):
        return run.skip("reply_to_question_pattern")
    approved = [plan.text for plan in exchange.plans if plan.approved]
    if approved and covered_by_plan(approved[-1], effect.targets, run.pending.project_dir):
        return run.skip("reply_to_question_pattern")
    return None


def sanitize(run: Run) -> Check | None:
    run.evidence = build_evidence(
        run.pending,
        run.known_effect,
        run.known_exchange,
        run.settings,
        resolved=run.resolved,
        turn_so_far=[file.target for file in run.parts.store.written(run.known_turn)],
    )
    return None


def unlisted_program(run: Run) -> Check | None:
    """A program that nobody listed goes to the local evaluator, whatever the backend: it is cheap and common."""
    effect = run.known_effect
    unlisted = effect.operation in ("run", "unknown") and effect.operation_class == "modifying"
    if run.pending.tool_name == "Bash" and unlisted and not effect.targets:
        return instead(run, "insufficient_context", "embedded")
    return None


def single_flight(run: Run) -> Check | None:
    """Parallel calls with identical evidence share one check: the first flies, the others wait for it."""
    if not run.parts.paid:
        return None
    store, session, identity = run.parts.store, run.pending.session_id, run.known_evidence.identity()
    token, clock, seconds = run.parts.token(), run.parts.clock, run.settings.deadline_seconds
    while not store.enter_flight(session, identity, token, run.at, clock.now(), seconds):
        landed = store.flight(session, identity)
        if landed is not None:
            note = f"shared with check {landed.check_id}"
            return replace(landed.as_check(run.skip("covered")), notes=(note,))
        if run.seconds_left() <= 0:
            return failed_evaluation(run, (), None, ["timeout: the check of the same evidence did not end"])
        time.sleep(FLIGHT_POLL_SECONDS)
    run.flight = token
    return None


def spend(run: Run) -> Check | None:
    """Paid readers are asked only within the budgets and with something to judge by."""
    if not run.parts.paid:
        return None
    store, turn, settings = run.parts.store, run.known_turn, run.settings
    short = budget.short_context(
        run.known_evidence,
        run.known_exchange,
        settings.min_context_chars,
        first_of_turn=store.checks_taken(turn) == 0,
    )
    if short:
        return instead(run, short, settings.on_short_context)
    cap = settings.evaluator.daily_budget_usd
    if cap is not None and store.spent(_day(run.at)) >= cap:
        return instead(run, "evaluator_budget_exhausted", settings.on_exhausted)
    if not store.take_check(turn, settings.max_checks_per_turn, destructive=run.destructive):
        return instead(run, "turn_budget_exhausted", settings.on_exhausted)
    return None


def read(run: Run) -> Check:
    """Ask the readers, behind the breaker and one of the machine's slots, and judge whether they converge."""
    readers = run.parts.readers()
    if not run.parts.paid:
        return _judged(run, readers, readers.collect(run.subject(), run.seconds_left()))
    circuit = run.parts.circuit(run.pending.session_id)
    admission = run.parts.store.admit(circuit.key, circuit.rules, run.at) if circuit else None
    if admission is not None and admission.answer == "open":
        return _circuit_open(run)
    samples: tuple[Sample, ...] = ()
    outcome: Outcome = "neutral"
    try:
        with run.parts.slot(max(0.0, run.seconds_left() - LEAST_READING_SECONDS)) as free:
            if free:
                samples = readers.collect(run.subject(), run.seconds_left())
                outcome = outcome_of(samples, _least_valid(run, samples))
    finally:
        if circuit is not None and admission is not None:
            now = run.parts.clock.now()
            run.parts.store.report(circuit.key, circuit.rules, now, outcome, admission.token)
    cost = sum(sample.cost_usd or 0.0 for sample in samples)
    if cost:
        run.parts.store.add_spend(_day(run.at), cost)
    if admission is not None and admission.answer == "probe" and outcome == "failure":
        return _circuit_open(run)
    if not samples:
        return failed_evaluation(run, (), readers, ["rate: too many checks at once on this machine"])
    return _judged(run, readers, samples)


def _circuit_open(run: Run) -> Check:
    """A destructive call takes the local evaluator's fallback, whatever `open_behavior` says."""
    fail_open = run.settings.circuit_breaker.open_behavior == "fail_open" and not run.destructive
    return instead(run, "circuit_open", "skip" if fail_open else "embedded")


def _judged(run: Run, readers: Readers, samples: Sequence[Sample]) -> Check:
    thresholds = run.thresholds()
    convergence = converge(samples, _least_valid(run, samples))
    if convergence is None:
        return failed_evaluation(run, samples, readers, [sample.error or "" for sample in samples])
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
        detail=_message(run, convergence, samples) if verdict == "failed" else "",
        overrides=verdict == "passed" and run.rechecking and run.chose_reading,
    )


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def _least_valid(run: Run, samples: Sequence[Sample]) -> int:
    """A backend with fewer readers of its own than `min_valid_samples` needs all of them."""
    return min(run.settings.evaluator.min_valid_samples, max(1, len(samples)))


def _named(run: Run) -> tuple[str, str]:
    effect: Effect = run.known_effect
    return trigger.display_target(run.pending, effect.targets), effect.operation


def _message(run: Run, convergence: Convergence, samples: Sequence[Sample]) -> str:
    target, operation = _named(run)
    return gate.block_message(
        target=target,
        operation=operation,
        convergence=convergence,
        thresholds=run.thresholds(),
        samples=samples,
    )


def failed_evaluation(
    run: Run, samples: Sequence[Sample], readers: Readers | None, causes: Sequence[str]
) -> Check:
    """Too few valid samples: the error policy decides, and the record says that nobody judged."""
    run.notes.extend(dict.fromkeys(cause for cause in causes if cause))
    policy = run.settings.error_policy
    if policy == "embedded":
        return replace(instead(run, "sampler_error", "embedded"), samples=tuple(samples))
    target, operation = _named(run)
    closed = policy == "closed" and run.enforces
    return run.check(
        "failed" if closed else "skipped",
        "sampler_error",
        "deny" if closed else "allow",
        samples=samples,
        backend=readers.name if readers else None,
        model=readers.model if readers else None,
        detail=gate.failure_message(target=target, operation=operation, causes=causes) if closed else "",
    )


def instead(run: Run, reason: Reason, behaviour: str) -> Check:
    """What happens past a budget or without readers: skip, deny, or the local evaluator's fallback."""
    target, operation = _named(run)
    if behaviour == "skip":
        return run.skip(reason)
    if behaviour == "deny":
        detail = f"Compass held back this {operation} of {target}: {reason.replace('_', ' ')}. {gate.OPTIONS}"
        return run.deny(reason, detail)
    judgement = run.parts.fallback(run.subject())
    run.notes.append(f"{reason}: judged by the embedded evaluator")
    if judgement.decision == "abstain" and not run.destructive:
        return run.check("skipped", reason, "allow", samples=judgement.samples, backend="embedded")
    convergence = converge(judgement.samples, 1)
    assert convergence is not None
    verdict: VerdictName = "passed" if judgement.decision == "pass" else "failed"
    detail = gate.fallback_message(
        target=target, operation=operation, reason=reason, rationale=judgement.rationale
    )
    judged: Reason = "confident" if verdict == "passed" else "low_confidence"
    return run.check(
        verdict,
        reason if reason == "sampler_error" else judged,
        gate.decision_of(verdict, run.settings.mode),
        convergence=convergence,
        thresholds=run.thresholds(),
        samples=judgement.samples,
        backend="embedded",
        detail=detail if verdict == "failed" else "",
    )
