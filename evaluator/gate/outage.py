"""Readers that fail and readers that answer again, as a call meets them. Loaded only where readers were to be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evaluator.breaker import COUNTING, rules_of, until_of
from evaluator.gate.run import Run
from evaluator.model import Check, Sample
from evaluator.record import replace


def shut(run: Run, until: float | None) -> None:
    """The breaker kept the call from asking."""
    _met(run, None, until)


def failed(run: Run, samples: Sequence[Sample]) -> None:
    """An evaluation failed by the line to the readers."""
    kinds = Counter((sample.error or "").partition(":")[0] for sample in samples if not sample.valid)
    causes = [kind for kind, _ in kinds.most_common() if kind in COUNTING]
    _met(run, causes[0] if causes else "", None)


def back(run: Run) -> None:
    """The readers answered."""
    line, now = run.parts.line(run.pending.session_id), run.parts.clock.now()
    found = run.parts.store.readers_back(run.pending.session_id, line, now) if line else None
    if found is not None:
        from evaluator.intervention.outage import over

        run.notice = over(found, line, now, run.known_exchange.request_text)


def with_notice(run: Run, check: Check) -> Check:
    """What the person is told of this call, with what there is to tell of the readers."""
    from evaluator.intervention.outage import joined

    if check.decision == "allow":
        return replace(check, told=run.notice)
    unjudged = check.convergence is None and check.reason in ("sampler_error", "circuit_open")
    return replace(check, told=joined(check.told, run.notice, unjudged=unjudged))


def _met(run: Run, cause: str | None, until: float | None) -> None:
    session, store, now = run.pending.session_id, run.parts.store, run.parts.clock.now()
    line = run.parts.line(session)
    found = store.meet_outage(session, line, now, cause) if line else None
    if found is None or not found[1]:
        return
    from evaluator.intervention.outage import begun

    outage = found[0]
    if until is None and run.settings.circuit_breaker.enabled:
        until = until_of(store.breaker(line), rules_of(run.settings), now)
    run.notice = begun(
        run.settings,
        line,
        cause=outage.cause,
        since=outage.since,
        until=until,
        now=now,
        request=run.known_exchange.request_text,
    )
