"""Asks the readers, and what comes of it; what happens without them. Loaded only by a call that gets this far."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.backends import EMBEDDED
from evaluator.gate.asking import asked
from evaluator.gate.naming import deny, held_thing, offered
from evaluator.gate.run import Run, Waiting
from evaluator.intervention import telling
from evaluator.model import LEAST_TO_DESTROY, Check, Convergence, Reason, Sample
from evaluator.ports import Readers
from evaluator.record import replace
from evaluator.verdict import decision
from evaluator.verdict.convergence import converge
from evaluator.verdict.readings import agreement, clusters

SHUT = "the readers failed again and again, and are not asked for a while"
STARTS_AGENT = "it starts another coding agent, and only a reader or the user can judge what that is told"
TOO_FEW = f"fewer than {LEAST_TO_DESTROY} valid answers pass nothing that destroys"
UNJUDGED = "not judged: no model reads here"
NO_TEXTS = telling.BlockTexts("", "")
LEAST_READING_SECONDS = 2.0
"""What a check that waits for a free slot keeps for its readers."""


def ask(run: Run) -> Waiting[Check]:
    """Ask the readers, behind the breaker and one of the machine's slots, and judge whether they converge."""
    readers = run.parts.readers()
    forbidden = run.settings.data_egress.forbids(readers.name)
    if forbidden:
        return _forbidden(run, readers, forbidden)
    if readers.name == EMBEDDED and not run.parts.measures:
        return instead(run, "insufficient_context", EMBEDDED)
    if not run.parts.paid():
        return _judged(run, readers, readers.collect(run.subject(), run.seconds_left()))
    from evaluator.gate import outage

    found = yield from asked(
        run.parts,
        readers,
        run.subject(),
        waits=max(0.0, run.seconds_left() - LEAST_READING_SECONDS),
        left=run.seconds_left,
        least=lambda samples: _least_valid(run, samples),
    )
    samples, admission = found.samples, found.admission
    if admission is not None and found.shut:
        outage.shut(run, admission.until)
        return _shut(run, readers, ())
    if found.outcome == "failure":
        outage.failed(run, samples)
    elif found.outcome == "success":
        outage.back(run)
    if admission is not None and admission.answer == "probe" and found.outcome == "failure":
        return _shut(run, readers, samples)
    if not samples:
        return failed_evaluation(run, (), readers, ["rate: too many checks at once on this machine"])
    return _judged(run, readers, samples)


def _shut(run: Run, readers: Readers, samples: Sequence[Sample]) -> Check:
    """No reader may be asked, or a probe of them failed: as a failed evaluation, unless the user set `open_behavior`.

    A destructive call never passes unjudged.
    """
    run.give_back()
    behaviour = run.settings.circuit_breaker.behaviour(run.settings.error_policy)
    # What the probe met is for `explain`, whoever judged in its place.
    met = tuple(sample for sample in samples if not sample.valid)
    if behaviour == "fail_closed":
        causes = [SHUT, *(sample.error or "" for sample in met)]
        return _unjudged(run, "circuit_open", met, readers, causes, closed=True)
    skips = behaviour == "fail_open" and not run.destructive
    found = instead(run, "circuit_open", "skip" if skips else "embedded")
    return replace(found, samples=(*met, *found.samples))


def _forbidden(run: Run, readers: Readers, why: str) -> Check:
    """Evidence may not go to these readers: held whatever the error policy, but for rules where those may judge."""
    run.notes.append(why)
    run.give_back()
    if run.settings.error_policy == "embedded" and not run.settings.data_egress.forbids(EMBEDDED):
        return instead(run, "sampler_error", "embedded")
    texts = telling.unjudged(held_thing(run), [why], f"{why}.")
    return _unjudged(run, "sampler_error", (), readers, [why], closed=True, texts=texts)


def _judged(run: Run, readers: Readers, samples: Sequence[Sample]) -> Check:
    """By the second look where there was one; the first one's samples are then kept beside it."""
    thresholds = run.thresholds()
    deciding = decision.deciding(samples)
    at_once = decision.first_look_passes(deciding, thresholds, destructive=run.destructive)
    scored = converge(deciding, decision.FIRST_LOOK if at_once else _least_valid(run, deciding))
    # Readers who were not shown the write cannot pass it by themselves, and a first look holds nothing.
    judges = [one for one in deciding if one.valid and not one.blind and (at_once or one.look == "second")]
    if scored is None or not judges:
        return failed_evaluation(run, samples, readers, [sample.error or "" for sample in samples])
    found = clusters(deciding, run.pending.project_dir, run.known_exchange)
    convergence = replace(scored, agreement=agreement([len(cluster.readers) for cluster in found]))
    verdict, reason = decision.PASSED if at_once else decision.judge(convergence, thresholds)
    few = scored.sample_count < LEAST_TO_DESTROY and readers.name != EMBEDDED
    if verdict == "passed" and run.destructive and few:
        return failed_evaluation(
            run, samples, readers, [*(sample.error or "" for sample in samples), TOO_FEW]
        )
    decided = decision.decision_of(verdict, run.settings.mode)
    texts = NO_TEXTS
    if verdict == "failed":
        texts = _told(run, convergence, deciding, ran=decided == "allow")
    return run.check(
        verdict,
        reason,
        decided,
        convergence=convergence,
        thresholds=thresholds,
        samples=samples,
        clusters=found,
        backend=readers.name,
        model=readers.model,
        detail=texts.agent,
        told=texts.person,
        overrides=verdict == "passed" and run.answers_hold,
        prompt=run.parts.prompt(),
    )


def _least_valid(run: Run, samples: Sequence[Sample]) -> int:
    """A backend with fewer readers of its own than have to be valid needs all of them."""
    return min(run.parts.least(), max(1, len(samples)))


def _told(run: Run, convergence: Convergence, samples: Sequence[Sample], *, ran: bool) -> telling.BlockTexts:
    thing = held_thing(run)
    if run.chose_reading and run.resolved is not None and not ran:
        return telling.held(thing, "unfit", quote=" / ".join(run.resolved.labels))
    found = offered(samples, run.pending, run.known_effects, run.known_exchange)
    readings = found if len(found) > 1 else ()
    return telling.held(thing, telling.cause_of(convergence, samples, readings), readings, ran=ran)


def failed_evaluation(
    run: Run, samples: Sequence[Sample], readers: Readers | None, causes: Sequence[str]
) -> Check:
    """Too few valid samples: the error policy decides, and the record says that nobody judged."""
    run.notes.extend(dict.fromkeys(cause for cause in causes if cause))
    run.give_back()
    policy = run.settings.error_policy
    if policy == "embedded":
        return replace(instead(run, "sampler_error", "embedded"), samples=tuple(samples))
    return _unjudged(run, "sampler_error", samples, readers, causes, closed=policy == "closed")


def _unjudged(
    run: Run,
    reason: Reason,
    samples: Sequence[Sample],
    readers: Readers | None,
    causes: Sequence[str],
    *,
    closed: bool,
    texts: telling.BlockTexts | None = None,
) -> Check:
    """Held where the gate enforces and answers closed; else let through. `texts` None: those of readers that fail."""
    if run.rechecking and not closed:
        return _held_still(run)
    closed = closed and run.enforces
    texts = (texts or telling.unjudged(held_thing(run), causes)) if closed else NO_TEXTS
    return run.check(
        "failed" if closed else "skipped",
        reason,
        "deny" if closed else "allow",
        samples=samples,
        backend=readers.name if readers else None,
        model=readers.model if readers else None,
        detail=texts.agent,
        told=texts.person,
    )


def instead(run: Run, reason: Reason, behaviour: str) -> Check:
    """What happens past a budget or without readers: skip, deny, or pass unjudged what rules did not hold."""
    if behaviour == "skip":
        return _held_still(run) if run.rechecking else run.skip(reason)
    if behaviour == "deny":
        texts = telling.held(held_thing(run), "thin" if reason == "insufficient_context" else "budget")
        return deny(run, reason, reason.replace("_", " "), texts)
    if any(one.kind == "agent" for one in run.known_effects.each):
        return _starts_agent(run, reason)
    if run.rechecking and run.parts.paid():
        return _held_still(run)
    run.notes.append(UNJUDGED if not run.parts.paid() else f"{reason}: not judged, no model was asked")
    return run.check("skipped", reason, "allow", backend=EMBEDDED, overrides=run.answers_hold)


def _starts_agent(run: Run, reason: Reason) -> Check:
    """No abstention lets another agent through."""
    texts = telling.held(held_thing(run), "agent", ran=not run.enforces)
    convergence = Convergence(0.0, 0.0, 1, "context", STARTS_AGENT)
    return run.check(
        "failed",
        reason if reason == "sampler_error" else "low_confidence",
        decision.decision_of("failed", run.settings.mode),
        convergence=convergence,
        thresholds=run.thresholds(),
        samples=(Sample("agents", 0.0, "context", STARTS_AGENT, cost_usd=0.0),),
        backend=EMBEDDED,
        detail=texts.agent,
        told=texts.person,
    )


def _held_still(run: Run) -> Check:
    from evaluator.gate.consulting import denied_still

    return denied_still(run)
