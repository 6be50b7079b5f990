"""What a team spends: reserved before, settled after, never above the cap, and what the model itself counted."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from apis.counted_api import Counts
from team.running.gates import Gate, Reply, case, close, connected
from team.running.team import Team

from evaluator.readers.response import cost_usd
from evaluator.settings.keys import Settings

MODEL = Settings().evaluator.model
BOOKED = "SELECT coalesce(sum(usd), 0), coalesce(sum(samples), 0) FROM team_spending WHERE person = ''"
RESERVED = "SELECT coalesce(sum(usd), 0), coalesce(sum(samples), 0) FROM team_reservations"


def price(counts: Counts) -> float:
    return cost_usd(MODEL, input_tokens=counts.input_tokens, output_tokens=counts.output_tokens) or 0.0


def looked_up(here: Team, query: str) -> tuple[float, int]:
    with here.cluster.administrate() as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return float(str(row[0])), int(str(row[1]))


@contextmanager
def watched(here: Team) -> Iterator[list[tuple[float, int]]]:
    """What is booked, looked up again and again while the block runs."""
    over, seen = threading.Event(), list[tuple[float, int]]()

    def watch() -> None:
        with here.cluster.administrate() as connection:
            while not over.is_set():
                row = connection.execute(BOOKED.encode()).fetchone()
                assert row is not None
                seen.append((float(str(row[0])), int(str(row[1]))))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def evaluate(here: Team, names: list[str]) -> list[Reply]:
    async def play() -> list[Reply]:
        gates = await connected(here.port, here.tokens, len(names))
        try:
            return list(await asyncio.gather(*map(Gate.evaluate, gates, names)))
        finally:
            await close(gates)

    return asyncio.run(play())


@pytest.mark.smoke
def test_the_cap_holds_at_every_moment_and_the_sum_is_the_models_own(here: Team) -> None:
    """The rounds go on until nobody is let in any more."""
    before, _ = looked_up(here, BOOKED)
    assert looked_up(here, RESERVED) == (0.0, 0)
    here.api.reset()
    cap = before + 0.3
    here.set(daily_usd=cap)
    here.api.delayed(0.1)
    try:
        with watched(here) as seen:
            kinds: Counter[str] = Counter()
            for number in range(60):
                replies = evaluate(here, [case(one, run=f"cap{number:02d}") for one in range(30)])
                kinds.update(reply.kind for reply in replies)
                if all(reply.kind == "budget" for reply in replies):
                    break
            else:
                raise AssertionError("the cap was never reached")
        assert set(kinds) == {"", "budget"}
        assert len(seen) > 100
        assert max(usd for usd, _ in seen) <= cap + 1e-9
        # Something was reserved beyond what it came to: else nothing was shown.
        counts = here.api.counts()
        assert max(usd for usd, _ in seen) > before + price(counts) + 1e-6
        assert looked_up(here, RESERVED) == (0.0, 0)
        assert looked_up(here, BOOKED)[0] - before == pytest.approx(price(counts), abs=1e-9)
        assert counts.requests == counts.answered == 5 * kinds[""]
        assert here.spent()[0] == pytest.approx(looked_up(here, BOOKED)[0], abs=1e-9)
    finally:
        here.api.delayed(0.4)
        here.set(daily_usd=None)
