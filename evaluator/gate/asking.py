"""Asks hosted readers: behind the breaker, within one of the machine's slots, and booked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator.breaker import Admission, EvaluationOutcome, outcome_of
from evaluator.gate.run import Collect, Parts, Pause, Waiting
from evaluator.model import Sample, Subject
from evaluator.ports import CountedReaders, Readers, Sent
from evaluator.record import Record
from evaluator.stamps import day_of
from evaluator.trigger.budget import day_is_spent
from evaluator.verdict.decision import deciding

Seconds = Callable[[], float]
SLOT_POLL_SECONDS = 0.02


class Asked(Record):
    """`samples` are none where the breaker is open, or no slot came free. `admission` None: no breaker is in use."""

    samples: tuple[Sample, ...] = ()
    outcome: EvaluationOutcome = "neutral"
    admission: Admission | None = None

    @property
    def shut(self) -> bool:
        return self.admission is not None and self.admission.answer == "open"


def asked(
    parts: Parts,
    readers: Readers,
    subject: Subject,
    *,
    waits: float,
    left: Seconds,
    least: Callable[[Sequence[Sample]], int],
) -> Waiting[Asked]:
    """`waits` seconds for a slot, `left` those for the readers once there is one; `least` of the samples that decide
    have to be valid.
    """
    session, store = subject.pending.session_id, parts.store
    breaker = parts.breaker(session)
    admission = store.admit(breaker.key, breaker.rules, parts.clock.now()) if breaker else None
    if admission is not None and admission.answer == "open":
        return Asked(admission=admission)
    samples: tuple[Sample, ...] = ()
    outcome: EvaluationOutcome = "neutral"
    sent: Sent = {}
    if isinstance(readers, CountedReaders):
        readers = readers.telling(sent)
    try:
        until, free = parts.clock.monotonic() + waits, False
        while not free:
            with parts.slot(0.0) as free:
                if free:
                    samples = yield Collect(readers, subject, left())
                    judging = deciding(samples)
                    outcome = outcome_of(judging, least(judging))
            if not free:
                if parts.clock.monotonic() >= until:
                    break
                yield Pause(SLOT_POLL_SECONDS)
    finally:
        if breaker is not None and admission is not None:
            store.report(breaker.key, breaker.rules, parts.clock.now(), outcome, admission.token)
        _book(parts, samples, sent)
    return Asked(samples, outcome, admission)


def _book(parts: Parts, samples: Sequence[Sample], sent: Sent) -> None:
    """However the wait ended: who gives up has sent what was sent."""
    count = max(len(samples), len(sent))
    if count:
        cost = max(sum(sample.cost_usd or 0.0 for sample in samples), sum(sent.values()))
        parts.store.add_spend(day_of(parts.clock.now()), cost, count)


def is_spent(parts: Parts) -> bool:
    """Whether the day has no dollars, or no samples, left for hosted readers."""
    store, day = parts.store, day_of(parts.clock.now())
    return day_is_spent(parts.settings, lambda: store.spent(day), lambda: store.samples_of(day))
