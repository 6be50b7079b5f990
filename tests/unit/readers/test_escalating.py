"""Readers who are asked one after the other, as long as a look does not end the check."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from apis.scriptedreaders import PATIENCE_SECONDS, PLAN, SUBJECT, Scripted, errors, fails, never, says
from corpora import corpus

from compass.joining.clock import SystemClock
from evaluator.errors import ReaderError
from evaluator.model import Certified, Cuts, Sample, Score, Subject, Thresholds
from evaluator.ports import ReaderReply
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.record import replace as changed
from evaluator.verdict.escalation import look_of

CUTS = Thresholds(0.65, 0.2, None, Certified(Score(), Cuts(0.8, 1.1, 0.1, 0.1)))
FAILS = fails(ReaderError("server", "down"))
DESTRUCTIVE = changed(SUBJECT, effects=changed(SUBJECT.effects, operation_class="destructive"))


def asked(
    *behaviours: Callable[[], Awaitable[ReaderReply]],
    subject: Subject = SUBJECT,
    plan: SamplingPlan = PLAN,
    seconds: float = PATIENCE_SECONDS,
    thresholds: Thresholds = CUTS,
) -> tuple[Scripted, Sequence[Sample]]:
    backend = Scripted(*behaviours)
    numbers = itertools.count(1)
    readers = SampledReaders(
        backend,
        replace(plan, retries=0),
        settled=never,
        clock=SystemClock(),
        nonce=lambda: f"nonce{next(numbers)}",
        look=lambda one: look_of(one, thresholds),
    )
    return backend, readers.collect(subject, seconds)


@corpus(
    ("scores", "calls"),
    [
        ((0.95, 0.9), 2),
        ((0.2, 0.3), 2),
        ((0.7, 0.7, 0.7, 0.7, 0.7), 5),
        ((0.7, 0.8, 1.0, 1.0), 4),
        ((0.6, 0.7, 0.1), 3),
    ],
)
def test_readers_are_asked_until_the_score_leaves_the_zone(scores: tuple[float, ...], calls: int) -> None:
    backend, samples = asked(*map(says, (*scores, 0.5)))
    assert (len(backend.requests), len(samples)) == (calls, calls)
    assert [sample.score for sample in samples] == list(scores[:calls])
    assert [sample.reader for sample in samples] == [f"reader-{n}" for n in range(1, calls + 1)]


def test_no_two_readers_pass_what_destroys_and_two_may_block_it() -> None:
    assert len(asked(says(0.95), subject=DESTRUCTIVE)[1]) == 3
    assert len(asked(says(0.2), subject=DESTRUCTIVE)[1]) == 2


def test_an_answer_that_fails_takes_the_look_at_two_away() -> None:
    """As many as are wanting for the least valid samples are asked at once."""
    backend, samples = asked(FAILS, says(0.95))
    assert len(backend.requests) == 4
    assert errors(samples) == ["server", "valid", "valid", "valid"]


def test_readers_who_all_fail_are_each_asked_once() -> None:
    backend, samples = asked(FAILS)
    assert len(backend.requests) == len(samples) == 5
    assert errors(samples) == ["server"] * 5


def test_a_deadline_ends_it_with_what_is_in() -> None:
    _, samples = asked(says(0.7), says(0.7), says(0.7, after=60.0), seconds=1.0)
    assert errors(samples)[:2] == ["valid", "valid"]
    assert set(errors(samples)[2:]) == {"timeout"}


def test_where_time_is_short_all_the_others_are_asked_at_once() -> None:
    """One after the other three more answers of 0.5 s would not fit into 2 s behind the first two."""
    _, samples = asked(says(0.7, after=0.5), seconds=2.0)
    assert errors(samples) == ["valid"] * 5


def test_without_cuts_for_its_class_all_are_asked_together() -> None:
    backend, samples = asked(says(0.95), thresholds=Thresholds(0.65, 0.2))
    assert len(backend.requests) == len(samples) == 5
