"""A thousand samples by the real client, kept warm: none sees another, and the processes do not grow."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

import pytest
from apis.backends import CLIENT, KEY, MODEL, REQUEST
from apis.loopback_api import LoopbackApi
from apis.warm_clients import pids as processes_of
from apis.warm_clients import settled

from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.claude_warm import SAMPLES_MAX, WarmClaudeBackend

pytestmark = pytest.mark.full

SAMPLES, TOGETHER = 1000, 3
GROWTH_BYTES = 50 * 1024 * 1024


def resident(pid: int) -> int:
    """Bytes; 0 for a process that is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGESIZE")


@pytest.mark.timeout(900)
@pytest.mark.skipif(not CLIENT.exists(), reason="the real client is not installed")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc on this machine")
def test_a_thousand_samples(tmp_path: Path) -> None:
    pids: set[int] = set()
    sizes: list[float] = []
    with LoopbackApi() as api:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ANTHROPIC_API_KEY": KEY}
        env["ANTHROPIC_BASE_URL"] = api.url
        cold = ClaudeCliBackend(MODEL, env, issue=lambda: "t", revoke=lambda _: None, command=str(CLIENT))
        backend = WarmClaudeBackend(cold, TOGETHER)

        async def one(number: int) -> None:
            await backend.ask(replace(REQUEST, timeout=60.0, user=f"evidence-{number:04d}"))

        async def everything() -> None:
            try:
                for start in range(0, SAMPLES, TOGETHER):
                    await asyncio.gather(*map(one, range(start, min(start + TOGETHER, SAMPLES))))
                    await settled(backend)
                    running = processes_of(backend)
                    pids.update(running)
                    sizes.append(mean(map(resident, running)))
            finally:
                await backend.aclose()

        asyncio.run(everything())
        texts = [
            json.dumps(one.body["messages"]) for one in api.requests if one.path.startswith("/v1/messages")
        ]
    assert len(texts) == SAMPLES
    assert all(text.count("evidence-") == 1 for text in texts)
    assert len({text[text.index("evidence-") :][:13] for text in texts}) == SAMPLES
    assert len(pids) >= SAMPLES // SAMPLES_MAX, "each process ends after its share"
    tenth = len(sizes) // 10
    # A heap breathes; what stays is told by the middle of a stretch.
    growth = median(sizes[-tenth:]) - median(sizes[:tenth])
    assert growth < GROWTH_BYTES, (
        f"{growth / 2**20:.0f} MB a process, from {median(sizes[:tenth]) / 2**20:.0f}"
    )
    assert not any(map(resident, pids))
