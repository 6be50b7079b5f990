"""Many gates at once, also while parts break: each gets its own answer, once, none that was given is lost."""

import asyncio
import gc
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from statistics import median

import pytest
from team.running.gates import Reply, case, connected, evaluated, poisson, quantile
from team.running.team import Team, team

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
        async with connected(here, GATES) as gates:
            await poisson(gates, RATE, 3.0, run="warm", seed=1)
            return await poisson(gates, RATE, SECONDS, run="load")

    with aside():
        replies = asyncio.run(play())
    assert len(replies) > 100
    assert_whole(here, replies)
    record_property(
        "counted",
        f"team: {len(replies)} evaluations in {SECONDS:.0f} s added to their readers: {told(here, replies)}; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    )


@pytest.mark.timeout(240)
def test_five_hundred_at_one_instant_are_answered_once_or_told_why_not(here, record_property):
    async def play() -> list[Reply]:
        """What each is told first."""
        async with connected(here, GATES, repeats=False) as gates:
            asked = (gate.evaluate(case(n, run="instant"), session=n) for n, gate in enumerate(gates))
            return list(await asyncio.gather(*asked))

    replies = asyncio.run(play())
    kinds = Counter(reply.kind or "answered" for reply in replies)
    assert set(kinds) <= {"answered", "overloaded", "late"}, kinds
    assert_whole(here, [reply for reply in replies if reply.status == 200])
    refused = {reply.name for reply in replies if reply.kind == "overloaded"}
    assert not refused & set(here.api.counts().cases)
    took = [reply.took for reply in replies if reply.status == 200]
    record_property(
        "counted",
        f"team: 500 at one instant: {dict(kinds)}; answers after {median(took):.1f} s, at most {max(took):.1f} s",
    )


# While parts break

FEWER_GATES = 100
FAULT_AFTER = 4.0
FAULT_SECONDS = 16.0
MENDED_SECONDS = 30.0
"""By then the next evaluation is answered; a bound for one that never is, not a figure."""


@pytest.fixture
def cuttable(tmp_path):
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
        async with connected(here, FEWER_GATES) as gates:
            return (await asyncio.gather(poisson(gates, RATE, FAULT_SECONDS, run=run), do()))[0]

    return asyncio.run(play())


def seconds_until_mended(here: Team, run: str) -> float:
    """From now until an evaluation is answered. Each try is another question."""
    begun = time.monotonic()
    for number in count():
        reply = evaluated(here, here.tokens[0], case(number, run=f"{run}mended"), seconds=5.0)
        if reply.status == 200 and reply.valid():
            break
        time.sleep(0.2)
        assert time.monotonic() - begun < MENDED_SECONDS, reply
    return time.monotonic() - begun


def assert_sound(here: Team, replies: list[Reply], *, may: set[str]) -> Counter[str]:
    """Every answer is right and kept; every other reply is a refusal of the kinds that `may` come."""
    kinds = Counter(reply.kind or "answered" for reply in replies)
    assert set(kinds) <= {"answered", *may}, kinds
    answered = [reply for reply in replies if reply.status == 200]
    assert answered and all(reply.right() for reply in answered)
    kept = Counter(row["evaluation_id"] for row in here.evaluations())
    assert [reply.name for reply in answered if kept[reply.json["evaluation_id"]] != 1] == []
    ids = Counter(reply.json["evaluation_id"] for reply in answered)
    assert set(ids.values()) == {1}
    # What the model has counted is paid for: what nobody knows of is booked at its reservation, never at nothing.
    assert here.spent()[1] >= here.api.counts().answered
    return kinds


@pytest.mark.smoke
@pytest.mark.timeout(240)
def test_a_killed_replica_costs_nobody_the_answer(cuttable, record_property):
    first = cuttable.replicas[0]
    acts = (FAULT_AFTER, lambda: first.end(signal.SIGKILL)), (FAULT_AFTER + 5.0, first.start)
    replies = played(cuttable, "killed", *acts)
    kinds = assert_sound(cuttable, replies, may=set())
    lost = [reply for reply in replies if reply.again]
    assert lost, "the replica was killed where it did nothing"
    again = f"{len(lost)} asked again, the longest took {max(r.took for r in lost):.1f} s"
    record_property("counted", f"team: kill -9 of a replica: {dict(kinds)}, {again}")


@pytest.mark.timeout(240)
def test_a_restart_of_the_database_is_waited_for(cuttable, record_property):
    replies = played(cuttable, "restart", (FAULT_AFTER, cuttable.cluster.restart))
    kinds = assert_sound(cuttable, replies, may={"state", "late", "overloaded"})
    mended = f"mended after {seconds_until_mended(cuttable, 'restart'):.1f} s"
    record_property("counted", f"team: restart of PostgreSQL: {dict(kinds)}, {mended}")


@pytest.mark.timeout(240)
def test_a_network_that_is_cut_is_an_error_and_then_over(cuttable, record_property):
    line = cuttable.database
    replies = played(cuttable, "cut", (FAULT_AFTER, line.cut), (FAULT_AFTER + 8.0, line.heal))
    mended = seconds_until_mended(cuttable, "cut")
    kinds = assert_sound(cuttable, replies, may={"state", "late", "overloaded"})
    assert kinds["answered"] < len(replies), "nothing was broken"
    told = f"{dict(kinds)}, mended after {mended:.1f} s"
    record_property("counted", f"team: network to PostgreSQL, cut for 8 s: {told}")


@pytest.mark.timeout(240)
def test_a_replica_that_is_told_to_end_finishes_what_it_has(cuttable, record_property):
    first, codes = cuttable.replicas[0], list[int]()
    acts = (FAULT_AFTER, lambda: codes.append(first.end())), (FAULT_AFTER + 6.0, first.start)
    replies = played(cuttable, "drained", *acts)
    assert codes == [0]
    assert_sound(cuttable, replies, may=set())
    again = Counter(reply.again for reply in replies if reply.again)
    assert set(again) <= {"closing"}
    told = f"{len(replies)} of {len(replies)} answered, {again.total()} asked a second replica"
    record_property("counted", f"team: a replica drained: {told}")
