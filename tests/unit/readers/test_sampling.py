"""N readers at once: order, failures, retries, blind ones, what a check reveals, when it ends; its two looks."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from apis import scriptedreaders
from apis.loopback_api import answer, barrier, garbage, hang, reply, reset, status
from apis.scriptedreaders import (
    BLOCKS_ALL,
    PATIENCE_SECONDS,
    PLAN,
    SECRET,
    SUBJECT,
    Scripted,
    errors,
    fails,
    readers,
    said,
    says,
)

from evaluator.egress.prompt import ANSWER_TOKENS, FIRST_SCHEMA, SCHEMA
from evaluator.errors import ReaderError
from evaluator.model import Sample, Subject, Thresholds
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.sampling import SETTLED, SamplingPlan, user_id_of
from evaluator.settings.keys import build
from evaluator.verdict.convergence import deciding, first_look_passes

backend = scriptedreaders.backend


def test_all_readers_are_in_flight_together(api, backend):
    api.default = barrier(5)
    samples = readers(backend).collect(SUBJECT, PATIENCE_SECONDS)
    assert [sample.reader for sample in samples] == [f"reader-{n}" for n in range(1, 6)]
    assert all(sample.valid for sample in samples)
    assert api.in_flight_max == 5


def test_every_sample_has_latency_tokens_and_cost_valid_or_not(api, backend):
    api.default = reply(delay=0.05)
    api.queue(reply("no answer at all", delay=0.05), reply('{"score', stop_reason="max_tokens", delay=0.05))
    samples = readers(backend).collect(SUBJECT, PATIENCE_SECONDS)
    assert sorted(errors(samples)) == ["invalid", "invalid", "valid", "valid", "valid"]
    for sample in samples:
        assert (sample.input_tokens, sample.output_tokens) == (100, 20)
        assert sample.cost_usd == pytest.approx(0.0002)
        assert 40 <= sample.latency_ms < 1000 * PATIENCE_SECONDS


def test_a_request_reveals_no_session_and_no_file_content(api, backend):
    readers(backend).collect(SUBJECT, PATIENCE_SECONDS)
    for received in api.requests:
        assert received.body["metadata"] == {"user_id": user_id_of("session-1")}
        said = json.dumps([received.body, dict(received.headers)])
        assert "session-1" not in said
        assert SECRET not in said
    assert re.fullmatch(r"[0-9a-f]{32}", user_id_of("a\ud800\x00../b"))


def test_one_nonce_a_check_makes_all_its_requests_the_same_to_the_letter(api, backend):
    readers(backend).collect(SUBJECT, PATIENCE_SECONDS)
    users = [received.body["messages"][0]["content"] for received in api.requests]
    nonces = [re.findall(r"<current_request-(\w+)>", user) for user in users]
    assert list(itertools.chain(*nonces)) == ["nonce1"] * 5
    assert len({(received.body["system"], *users) for received in api.requests}) == len(set(users)) == 1


def test_the_answer_gets_the_tokens_that_it_needs():
    small, large = Scripted(says()), Scripted(says())
    readers(small).collect(SUBJECT, PATIENCE_SECONDS)
    readers(large, replace(PLAN, max_output_tokens=4000)).collect(SUBJECT, PATIENCE_SECONDS)
    assert {request.max_output_tokens for request in small.requests} == {ANSWER_TOKENS["second"]}
    assert {request.max_output_tokens for request in large.requests} == {4000}


def test_the_plan_of_a_backend_follows_its_own_settings():
    settings = build({"evaluator.n": 7})
    paid, nested = (
        SamplingPlan.of(settings, *kind_of(name).sampling(settings)) for name in ("anthropic", "claude-cli")
    )
    assert (paid.n, paid.sample_timeout_seconds) == (7, 8.0)
    assert (nested.n, nested.sample_timeout_seconds) == (3, 15.0)


def test_failed_readers_become_invalid_samples_and_lose_none_of_the_others(api, backend):
    api.queue(status(401), status(400), garbage())
    samples = readers(backend, replace(PLAN, retries=0)).collect(SUBJECT, PATIENCE_SECONDS)
    assert sorted(errors(samples)) == ["authentication", "invalid", "refused", "valid", "valid"]
    samples = readers(Scripted(fails(KeyError("x")), says())).collect(SUBJECT, PATIENCE_SECONDS)
    assert [sample.error for sample in samples] == ["invalid: the reader crashed (KeyError)"] + [None] * 4


@pytest.mark.parametrize("behaviour", [status(429), status(500), status(529), reset()])
def test_what_may_pass_is_asked_again_once(api, backend, behaviour):
    api.queue(behaviour)
    samples = readers(backend, replace(PLAN, n=1)).collect(SUBJECT, PATIENCE_SECONDS)
    assert errors(samples) == ["valid"]
    assert len(api.requests) == 2
    assert samples[0].latency_ms >= 50


@pytest.mark.parametrize(
    ("code", "retry_after", "asked"),
    [
        (500, None, 2), (429, 0.4, 2), (429, 2 * PATIENCE_SECONDS, 1), (400, None, 1), (401, None, 1),
        (404, None, 1),
    ],
)  # fmt: skip
def test_what_stays_is_asked_no_more_than_allowed_and_once_the_server_wants_it(
    api, backend, code, retry_after, asked
):
    api.default = status(code, retry_after=retry_after)
    started = time.monotonic()
    assert not readers(backend, replace(PLAN, n=1)).collect(SUBJECT, PATIENCE_SECONDS)[0].valid
    assert len(api.requests) == asked and time.monotonic() - started < PATIENCE_SECONDS
    if asked == 2:
        assert api.requests[1].at - api.requests[0].at >= (retry_after or 0.0)


def test_blind_readers_are_the_last_and_are_not_shown_the_write():
    class ByKind(Scripted):
        async def ask(self, request: ReaderRequest) -> ReaderReply:
            self.requests.append(request)
            given = json.loads(answer())
            return ReaderReply(json.dumps({name: given[name] for name in request.schema["properties"]}))

    backend = ByKind()
    samples = readers(backend, replace(PLAN, blind=2)).collect(SUBJECT, PATIENCE_SECONDS)
    assert [sample.blind for sample in samples] == [False, False, False, True, True]
    assert [sample.fits for sample in samples] == [True, True, True, None, None]
    assert all(sample.valid for sample in samples)
    shown = ["a.py" in request.user.replace("add a.py", "") for request in backend.requests]
    assert sorted(shown) == [False, False, True, True, True]


def test_a_blind_readers_answer_that_speaks_of_the_write_is_invalid():
    speaks = Scripted(lambda: said(answer()))
    samples = readers(speaks, replace(PLAN, blind=1)).collect(SUBJECT, PATIENCE_SECONDS)
    assert [sample.valid for sample in samples] == [True, True, True, True, False]


def test_one_hung_sample_costs_its_timeout_and_no_more():
    """The others answer in their first turn on the loop, before any timer."""
    hung = Scripted(forever, says())
    started = time.monotonic()
    samples = readers(hung, replace(PLAN, sample_timeout_seconds=0.5)).collect(SUBJECT, PATIENCE_SECONDS)
    assert errors(samples) == ["timeout", "valid", "valid", "valid", "valid"]
    assert time.monotonic() - started < PATIENCE_SECONDS / 2


async def forever() -> ReaderReply:
    await asyncio.Event().wait()
    raise AssertionError


def test_the_deadline_of_the_check_ends_samples_that_could_go_on(api, backend):
    api.default = hang()
    started = time.monotonic()
    assert errors(readers(backend).collect(SUBJECT, 1.0)) == ["timeout"] * 5
    assert time.monotonic() - started < PATIENCE_SECONDS / 2


def test_the_samples_before_a_stop_of_the_caller_are_cancelled():
    ended: list[str] = []

    async def slow() -> ReaderReply:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("cancelled")
        raise AssertionError

    async def leave() -> None:
        task = asyncio.create_task(readers(Scripted(slow)).collect_async(SUBJECT, PATIENCE_SECONDS))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert ended == ["cancelled"] * 5


def test_a_lookup_that_never_ends_does_not_keep_the_process_alive():
    program = """
import asyncio, time
from evaluator.readers import event_loop

async def stuck():
    return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, time.sleep, 60), 0.1)

async def nothing():
    pass

try:
    event_loop.run_to_end(stuck(), nothing(), 0.1)
except TimeoutError:
    print("let go")
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("let go\n", "")


def test_collect_closes_the_connections_and_can_be_called_again(backend):
    judge = readers(backend)
    assert all(sample.valid for _ in range(2) for sample in judge.collect(SUBJECT, PATIENCE_SECONDS))
    scripted = Scripted(says())
    readers(scripted).collect(SUBJECT, PATIENCE_SECONDS)
    assert scripted.closed == 1


def test_what_cannot_change_the_verdict_is_cancelled(api, backend):
    api.queue(*(reply(answer(0.1)) for _ in range(3)), hang(), hang())
    started = time.monotonic()
    samples = readers(backend, thresholds=Thresholds(0.5, 0.2)).collect(SUBJECT, PATIENCE_SECONDS)
    assert time.monotonic() - started < PATIENCE_SECONDS / 2
    assert sorted(sample.error or "" for sample in samples) == ["", "", "", SETTLED, SETTLED]


def test_no_sample_is_cancelled_before_the_minimum_is_valid():
    refused = fails(ReaderError("refused", "no"))
    backend = Scripted(says(), says(), refused, refused, says(after=0.2))
    samples = readers(backend, thresholds=BLOCKS_ALL).collect(SUBJECT, PATIENCE_SECONDS)
    assert errors(samples) == ["valid", "valid", "refused", "refused", "valid"]


@pytest.mark.parametrize(("thresholds", "asked"), [(BLOCKS_ALL, 3), (None, 5)])
def test_a_second_look_asks_the_others_only_if_the_first_do_not_settle_it(thresholds, asked):
    backend = Scripted(lambda: said(answer()))
    samples = readers(backend, replace(PLAN, at_once=3), thresholds).collect(SUBJECT, PATIENCE_SECONDS)
    assert len(backend.requests) == len(samples) == asked
    assert all(sample.valid for sample in samples)


# A quick look of two readers, and a second one of what they do not both find clear


TWICE = replace(PLAN, first_look=2, at_once=3, risk=0.01)
CUT = Thresholds(0.5, 0.2)
DESTROYS = replace(
    SUBJECT, effects=replace(SUBJECT.effects, operation="delete", operation_class="destructive")
)


class Looks(Scripted):
    """Answers the first look by `first`, a score a request, None for no answer; the second by `second`."""

    def __init__(self, first: list[float | None], second: float) -> None:
        super().__init__(forever)
        self.first, self.second = first, second

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        self.requests.append(request)
        if request.schema != FIRST_SCHEMA:
            return ReaderReply(answer(self.second), cost_usd=0.001)
        score = self.first.pop(0)
        if score is None:
            raise ReaderError("refused", "no")
        return ReaderReply(json.dumps({"score": score, "primary_concern": "none"}), cost_usd=0.0001)


def looked(
    backend: Looks, plan: SamplingPlan = TWICE, cut: Thresholds = CUT, subject: Subject = SUBJECT
) -> list[Sample]:
    return list(readers(backend, plan, cut).collect(subject, PATIENCE_SECONDS))


def test_what_both_find_clear_passes_by_the_first_look_alone() -> None:
    found = looked(Looks([0.5, 1.0], 0.0))
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
    for cut, subject in ((CUT, DESTROYS), (replace(CUT, agreement=0.5), SUBJECT)):
        assert {one.look for one in looked(Looks([], 0.9), cut=cut, subject=subject)} == {"second"}


def test_what_both_looks_took_is_told() -> None:
    backend = Looks([0.1, 0.9], 0.9)
    sent: dict[str, float] = {}
    found = readers(backend, TWICE, CUT).telling(sent).collect(SUBJECT, PATIENCE_SECONDS)
    valid = [one for one in found if one.error is None]
    assert sum(sent.values()) == pytest.approx(sum(one.cost_usd or 0.0 for one in valid))
    assert len(sent) == len(found)


def test_an_answer_that_cannot_pass_ends_the_first_look() -> None:
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
