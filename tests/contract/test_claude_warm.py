"""The client kept warm: the real one against the loopback API, and what becomes of processes that misbehave."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from apis.backends import CLIENT, KEY, MODEL, REQUEST, Fake, Tokens, claude_result, cli_backend
from apis.loopback_api import LoopbackApi, answer, status
from apis.warm_clients import pids, settled

from evaluator.errors import ReaderError
from evaluator.readers import claude_warm
from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.claude_warm import WarmClaudeBackend

PATIENT = replace(REQUEST, timeout=30.0)
real = pytest.mark.e2e


def warm(api: LoopbackApi, home: Path, tokens: Tokens, size: int = 2) -> WarmClaudeBackend:
    home.mkdir(exist_ok=True)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": KEY,
    }
    cold = ClaudeCliBackend(MODEL, env, issue=tokens.issue, revoke=tokens.revoke, command=str(CLIENT))
    return WarmClaudeBackend(cold, size)


def play(backend: WarmClaudeBackend, script: Callable[[], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        try:
            return await script()
        finally:
            await backend.aclose()

    return asyncio.run(whole())


def said(received: Any) -> str:
    (message,) = received.body["messages"]
    return json.dumps(message["content"])


@real
def test_ten_samples_of_one_process_do_not_see_each_other(
    api: LoopbackApi, tmp_path: Path, tokens: Tokens
) -> None:
    backend = warm(api, tmp_path / "home", tokens, size=1)

    async def script() -> set[int]:
        seen: set[int] = set()
        for number in range(10):
            reply = await backend.ask(replace(PATIENT, user=f"evidence-{number:03d}"))
            assert json.loads(reply.text) == json.loads(answer())
            assert (reply.input_tokens, reply.output_tokens) == (100, 20)
            await settled(backend)
            seen |= pids(backend)
        return seen

    assert len(play(backend, script)) == 1, "one process answered all"
    bodies = [one for one in api.requests if one.path.startswith("/v1/messages")]
    assert len(bodies) == 10
    for number, received in enumerate(bodies):
        text = said(received)
        assert [other for other in range(10) if f"evidence-{other:03d}" in text] == [number]
        assert [tool["name"] for tool in received.body["tools"]] == ["StructuredOutput"]
        assert "the rules" in json.dumps(received.body["system"])
    assert not list((tmp_path / "home").glob(".claude/projects/**/*")), "nothing is kept of a sample"
    assert tokens.issued == [], "a kept process holds no token that opens anything"


@real
def test_samples_that_are_asked_together_have_a_process_each_and_all_end(
    api: LoopbackApi, tmp_path: Path, tokens: Tokens
) -> None:
    backend = warm(api, tmp_path / "home", tokens)

    async def script() -> set[int]:
        await asyncio.gather(*(backend.ask(replace(PATIENT, user=f"evidence-{n}")) for n in range(2)))
        await settled(backend)
        return pids(backend)

    started = play(backend, script)
    assert len(started) == 2
    assert not any(Path(f"/proc/{pid}/stat").exists() for pid in started)


@real
def test_a_process_that_is_killed_and_a_refusal_of_the_api_are_followed_by_a_new_process(
    api: LoopbackApi, tmp_path: Path, tokens: Tokens
) -> None:
    backend = warm(api, tmp_path / "home", tokens, size=1)

    async def script() -> list[set[int]]:
        await backend.ask(PATIENT)
        await settled(backend)
        seen = [pids(backend)]
        os.kill(*seen[0], signal.SIGKILL)
        assert json.loads((await backend.ask(PATIENT)).text) == json.loads(answer())
        await settled(backend)
        seen.append(pids(backend))
        api.default = status(529, "overloaded")
        with pytest.raises(ReaderError) as raised:
            await backend.ask(PATIENT)
        assert (raised.value.kind, raised.value.retryable) == ("server", True)
        await settled(backend)
        seen.append(pids(backend))
        return seen

    first, second, third = play(backend, script)
    assert first.isdisjoint(second) and second.isdisjoint(third)
    assert all(len(one) <= 1 for one in (first, second, third))


@real
def test_a_sample_that_is_given_up_takes_its_process_with_it(
    api: LoopbackApi, tmp_path: Path, tokens: Tokens
) -> None:
    backend = warm(api, tmp_path / "home", tokens, size=1)

    async def script() -> bool:
        await backend.ask(PATIENT)
        await settled(backend)
        before = pids(backend)
        given_up = asyncio.ensure_future(backend.ask(replace(PATIENT, user="given up")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        await settled(backend)
        await backend.ask(replace(PATIENT, user="the next one"))
        return before.isdisjoint(pids(backend))

    assert play(backend, script)
    assert "given up" not in said(api.requests[-1])


@real
@pytest.mark.parametrize(
    ("limit", "value"), [("SAMPLES_MAX", 1), ("AGE_SECONDS_MAX", 0.0), ("IDLE_SECONDS", 0.0)]
)
def test_nothing_is_kept_for_ever(
    api: LoopbackApi,
    tmp_path: Path,
    tokens: Tokens,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    value: float,
) -> None:
    monkeypatch.setattr(claude_warm, limit, value)
    backend = warm(api, tmp_path / "home", tokens, size=1)

    async def script() -> set[int]:
        await backend.ask(PATIENT)
        before = pids(backend)
        await settled(backend)
        await asyncio.sleep(0.01)
        await settled(backend)
        return before & pids(backend)

    assert play(backend, script) == set()


def test_a_client_that_cannot_be_kept_is_asked_cold(fake: Fake, tokens: Tokens) -> None:
    """The fake program knows no `--input-format`, as an old client."""
    backend = WarmClaudeBackend(cli_backend(fake, tokens), 2)
    fake.plan(claude_result(result=answer()))

    async def script() -> list[str]:
        return [(await backend.ask(PATIENT)).text for _ in range(claude_warm.SURPRISES_MAX + 2)]

    assert play(backend, script) == [answer()] * (claude_warm.SURPRISES_MAX + 2)
    assert len(tokens.issued) == claude_warm.SURPRISES_MAX + 2 and not tokens.valid
