"""What a team spends: reserved before, settled after, never above the cap, and what the model itself counted."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from apis.counted_api import Counts, usage
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


def test_two_samples_of_two_cases_cost_what_their_usage_says() -> None:
    """The model's count is no copy of the service's."""
    first, second = usage(case(1)), usage(case(2))
    assert first != second
    assert all(taken > 0 and given > 0 for taken, given in (first, second))


@pytest.mark.smoke
def test_a_cap_of_a_person_leaves_the_others_in(here: Team) -> None:
    here.set(daily_samples_person=0)
    try:
        assert [reply.kind for reply in evaluate(here, [case(1, run="person")])] == ["budget"]
    finally:
        here.set(daily_samples_person=None)
    assert [reply.kind for reply in evaluate(here, [case(1, run="person")])] == [""]


@pytest.mark.smoke
def test_usage_that_nobody_knows_is_booked_at_the_reservation(here: Team) -> None:
    """The model takes each request and ends the connection without an answer."""
    before, samples_before = looked_up(here, BOOKED)
    here.api.reset()
    name = case(1, run="unknown", drop=True)

    async def play() -> tuple[Reply, tuple[float, int]]:
        gate = Gate(here.port, here.tokens[0])
        work = asyncio.create_task(gate.evaluate(name))
        try:
            while not (await asyncio.to_thread(here.api.counts)).requests:  # noqa: ASYNC110 - it counts elsewhere
                await asyncio.sleep(0.02)
            held = looked_up(here, RESERVED)
            return await work, held
        finally:
            await gate.close()

    reply, (held, held_samples) = asyncio.run(play())
    assert (reply.status, reply.valid()) == (200, 0)
    booked, samples = looked_up(here, BOOKED)
    dropped = here.api.counts().dropped
    assert dropped >= 5
    assert samples - samples_before == dropped
    assert booked - before == pytest.approx(held / held_samples * dropped, abs=1e-9)
    assert booked - before <= held + 1e-9
