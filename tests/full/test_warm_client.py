"""A thousand samples by the real client, kept warm: none sees another, nothing grows, and who is killed is replaced."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

import pytest
from apis.backends import MODEL, REQUEST
from apis.loopback_api import LoopbackApi
from apis.warm_clients import pids as processes_of
from apis.warm_clients import settled
from e2e.install_client import VERSION, find
from running.hookrun import KEY

from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.claude_warm import SAMPLES_MAX, WarmClaudeBackend

pytestmark = pytest.mark.full

SAMPLES, TOGETHER = 1000, 3
GROWTH_BYTES = 50 * 1024 * 1024
KILLED_IDLE = range(400, 500, 20)
KILLED_AT_WORK = range(500, 600, 20)
"""One process before samples of that number, or while it answers one."""


def resident(pid: int) -> int:
    """Bytes; 0 for a process that is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGESIZE")


def near(numbers: range, start: int) -> bool:
    return any(start <= number < start + TOGETHER for number in numbers)


@pytest.mark.timeout(900)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc on this machine")
def test_a_thousand_samples(tmp_path: Path) -> None:
    client = find()
    assert client is not None, f"no Claude Code {VERSION}: run python3 tests/e2e/install_client.py"
    pids: set[int] = set()
    sizes: list[float] = []
    own: list[int] = []
    killed: set[int] = set()
    with LoopbackApi() as api:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ANTHROPIC_API_KEY": KEY}
        env["ANTHROPIC_BASE_URL"] = api.url
        cold = ClaudeCliBackend(MODEL, env, issue=lambda: "t", revoke=lambda _: None, command=str(client))
        backend = WarmClaudeBackend(cold, TOGETHER)

        async def one(number: int) -> None:
            await backend.ask(replace(REQUEST, timeout=60.0, user=f"evidence-{number:04d}"))

        def kill_one() -> None:
            victim = next(iter(backend._all)).process.pid
            os.kill(victim, signal.SIGKILL)
            killed.add(victim)

        async def everything() -> None:
            try:
                for start in range(0, SAMPLES, TOGETHER):
                    if near(KILLED_IDLE, start):
                        kill_one()
                    batch = asyncio.gather(*map(one, range(start, min(start + TOGETHER, SAMPLES))))
                    if near(KILLED_AT_WORK, start):
                        await asyncio.sleep(0.01)
                        kill_one()
                    await batch
                    await settled(backend)
                    running = processes_of(backend)
                    pids.update(running)
                    if running:
                        sizes.append(mean(map(resident, running)))
                    own.append(resident(os.getpid()))
            finally:
                await backend.aclose()

        asyncio.run(everything())
        texts = [
            json.dumps(one.body["messages"]) for one in api.requests if one.path.startswith("/v1/messages")
        ]
    assert len(killed) == len(KILLED_IDLE) + len(KILLED_AT_WORK), "each was replaced by another"
    assert SAMPLES <= len(texts) <= SAMPLES + len(KILLED_AT_WORK), (
        "only who was killed at work is asked again"
    )
    assert all(text.count("evidence-") == 1 for text in texts)
    assert len({text[text.index("evidence-") :][:13] for text in texts}) == SAMPLES
    assert len(pids) >= SAMPLES // SAMPLES_MAX, "each process ends after its share"
    for name, found in (("a process", sizes), ("ours", own)):
        tenth = len(found) // 10
        # A heap breathes; what stays is told by the middle of a stretch.
        first, last = median(found[:tenth]), median(found[-tenth:])
        print(f"{name}: {first / 2**20:.0f} MB, then {last / 2**20:.0f}")
        assert last - first < GROWTH_BYTES, f"{name} grew from {first / 2**20:.0f} MB to {last / 2**20:.0f}"
    assert not any(map(resident, pids))
