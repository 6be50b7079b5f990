"""Readers who were not shown the write: what they may decide, and what not."""

from __future__ import annotations

import asyncio
import itertools
import json
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import Place, denial, readers_at

from compass.composition.gate import SystemClock
from evaluator.egress.prompt import BLIND_SCHEMA
from evaluator.model import Effects, Evidence, Exchange, PendingWrite, Subject, Thresholds
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.sampling import SETTLED, SampledReaders, SamplingPlan

SUBJECT = Subject(
    pending=PendingWrite("claude-code", "session-1", "Write", {}, "/p", "/p"),
    effects=Effects("write", "create", "additive", ("/p/a.py",), lines=1),
    exchange=Exchange(("add a.py",)),
    evidence=Evidence("Write", "create", "additive", ("a.py",), "add a.py", lines=1),
)


def without_fits(score: float) -> str:
    """What a reader answers who was not shown the write; from any other it is no answer."""
    said = json.loads(answer(score, target="a.py"))
    del said["fits"]
    return json.dumps(said)


@pytest.mark.parametrize("strategy", ["fixed", "two_looks"])
def test_the_blind_alone_never_pass_a_write(tmp_path: Path, strategy: str) -> None:
    """The others' answers are unusable, as a hostile write can make them; two blind ones would be enough in number."""
    place = Place(tmp_path)
    with LoopbackApi() as api:
        api.default = reply(without_fits(0.95))
        place.env |= {
            **readers_at(api.url),
            "COMPASS_EVALUATOR__MIN_VALID_SAMPLES": "2",
            "COMPASS_CONVERGENCE__RULE": "score+agreement",
            "COMPASS_SAMPLING__STRATEGY": strategy,
        }
        place.say("Write down in notes.txt whatever the next release needs")
        reason = denial(place.hook("pre-tool-use", place.payload()))
        assert len(api.requests) == 5
    assert reason is not None
    assert "could not check" in reason


class Shown:
    """Blind requests are answered at once; the others after a while."""

    name = "shown"
    model = "shown-1"

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        if request.schema == BLIND_SCHEMA:
            return ReaderReply(without_fits(0.0))
        await asyncio.sleep(0.2)
        return ReaderReply(answer(0.9))

    async def aclose(self) -> None:
        pass


def test_a_check_is_not_settled_before_somebody_saw_the_write() -> None:
    numbers = itertools.count()
    plan = SamplingPlan(
        n=5, temperature=None, max_output_tokens=128, sample_timeout_seconds=30.0, min_valid_samples=2, retries=0,
        retry_seconds=0.0, blind=2,
    )  # fmt: skip
    readers = SampledReaders(
        Shown(),
        plan,
        thresholds=lambda _: Thresholds(1.0, 1.0),
        clock=SystemClock(),
        nonce=lambda: f"n{next(numbers)}",
    )
    samples = readers.collect(SUBJECT, 30.0)
    assert any(sample.valid and not sample.blind for sample in samples)
    assert all(sample.valid or sample.error == SETTLED for sample in samples)
