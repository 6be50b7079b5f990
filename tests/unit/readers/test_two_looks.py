"""A quick look of two readers, and a second one of what they do not both find clear."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from apis.loopback_api import answer
from apis.scriptedreaders import PATIENCE_SECONDS, PLAN, SUBJECT, Scripted, readers

from evaluator.egress.prompt import FIRST_SCHEMA, SCHEMA
from evaluator.errors import ReaderError
from evaluator.model import Sample, Subject, Thresholds
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.sampling import SETTLED, SamplingPlan
from evaluator.settings.keys import build
from evaluator.verdict.convergence import deciding, first_look_passes

TWICE = replace(PLAN, first_look=2, at_once=3, risk=0.01)
CUT = Thresholds(0.5, 0.2)
DESTROYS = replace(
    SUBJECT, effects=replace(SUBJECT.effects, operation="delete", operation_class="destructive")
)


class Looks(Scripted):
    """Answers the first look by `first`, a score a request, None for no answer; the second by `second`."""

    def __init__(self, first: list[float | None], second: float) -> None:
        super().__init__(unused)
        self.first, self.second = first, second

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        self.requests.append(request)
        if request.schema != FIRST_SCHEMA:
            return ReaderReply(answer(self.second), cost_usd=0.001)
        score = self.first.pop(0)
        if score is None:
            raise ReaderError("refused", "no")
        return ReaderReply(json.dumps({"score": score, "primary_concern": "none"}), cost_usd=0.0001)


async def unused() -> ReaderReply:
    raise AssertionError


def looked(
    backend: Looks, plan: SamplingPlan = TWICE, cut: Thresholds = CUT, subject: Subject = SUBJECT
) -> list[Sample]:
    return list(readers(backend, plan, cut).collect(subject, PATIENCE_SECONDS))


def test_what_both_find_clear_passes_by_the_first_look_alone() -> None:
    backend = Looks([0.5, 1.0], 0.0)
    found = looked(backend)
    assert [(one.reader, one.look, one.score) for one in found] == [
        ("first-1", "first", 0.5), ("first-2", "first", 1.0),
    ]  # fmt: skip
    assert first_look_passes(found, CUT, destructive=False) and deciding(found) == tuple(found)


@pytest.mark.parametrize("first", [[0.4, 1.0], [1.0, 0.49], [None, 1.0], [1.0, None]])
def test_what_one_of_them_does_not_find_clear_is_looked_at_again(first: list[float | None]) -> None:
    backend = Looks(first, 0.9)
    found = looked(backend)
    assert {one.look for one in found[:2]} == {"first"} and {one.look for one in found[2:]} == {"second"}
    assert not first_look_passes(found, CUT, destructive=False)
    assert [one.score for one in deciding(found)] == [0.9] * 3
    assert [request.schema for request in backend.requests[2:]] == [SCHEMA] * 3


def test_a_destructive_call_and_readers_who_must_agree_get_no_first_look() -> None:
    for backend, cut, subject in (
        (Looks([], 0.9), CUT, DESTROYS),
        (Looks([], 0.9), replace(CUT, agreement=0.5), SUBJECT),
    ):
        assert {one.look for one in looked(backend, cut=cut, subject=subject)} == {"second"}


def test_what_both_looks_took_is_told() -> None:
    backend = Looks([0.1, 0.9], 0.9)
    sent: dict[str, float] = {}
    found = readers(backend, TWICE, CUT).telling(sent).collect(SUBJECT, PATIENCE_SECONDS)
    valid = [one for one in found if one.error is None]
    assert sum(sent.values()) == pytest.approx(sum(one.cost_usd or 0.0 for one in valid))
    assert len(sent) == len(found)


def test_an_answer_that_cannot_pass_ends_the_first_look() -> None:
    import asyncio

    class Slow(Looks):
        async def ask(self, request: ReaderRequest) -> ReaderReply:
            if request.schema == FIRST_SCHEMA and len(self.requests) == 1:
                self.requests.append(request)
                await asyncio.sleep(PATIENCE_SECONDS)
            return await super().ask(request)

    found = looked(Slow([0.1], 0.9))
    assert [one.error for one in found[:2]] == [None, SETTLED] and len(found) == 5


def test_the_strategy_sets_the_looks() -> None:
    twice = SamplingPlan.of(build({}), 5, 8.0)
    assert (twice.first_look, twice.at_once, twice.risk) == (2, 3, 0.01)
    once = SamplingPlan.of(build({"sampling.strategy": "fixed"}), 5, 8.0)
    assert (once.first_look, once.at_once, once.risk) == (0, None, 0.0)
    assert SamplingPlan.of(build({}), 2, 8.0).first_look == 0
