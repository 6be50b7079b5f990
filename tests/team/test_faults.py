"""What breaks while gates ask: no answer is another question's, none that was given is lost, and it mends by itself."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from team.running.gates import Gate, Reply, case, close, connected, poisson
from team.running.team import Team, team

GATES = 100
RATE = 10.0
FAULT_AFTER = 4.0
SECONDS = 16.0
MENDED_SECONDS = 30.0
"""By then the next evaluation is answered; a bound for one that never is, not a figure."""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Team]:
    with team(tmp_path, cuttable=True) as found:
        yield found


def played(here: Team, run: str, *acts: tuple[float, Callable[[], None]]) -> list[Reply]:
    """All replies of gates that arrive at random, while each act is done at its moment (in seconds) of the run."""

    async def do() -> None:
        begun = time.monotonic()
        for moment, act in acts:
            await asyncio.sleep(max(0.0, begun + moment - time.monotonic()))
            await asyncio.to_thread(act)

    async def play() -> list[Reply]:
        gates = await connected(here.port, here.tokens, GATES)
        try:
            replies, _ = await asyncio.gather(poisson(gates, RATE, SECONDS, run=run), do())
        finally:
            await close(gates)
        return replies

    return asyncio.run(play())


def seconds_until_mended(here: Team, run: str) -> float:
    """From now until an evaluation is answered. Each try is another question."""

    async def play() -> float:
        gate, begun = Gate(here.port, here.tokens[0]), time.monotonic()
        try:
            for number in range(10_000):
                reply = await gate.evaluate(case(number, run=f"{run}mended"), seconds=5.0)
                if reply.status == 200 and reply.valid():
                    return time.monotonic() - begun
                await asyncio.sleep(0.2)
                assert time.monotonic() - begun < MENDED_SECONDS, reply
        finally:
            await gate.close()
        raise AssertionError

    return asyncio.run(play())


def assert_sound(here: Team, replies: list[Reply], *, may: set[str]) -> Counter[str]:
    """Every answer is right and kept; every other reply is a refusal of the kinds that `may` come."""
    kinds = Counter(reply.kind or "answered" for reply in replies)
    assert set(kinds) <= {"answered", *may}, kinds
    answered = [reply for reply in replies if reply.status == 200]
    assert answered
    assert all(reply.right() for reply in answered)
    kept = Counter(row["evaluation_id"] for row in here.evaluations())
    assert [reply.name for reply in answered if kept[reply.json["evaluation_id"]] != 1] == []
    ids = Counter(reply.json["evaluation_id"] for reply in answered)
    assert set(ids.values()) == {1}
    # What the model has counted is paid for: what nobody knows of is booked at its reservation, never at nothing.
    assert here.spent()[1] >= here.api.counts().answered
    return kinds


@contextmanager
def telling(record_property: Callable[[str, object], None], what: str) -> Iterator[list[object]]:
    said: list[object] = []
    yield said
    record_property("counted", f"team: {what}: {', '.join(map(str, said))}")


@pytest.mark.smoke
@pytest.mark.timeout(240)
def test_a_killed_replica_costs_nobody_the_answer(here, record_property):
    first = here.replicas[0]
    replies = played(
        here, "killed", (FAULT_AFTER, lambda: first.end(signal.SIGKILL)), (FAULT_AFTER + 5.0, first.start)
    )
    kinds = assert_sound(here, replies, may=set())
    lost = [reply for reply in replies if reply.again]
    assert lost, "the replica was killed where it did nothing"
    with telling(record_property, "kill -9 of a replica") as said:
        said += [dict(kinds), f"{len(lost)} asked again, the longest took {max(r.took for r in lost):.1f} s"]


@pytest.mark.timeout(240)
def test_a_restart_of_the_database_is_waited_for(here, record_property):
    replies = played(here, "restart", (FAULT_AFTER, here.cluster.restart))
    kinds = assert_sound(here, replies, may={"state", "late", "overloaded"})
    with telling(record_property, "restart of PostgreSQL") as said:
        said += [dict(kinds), f"mended after {seconds_until_mended(here, 'restart'):.1f} s"]


@pytest.mark.timeout(240)
def test_a_network_that_is_cut_is_an_error_and_then_over(here, record_property):
    replies = played(here, "cut", (FAULT_AFTER, here.database.cut), (FAULT_AFTER + 8.0, here.database.heal))
    mended = seconds_until_mended(here, "cut")
    kinds = assert_sound(here, replies, may={"state", "late", "overloaded"})
    assert kinds["answered"] < len(replies), "nothing was broken"
    with telling(record_property, "network to PostgreSQL, cut for 8 s") as said:
        said += [dict(kinds), f"mended after {mended:.1f} s"]


@pytest.mark.timeout(240)
def test_a_replica_that_is_told_to_end_finishes_what_it_has(here, record_property):
    first, codes = here.replicas[0], list[int]()
    replies = played(
        here, "drained", (FAULT_AFTER, lambda: codes.append(first.end())), (FAULT_AFTER + 6.0, first.start)
    )
    assert codes == [0]
    assert_sound(here, replies, may=set())
    again = Counter(reply.again for reply in replies if reply.again)
    assert set(again) <= {"closing"}
    with telling(record_property, "a replica drained") as said:
        said += [f"{len(replies)} of {len(replies)} answered, {again.total()} asked a second replica"]
