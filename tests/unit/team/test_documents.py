"""Requests and answers of a team's evaluator, and what an evaluation used, in US dollars."""

import asyncio
import contextlib
import json
from typing import Any

import pytest
from apis.backends import REQUEST as READER_REQUEST
from corpora import corpus
from pydantic import ValidationError
from samples.team_requests import EVIDENCE, REQUEST

from compass.team.documents import faults_of
from compass.team.provider import Metered
from evaluator.errors import PayloadError, ReaderError
from evaluator.model import Reading, Sample, Thresholds
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers.response import fault_of_status
from evaluator.readers.team.documents import (
    TEXT_CHARS_MAX,
    EvaluationDocument,
    EvaluationRequestDocument,
    read,
)
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, evaluation_document, request_document
from evaluator.record import replace

SAMPLE = Sample(
    "reader-1", 0.9, "none", "named", Reading("change", "session.py", "one_file"), fits=True, latency_ms=412,
    input_tokens=100, output_tokens=20, cost_usd=0.0002,
)  # fmt: skip
EVALUATION = Evaluation("01J", "anthropic", "m", "f", (SAMPLE, Sample("reader-2", error="timeout: late")))


def request_of(found: object) -> EvaluationRequest:
    return EvaluationRequestDocument.model_validate(found).record()


def sent(request: Any = REQUEST) -> dict[str, Any]:
    return json.loads(json.dumps(request_document(request)))


def body(**changes: object) -> dict[str, object]:
    return sent() | changes


def answered() -> dict[str, Any]:
    return json.loads(json.dumps(evaluation_document(EVALUATION)))


@pytest.mark.parametrize(
    "request_",
    [
        REQUEST,
        replace(REQUEST, waited=3.5, blind=2, repository="", session=""),
        replace(REQUEST, thresholds=Thresholds(0.65, 0.2, 0.5, 0.1)),
        replace(REQUEST, evidence=replace(EVIDENCE, lines=3, symbols=("a", "b"), command="rm \u2028\ud800x")),
    ],
)
def test_a_request_comes_back_as_it_was_sent(request_):
    assert request_of(sent(request_)) == request_


def test_an_answer_comes_back_as_it_was_sent():
    assert read(EvaluationDocument, answered()).record() == EVALUATION


@corpus(
    ("wrong", "named"),
    [
        ([], "the body"),
        (body(surprise=1), "surprise"),
        (body(seconds="1"), "seconds"),
        (body(seconds=float("nan")), "seconds"),
        (body(seconds=10**400), "seconds"),
        (body(waited=-1), "waited"),
        (body(repository="../../x"), "repository"),
        (body(blind=1.5), "blind"),
        (body(evidence={}), "operation"),
        (body(evidence=sent()["evidence"] | {"contents": ["x"]}), "contents"),
        (body(evidence=sent()["evidence"] | {"targets": ["x"] * 2000}), "targets"),
        (body(evidence=sent()["evidence"] | {"command": "x" * (TEXT_CHARS_MAX + 1)}), "command"),
        (body(evidence=sent()["evidence"] | {"operation": "burn"}), "operation"),
        (body(evidence={"operation": "edit", "operation_class": "modifying"}), "missing"),
        (body(thresholds={"confidence": 0.5, "deviation": "x"}), "deviation"),
    ],
)
def test_what_is_not_as_stated_is_refused_by_name(wrong, named):
    with pytest.raises(ValidationError) as refused:
        request_of(wrong)
    assert named in faults_of(refused.value.errors())


@corpus(
    "changes",
    [
        {"score": 1.2},
        {"score": "0.9"},
        {"score": float("nan")},
        {"score": 10**400},
        {"primary_concern": "all of it"},
        {"reading": {"action": "destroy", "target": "", "extent": "one_file"}},
        {"fits": "yes"},
        # What is paid less than nothing for would make room under a cap.
        {"cost_usd": -1.0},
        {"cost_usd": float("nan")},
    ],
)
def test_an_answer_that_no_evaluator_gives_is_no_verdict(changes):
    found = answered()
    found["samples"][0] |= changes
    with pytest.raises(PayloadError):
        read(EvaluationDocument, found)


def test_what_another_version_says_besides_is_passed_over():
    found = answered()
    found["samples"][0]["holds"] = False
    assert read(EvaluationDocument, found).record() == EVALUATION


# What an evaluation used, where answers fail in all their ways


class Answers:
    """A backend that does what it is told, one thing a request."""

    name, model = "toy", "toy"

    def __init__(self, *does: ReaderReply | Exception) -> None:
        self._does = list(does)

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        if not self._does:
            await asyncio.sleep(60)
        found = self._does.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    async def aclose(self) -> None: ...


def asked(most: float | None, *does: ReaderReply | Exception) -> Metered:
    backend = Metered(Answers(*does), most)

    async def ask() -> None:
        for _ in does:
            with contextlib.suppress(ReaderError):
                await backend.ask(READER_REQUEST)

    asyncio.run(ask())
    return backend


KNOWN, UNPRICED = ReaderReply("x", cost_usd=0.1), ReaderReply("x")


@corpus(
    ("most", "does", "usd"),
    [
        (0.5, [KNOWN, UnusableReplyError("y", ReaderReply("", cost_usd=0.2))], 0.3),
        # What a gateway says tells nothing of the use.
        (0.5, [fault_of_status(504, "x"), fault_of_status(503, "x")], 0.5),
        *(
            (0.5, [ReaderError(kind, "x")], 0.0)
            for kind in ("rate", "limit", "authentication", "refused", "server")
        ),
        # A fault that leaves the use unknown is booked at the most.
        *((0.5, [ReaderError(kind, "x")], 0.5) for kind in ("timeout", "transport", "invalid")),
        # An answer without a price leaves the sum unknown, and a price that only the answers tell counts.
        *((most, [KNOWN, UNPRICED], None) for most in (None, 0.5)),
        (None, [KNOWN], 0.1),
        (None, [KNOWN, ReaderError("timeout", "late")], None),
    ],
)
def test_an_evaluation_is_booked_at_what_its_answers_cost_or_may_have_cost(most, does, usd):
    meter = asked(most, *does)
    assert meter.usd == (usd and pytest.approx(usd)) and meter.requests == len(does)


def test_a_request_that_is_cancelled_is_booked_at_the_most():
    async def cancelled() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await meter.ask(READER_REQUEST)

    meter = Metered(Answers(), 0.5)
    asyncio.run(cancelled())
    assert meter.usd == 0.5
