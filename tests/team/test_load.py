"""Many gates at once: each gets its own answer, once, and what the service adds to the readers' time is told."""

from __future__ import annotations

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median

import pytest
from team.running.gates import Reply, case, close, connected, poisson, quantile
from team.running.team import Team

GATES = 500
RATE = 10.0
READERS = 5
SECONDS = 20.0


@contextmanager
def aside() -> Iterator[None]:
    """What this process holds already is left out of collections of garbage, which would hold up its gates."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def told(here: Team, replies: Sequence[Reply]) -> str:
    """Of the seconds that each took over the slowest of its readers, as the model saw that one."""
    asked = here.api.counts().cases
    times = [reply.took - asked[reply.name].slowest for reply in replies]
    shares = [quantile(times, share) * 1000 for share in (0.5, 0.95, 0.99, 1.0)]
    return "median {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms, most {:.1f} ms".format(*shares)


def assert_whole(here: Team, replies: Sequence[Reply]) -> None:
    """Each of them its own evaluation, by all of its readers, paid for once and kept once."""
    assert Counter(reply.kind for reply in replies) == {"": len(replies)}
    for reply in replies:
        assert reply.right(), (reply.name, reply.body)
        assert (reply.valid(), reply.json["shared"], reply.again) == (READERS, False, "")
    asked = here.api.counts().cases
    assert {asked[reply.name].requests for reply in replies} == {READERS}
    answered = {reply.json["evaluation_id"] for reply in replies}
    assert len(answered) == len(replies)
    kept = Counter(row["evaluation_id"] for row in here.evaluations())
    assert {kept[one] for one in answered} == {1}


def test_gates_that_arrive_at_random_each_get_their_own_answer(here, record_property):
    async def play() -> list[Reply]:
        gates = await connected(here.port, here.tokens, GATES)
        try:
            await poisson(gates, RATE, 3.0, run="warm", seed=1)
            return await poisson(gates, RATE, SECONDS, run="load")
        finally:
            await close(gates)

    with aside():
        replies = asyncio.run(play())
    assert len(replies) > 100
    assert_whole(here, replies)
    record_property(
        "counted",
        f"team: {len(replies)} evaluations in {SECONDS:.0f} s added to their readers: {told(here, replies)}; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    )


def at_once(here: Team, run: str) -> list[Reply]:
    """What each is told first."""

    async def play() -> list[Reply]:
        gates = await connected(here.port, here.tokens, GATES, repeats=False)
        try:
            asked = (gate.evaluate(case(n, run=run), session=n) for n, gate in enumerate(gates))
            return list(await asyncio.gather(*asked))
        finally:
            await close(gates)

    return asyncio.run(play())


@pytest.mark.timeout(240)
def test_five_hundred_at_one_instant_are_answered_once_or_told_why_not(here, record_property):
    replies = at_once(here, "instant")
    kinds = Counter(reply.kind or "answered" for reply in replies)
    assert set(kinds) <= {"answered", "overloaded", "late"}, kinds
    assert_whole(here, [reply for reply in replies if reply.status == 200])
    refused = {reply.name for reply in replies if reply.kind == "overloaded"}
    asked = here.api.counts().cases
    assert not refused & set(asked)
    took = [reply.took for reply in replies if reply.status == 200]
    record_property(
        "counted",
        f"team: 500 at one instant: {dict(kinds)}; answers after {median(took):.1f} s, at most {max(took):.1f} s",
    )
