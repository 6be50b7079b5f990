"""The client kept warm: the real clients against the loopback API."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from apis.backends import MODEL, REQUEST, Tokens
from apis.loopback_api import LoopbackApi, answer, reply
from apis.warm_clients import pids, play, settled
from running.hookrun import KEY

from evaluator.errors import ReaderError
from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.claude_warm import WarmClaudeBackend

PATIENT = replace(REQUEST, timeout=30.0)


def warm(client: Path, api: LoopbackApi, home: Path, tokens: Tokens, size: int = 2) -> WarmClaudeBackend:
    home.mkdir(exist_ok=True)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": KEY,
    }
    cold = ClaudeCliBackend(MODEL, env, issue=tokens.issue, revoke=tokens.revoke, command=str(client))
    return WarmClaudeBackend(cold, size)


def said(received: Any) -> str:
    (message,) = received.body["messages"]
    return json.dumps(message["content"])


def test_ten_samples_of_one_process_do_not_see_each_other(client, api, tmp_path, tokens):
    backend = warm(client, api, tmp_path / "home", tokens, size=1)

    async def script() -> set[int]:
        seen: set[int] = set()
        costs: set[float | None] = set()
        for number in range(10):
            reply = await backend.ask(replace(PATIENT, user=f"evidence-{number:03d}"))
            assert json.loads(reply.text) == json.loads(answer())
            assert (reply.input_tokens, reply.output_tokens) == (100, 20)
            costs.add(reply.cost_usd and round(reply.cost_usd, 9))
            await settled(backend)
            seen |= pids(backend)
        assert costs == {0.0002}, "each sample costs what it cost itself"
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
    assert len(tokens.issued) == 1 and not tokens.valid, "only the first was asked cold"


def test_a_sample_that_is_given_up_takes_its_process_with_it(client, api, tmp_path, tokens):
    backend = warm(client, api, tmp_path / "home", tokens, size=1)

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


def test_hooks_memory_and_login_of_the_user_are_left_alone(client, api, tmp_path, tokens):
    """Whatever ends a process, nothing of it stays in the home: no session, no lock, no key of its own."""
    home, ran = tmp_path / "home", tmp_path / "a-hook-ran"
    folder = home / ".claude"
    folder.mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("the user's memory")
    hook = [{"hooks": [{"type": "command", "command": f"touch {ran}"}]}]
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd")
    (folder / "settings.json").write_text(json.dumps({"hooks": dict.fromkeys(events, hook)}))
    login = folder / ".credentials.json"
    login.write_text(json.dumps({"claudeAiOauth": {"accessToken": "sk-ant-oat01-of-the-user"}}))
    before = (login.read_bytes(), login.stat().st_mtime_ns)
    backend = warm(client, api, home, tokens, size=1)
    plain = [str(client), "-p", "hello", "--output-format", "json"]
    subprocess.run(
        plain, env=dict(backend._cold.env), cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert ran.exists(), "without our flags its hooks run"
    ran.unlink()
    kept_of_it = files(folder / "projects")

    async def script() -> None:
        for _ in range(3):
            await backend.ask(PATIENT)
            await settled(backend)
        api.default = reply(delay=20.0)
        with pytest.raises(ReaderError, match="timeout"):
            await backend.ask(replace(PATIENT, timeout=0.5))
        await settled(backend)

    play(backend, script)
    assert not ran.exists()
    assert "the user's memory" not in json.dumps([one.body for one in api.requests[1:]])
    assert (login.read_bytes(), login.stat().st_mtime_ns) == before
    assert files(folder / "projects") == kept_of_it
    assert files(folder / "sessions") == set()
    assert not list(home.glob(".claude.json.*"))


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}
