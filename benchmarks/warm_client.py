"""A check of three by the logged-in client, kept warm and cold, in interleaved pairs, against a scripted API.

`python benchmarks/warm_client.py [--pairs N] [--answer-ms MS] [--version V]` prints what a check adds over the slowest
answer (wall time) and the client's processor time per sample: medians, and the median of the pairs' ratios, warm over
cold, with its 95 % bootstrap interval; a machine that is busy for a while is so for both of a pair. Which is first
alternates. Needs the real client (`python3 tests/e2e/install_client.py [--version V]`).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / name) for name in ("support", "")]

import numpy as np  # noqa: E402
from apis.backends import MODEL, REQUEST, pids, settled  # noqa: E402  # noqa: E402
from apis.loopback_api import LoopbackApi, answer, reply  # noqa: E402
from e2e.install_client import VERSION, find, folder_of  # noqa: E402
from running.hookrun import KEY  # noqa: E402

from evaluator.readers.claude_cli import ClaudeCliBackend  # noqa: E402
from evaluator.readers.claude_warm import WarmClaudeBackend  # noqa: E402

READERS = 3
CLOCK = os.sysconf("SC_CLK_TCK")


def used(running: set[int]) -> float:
    """Processor seconds of running processes."""
    total = 0
    for pid in running:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / CLOCK


def ended() -> float:
    """Processor seconds of children that were waited for."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


async def timed(backend: ClaudeCliBackend | WarmClaudeBackend) -> float:
    request = replace(REQUEST, timeout=60.0)
    started = time.perf_counter()
    await asyncio.gather(*(backend.ask(replace(request, user=f"evidence {n}")) for n in range(READERS)))
    return time.perf_counter() - started


async def measure(
    client: Path, pairs: int, answer_seconds: float, home: str, url: str
) -> dict[str, list[float]]:
    env = {"PATH": os.environ["PATH"], "HOME": home, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url}
    cold = ClaudeCliBackend(MODEL, env, issue=lambda: "t", revoke=lambda _: None, command=str(client))
    warm = WarmClaudeBackend(cold, READERS)
    found: dict[str, list[float]] = {name: [] for name in ("cold", "warm", "cold cpu", "warm cpu")}

    async def kept() -> None:
        running = pids(warm)
        before = used(running)
        found["warm"].append(await timed(warm) - answer_seconds)
        await settled(warm)
        assert running == pids(warm), "none was replaced"
        found["warm cpu"].append((used(running) - before) / READERS)

    async def started() -> None:
        before = ended()
        found["cold"].append(await timed(cold) - answer_seconds)
        found["cold cpu"].append((ended() - before) / READERS)

    try:
        await timed(warm)
        await settled(warm)
        for pair in range(pairs):
            for one in (kept, started) if pair % 2 else (started, kept):
                await one()
    finally:
        await warm.aclose()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--answer-ms", type=int, default=300)
    parser.add_argument("--version", default=VERSION)
    args = parser.parse_args()
    client = find(folder_of(args.version), args.version)
    if client is None:
        parser.error(f"no Claude Code {args.version}: tests/e2e/install_client.py --version {args.version}")
    load = os.getloadavg()[0]
    with LoopbackApi() as api, tempfile.TemporaryDirectory() as home:
        api.default = reply(answer(), delay=args.answer_ms / 1000)
        found = asyncio.run(measure(client, args.pairs, args.answer_ms / 1000, home, api.url))
    print(f"client {args.version}, load of the machine {load:.1f}, then {os.getloadavg()[0]:.1f}")
    random = np.random.default_rng(1)
    for name in ("", " cpu"):
        warm, cold = np.array(found[f"warm{name}"]), np.array(found[f"cold{name}"])
        ratios = warm / cold
        draws = np.median(ratios[random.integers(0, len(ratios), (2000, len(ratios)))], 1)
        low, high = np.quantile(draws, (0.025, 0.975))
        what = "processor seconds a sample" if name else "seconds added by a check of three"
        print(
            f"{what}: cold {np.median(cold):.3f}, warm {np.median(warm):.3f}, "
            f"ratio {np.median(ratios):.3f} [{low:.3f}, {high:.3f}] ({len(warm)} pairs)"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
