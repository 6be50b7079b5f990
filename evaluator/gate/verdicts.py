"""Asks the readers behind the breaker, within the budgets and one of the slots of the machine; what comes of it, and
what happens without them. Loaded only by a call that gets this far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evaluator import breaker as rule
from evaluator.gate.holds import by_rule, denied_still, held_thing, offered, samples_of
from evaluator.gate.run import Breaker, Collect, Run, Sleep, Waiting
from evaluator.intervention import messages
from evaluator.model import EMBEDDED, LEAST_TO_DESTROY, Check, Convergence, Reason, Sample
from evaluator.ports import CountedReaders, Readers, Sent
from evaluator.record import replace
from evaluator.settings.keys import ConfidenceByStakes
from evaluator.text import day_of
from evaluator.verdict.convergence import (
    FIRST_LOOK,
    PASSED,
    converge,
    deciding,
    decision_of,
    first_look_passes,
    judge,
)
from evaluator.verdict.readings import agreement, clusters

SHUT = "the readers kept failing, so they will not be asked for a while"
STARTS_AGENT = (
    "it starts another coding agent, and only a reader or the user can judge what that agent is told"
)
TOO_FEW = f"a destructive write needs at least {LEAST_TO_DESTROY} valid answers to pass"
UNJUDGED = "not judged: no model is in use here"
CUSTOMARY_CONFIDENCE = 0.2
"""A commit in a session whose user let one stand before is held only where readers hardly find it wanted at all: on
real sessions that spares one interruption in eight and loses no due one (docs/quality.md)."""
CUSTOMARY = (
    f"calls of this kind ran in earlier turns, so this one is held only below {CUSTOMARY_CONFIDENCE:.2f}"
)
NO_TEXTS = messages.BlockTexts("", "")
LEAST_READING_SECONDS = 2.0
"""What a check that waits for a free slot keeps for its readers."""


def ask_readers(run: Run) -> Waiting[Check]:
    """Ask the readers, behind the breaker and one of the machine's slots, and judge whether they converge."""
    readers = run.parts.readers()
    if readers.name == EMBEDDED and not run.parts.measures:
        return instead(run, "insufficient_context", EMBEDDED)
    if not run.parts.paid():
        return _verdict_of_readers(run, readers, readers.collect(run.subject(), run.seconds_left()))

    breaker = run.parts.breaker()
    admission = run.parts.store.admit(breaker.key, breaker.rules, run.parts.clock.now()) if breaker else None
    if admission is not None and admission.answer == "open":
        _note_outage_at_gate(run, None, admission.until)
        return _verdict_at_open_breaker(run, readers, ())
    samples, outcome = yield from _collect_verdict_samples(run, readers, breaker, admission)
    if outcome == "failure":
        kinds = Counter((sample.error or "").partition(":")[0] for sample in samples if not sample.valid)
        causes = [kind for kind, _ in kinds.most_common() if kind in rule.COUNTING]
        _note_outage_at_gate(run, causes[0] if causes else "", None)
    elif outcome == "success":
        line, now = run.parts.line(), run.parts.clock.now()
        found = run.parts.store.readers_back(run.pending.session_id, line, now) if line else None
        if found is not None:
            from evaluator.intervention.outage import outage_over

            run.notice = outage_over(found, line, now, run.known_exchange.request_text)
    if admission is not None and admission.answer == "probe" and outcome == "failure":
        return _verdict_at_open_breaker(run, readers, samples)
    if not samples:
        return failed_evaluation(run, (), readers, ["rate: too many checks at once on this machine"])
    return _verdict_of_readers(run, readers, samples)


def _verdict_at_open_breaker(run: Run, readers: Readers, samples: Sequence[Sample]) -> Check:
    """No reader may be asked, or a probe of them failed: as a failed evaluation, unless the user set `open_behavior`.

    A destructive call never passes unjudged.
    """
    run.give_back()
    behaviour = run.settings.circuit_breaker.behaviour(run.settings.error_policy)
    # What the probe met is for `explain`, whoever judged in its place.
    met = tuple(sample for sample in samples if not sample.valid)
    if behaviour == "fail_closed":
        causes = [SHUT, *(sample.error or "" for sample in met)]
        return _unjudged_verdict(run, "circuit_open", met, readers, causes, closed=True)
    skips = behaviour == "fail_open" and not run.destructive
    found = instead(run, "circuit_open", "skip" if skips else "embedded")
    return replace(found, samples=(*met, *found.samples))


def _verdict_of_readers(run: Run, readers: Readers, samples: Sequence[Sample]) -> Check:
    """The readers' verdict, by the second look where there was one; the first one's samples are kept beside it."""
    thresholds = run.thresholds()
    decisive = deciding(samples)
    at_once = first_look_passes(decisive, thresholds, destructive=run.destructive)
    scored = converge(decisive, FIRST_LOOK if at_once else _least_valid_for_verdict(run, decisive))
    # Readers who were not shown the write cannot pass it by themselves, and a first look holds nothing.
    judges = [one for one in decisive if one.valid and not one.blind and (at_once or one.look == "second")]
    causes = [sample.error or "" for sample in samples]
    if scored is None or not judges:
        return failed_evaluation(run, samples, readers, causes)
    found = clusters(decisive, run.pending.project_dir, run.known_exchange)
    convergence = replace(scored, agreement=agreement([len(cluster.readers) for cluster in found]))
    # Acts of kinds that all ran in earlier turns of the session are customary. Who set a stricter threshold than the
    # default keeps it.
    kinds = frozenset[str]() if at_once else run.known_effects.kinds_of_acts
    usual = bool(kinds) and thresholds.confidence <= ConfidenceByStakes().irreversible
    if usual and run.parts.store.ran_before(run.known_turn, kinds):
        thresholds = replace(thresholds, confidence=CUSTOMARY_CONFIDENCE)
        run.notes.append(CUSTOMARY)
    verdict, reason = PASSED if at_once else judge(convergence, thresholds)
    few = scored.sample_count < LEAST_TO_DESTROY and readers.name != EMBEDDED
    if verdict == "passed" and run.destructive and few:
        return failed_evaluation(run, samples, readers, [*causes, TOO_FEW])
    texts = _verdict_block_texts(run, convergence, decisive) if verdict == "failed" else NO_TEXTS
    return run.check(
        verdict,
        reason,
        decision_of(verdict, run.settings.mode),
        convergence=convergence,
        thresholds=thresholds,
        samples=tuple(samples),
        clusters=found,
        backend=readers.name,
        model=readers.model,
        detail=texts.agent,
        told=texts.person,
        overrides=verdict == "passed" and run.answers_hold,
        prompt=run.parts.prompt(),
    )


def _least_valid_for_verdict(run: Run, samples: Sequence[Sample]) -> int:
    """How many samples have to be valid: a backend with fewer readers of its own needs all of them."""
    return min(run.parts.least(), max(1, len(samples)))


def _verdict_block_texts(
    run: Run, convergence: Convergence, samples: Sequence[Sample]
) -> messages.BlockTexts:
    thing, ran = held_thing(run), not run.enforces
    if run.chose_reading and run.resolved is not None and not ran:
        return messages.held(thing, "unfit", quote=" / ".join(run.resolved.labels))
    found = offered(run, samples)
    readings = found if len(found) > 1 else ()
    return messages.held(thing, messages.cause_of(convergence, samples, readings), readings, ran=ran)


def failed_evaluation(
    run: Run, samples: Sequence[Sample], readers: Readers | None, causes: Sequence[str]
) -> Check:
    """Too few valid samples: the error policy decides, and the record says that nobody judged."""
    run.notes.extend(dict.fromkeys(cause for cause in causes if cause))
    run.give_back()
    policy = run.settings.error_policy
    if policy == "embedded":
        return replace(instead(run, "sampler_error", "embedded"), samples=tuple(samples))
    return _unjudged_verdict(run, "sampler_error", samples, readers, causes, closed=policy == "closed")


def _unjudged_verdict(
    run: Run,
    reason: Reason,
    samples: Sequence[Sample],
    readers: Readers | None,
    causes: Sequence[str],
    *,
    closed: bool,
) -> Check:
    """Held where the gate enforces and answers closed; else let through."""
    if run.rechecking and not closed:
        return denied_still(run)
    closed = closed and run.enforces
    texts = messages.unjudged(held_thing(run), causes) if closed else NO_TEXTS
    return run.check(
        "failed" if closed else "skipped",
        reason,
        "deny" if closed else "allow",
        samples=tuple(samples),
        backend=readers.name if readers else None,
        model=readers.model if readers else None,
        detail=texts.agent,
        told=texts.person,
    )


def instead(run: Run, reason: Reason, behaviour: str) -> Check:
    """What happens past a budget or without readers: skip, deny, or pass unjudged what rules did not hold."""
    if behaviour == "skip":
        return denied_still(run) if run.rechecking else run.skip(reason)
    if behaviour == "deny":
        cause: messages.Cause = "thin" if reason == "insufficient_context" else "budget"
        texts = messages.held(held_thing(run), cause, ran=not run.enforces)
        return run.deny(reason, texts.agent, told=texts.person)
    if any(one.kind == "agent" for one in run.known_effects.each):
        # No abstention lets one through where no reader judges.
        texts = messages.held(held_thing(run), "agent", ran=not run.enforces)
        samples = samples_of("agents", "context", STARTS_AGENT)
        return by_rule(run, texts, samples, reason if reason == "sampler_error" else "low_confidence")
    if run.rechecking and run.parts.paid():
        return denied_still(run)
    asked = run.parts.paid()
    run.notes.append(f"{reason}: not judged, because no model was asked" if asked else UNJUDGED)
    return run.check("skipped", reason, "allow", backend=EMBEDDED, overrides=run.answers_hold)


SLOT_POLL_SECONDS = 0.02


def _collect_verdict_samples(
    run: Run, readers: Readers, breaker: Breaker | None, admission: rule.Admission | None
) -> Waiting[tuple[tuple[Sample, ...], rule.EvaluationOutcome]]:
    """The readers' samples, none where no slot came free for them, and what they tell of the line to the readers. The
    breaker that let them be asked hears of it."""
    parts, clock = run.parts, run.parts.clock
    samples: tuple[Sample, ...] = ()
    outcome: rule.EvaluationOutcome = "neutral"
    sent: Sent = {}
    if isinstance(readers, CountedReaders):
        readers = readers.telling(sent)
    try:
        until, free = clock.monotonic() + max(0.0, run.seconds_left() - LEAST_READING_SECONDS), False
        while not free:
            with parts.slot() as free:
                if free:
                    samples = yield Collect(readers, run.subject(), run.seconds_left())
                    judging = deciding(samples)
                    outcome = rule.evaluation_outcome(judging, _least_valid_for_verdict(run, judging))
            if not free:
                if clock.monotonic() >= until:
                    break
                yield Sleep(SLOT_POLL_SECONDS)
    finally:
        if breaker is not None and admission is not None:
            parts.store.report(breaker.key, breaker.rules, clock.now(), outcome, admission.token)
        # Books what readers took of the day's budget, however the wait ended: who gives up has sent what was sent.
        count = max(len(samples), len(sent))
        if count:
            cost = max(sum(sample.cost_usd or 0.0 for sample in samples), sum(sent.values()))
            parts.store.add_spend(day_of(clock.now()), cost, count)
    return samples, outcome


def with_notice(run: Run, check: Check) -> Check:
    """What the person is told of this call, with what there is to tell of the readers."""
    from evaluator.intervention.outage import with_outage

    if check.decision == "allow":
        return replace(check, told=run.notice)
    unjudged = check.convergence is None and check.reason in ("sampler_error", "circuit_open")
    return replace(check, told=with_outage(check.told, run.notice, unjudged=unjudged))


def _note_outage_at_gate(run: Run, cause: str | None, until: float | None) -> None:
    session, store, now = run.pending.session_id, run.parts.store, run.parts.clock.now()
    line = run.parts.line()
    found = store.meet_outage(session, line, now, cause) if line else None
    if found is None or not found[1]:
        return
    from evaluator.intervention.outage import outage_begun

    if until is None and run.settings.circuit_breaker.enabled:
        until = rule.shut_until(store.breaker(line), rule.breaker_rules(run.settings), now)
    request = run.known_exchange.request_text
    run.notice = outage_begun(run.settings, line, found[0], until=until, now=now, request=request)
