"""The contract of a Backend, run over the real SDK and a `claude` program: real sockets, real processes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from apis.backends import (
    MODEL,
    REQUEST,
    Fake,
    Tokens,
    api_backend,
    ask,
    claude_error,
    claude_result,
    cli_backend,
    fault,
)
from apis.loopback_api import Behaviour, LoopbackApi, answer, garbage, hang, reply, status
from running.hookrun import KEY

from evaluator.ports import Backend, UnusableReplyError


@dataclass
class World:
    """A backend, and how to tell what stands behind it what to do next."""

    backend: Backend
    will: Callable[[str], None]


API_CASES: dict[str, Behaviour] = {
    "answer": reply(),
    "400": status(400, "schema is too deep"),
    "401": status(401, f"invalid key {KEY}\nx-api-key: {KEY}"),
    "403": status(403, "no access"),
    "404": status(404, "model not found"),
    "429": status(429, "slow down", retry_after=1.5),
    "500": status(500, "oops"),
    "529": status(529, "overloaded"),
    "hang": hang(),
    "garbage": garbage(),
    "cut off": reply('{"reading"', stop_reason="max_tokens"),
    "refusal": reply("no", stop_reason="refusal"),
    "empty": reply(""),
}

CLI_CASES: dict[str, dict[str, object]] = {
    "answer": claude_result(result="ignored", structured_output=json.loads(answer())),
    "400": claude_error("API Error: 400 schema is too deep", api_error_status=400),
    "401": claude_error(f"Failed to authenticate. API Error: 401\n{KEY}", api_error_status=401),
    "403": claude_error("API Error: 403 no access", api_error_status=403),
    "404": claude_error("There's an issue with the selected model", api_error_status=404),
    "429": claude_error("API Error: Request rejected (429)", api_error_status=429),
    "500": claude_error("API Error: 500 oops", api_error_status=500),
    "529": claude_error("API Error: 529 overloaded", api_error_status=529),
    "hang": {"hang": True},
    "garbage": {"stdout": "Segmentation fault", "code": 0},
    "cut off": claude_error("API Error: response exceeded", api_error="max_output_tokens"),
    "refusal": claude_error("API Error: can't help with this", stop_reason="refusal"),
    "empty": claude_result(result=""),
}


@pytest.fixture(params=["anthropic", "claude-cli"])
def world(request: pytest.FixtureRequest, api: LoopbackApi, fake: Fake, tokens: Tokens) -> World:
    if request.param == "anthropic":
        return World(api_backend(api), lambda case: api.queue(API_CASES[case]))
    return World(cli_backend(fake, tokens), lambda case: fake.plan(CLI_CASES[case]))


def test_an_answer_comes_as_text_with_its_tokens_and_cost(world):
    world.will("answer")
    given = ask(world.backend)
    assert json.loads(given.text) == json.loads(answer())
    assert (given.input_tokens, given.output_tokens) == (100, 20)
    assert given.cost_usd == pytest.approx(0.0002)
    assert (world.backend.name, world.backend.model) in (("anthropic", MODEL), ("claude-cli", MODEL))


@pytest.mark.parametrize(
    ("case", "kind", "retryable"),
    [
        ("400", "refused", False),
        ("401", "authentication", False),
        ("403", "authentication", False),
        ("404", "refused", False),
        ("429", "rate", True),
        ("500", "server", True),
        ("529", "server", True),
        ("garbage", "invalid", False),
        ("cut off", "invalid", False),
        ("refusal", "invalid", False),
        ("empty", "invalid", False),
    ],
)
def test_every_failure_is_a_reader_error_of_its_kind(world, case, kind, retryable):
    world.will(case)
    found = fault(world.backend)
    assert (found.kind, found.retryable) == (kind, retryable)
    assert found.detail.isprintable()
    assert 0 < len(found.detail) <= 480


def test_no_failure_shows_the_key(world):
    world.will("401")
    found = fault(world.backend)
    assert KEY not in str(found)
    assert "ANTHROPIC_API_KEY" in found.detail
    assert "evaluator.backend" in found.detail


@pytest.mark.parametrize("case", ["cut off", "refusal", "empty"])
def test_an_answer_that_cannot_be_used_still_counts_its_tokens(world, case):
    world.will(case)
    found = fault(world.backend)
    assert isinstance(found, UnusableReplyError)
    assert (found.reply.input_tokens, found.reply.output_tokens) == (100, 20)
    assert found.reply.cost_usd == pytest.approx(0.0002)


def test_a_hanging_reader_ends_in_a_timeout(world):
    world.will("hang")
    started = time.monotonic()
    found = fault(world.backend, replace(REQUEST, timeout=0.4))
    assert (found.kind, found.retryable) == ("timeout", False)
    assert time.monotonic() - started < 20.0


def test_a_backend_can_be_asked_again_after_a_failure_on_another_loop(world):
    world.will("500")
    fault(world.backend)
    world.will("answer")
    assert json.loads(ask(world.backend).text)["score"] == 0.9
