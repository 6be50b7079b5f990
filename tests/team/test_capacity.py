"""What one evaluation takes: processor, transactions, bytes, connections. Figures of docs/team.md come from here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running.processes import processor_seconds
from team.running.gates import Gate, Reply, case, close, connected
from team.running.team import Team, team

GATES = 40
SECONDS = 15.0


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    with team(tmp_path_factory.mktemp("capacity"), delay=0.05) as found:
        yield found


def one(here: Team, query: str) -> float:
    with here.cluster.administrate() as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return float(str(row[0]))


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def busy(here: Team, seconds: float, run: str) -> list[Reply]:
    """Every gate asks again as soon as it is answered."""

    async def ask(number: int, gate: Gate, until: float) -> list[Reply]:
        found: list[Reply] = []
        while time.monotonic() < until:
            name = case(number * 1000 + len(found), run=run)
            found.append(await gate.evaluate(name, session=number))
        return found

    async def play() -> list[Reply]:
        gates = await connected(here.port, here.tokens, GATES)
        until = time.monotonic() + seconds
        try:
            each = await asyncio.gather(*(ask(number, gate, until) for number, gate in enumerate(gates)))
        finally:
            await close(gates)
        return [reply for some in each for reply in some]

    return asyncio.run(play())


@pytest.mark.timeout(180)
def test_what_an_evaluation_takes(full: Team, record_property: Callable[[str, object], None]) -> None:
    busy(full, 3.0, "warm")
    count = "SELECT count(*) FROM team_evaluations"
    commits = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'compass'"
    log = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"
    size = "SELECT pg_total_relation_size('team_evaluations')"
    time.sleep(1.5)  # a backend tells its counts once a second
    pids = [each.process.pid for each in full.replicas.each if each.process is not None]
    backends = children(full.cluster.pid)
    before = [one(full, query) for query in (count, commits, log)]
    worked = [sum(map(processor_seconds, some)) for some in (pids, backends, [full.proxy.process.pid])]
    begun = time.monotonic()
    replies = busy(full, SECONDS, "busy")
    took = time.monotonic() - begun
    after = [sum(map(processor_seconds, some)) for some in (pids, backends, [full.proxy.process.pid])]
    time.sleep(1.5)
    evaluations, transactions, written = (
        one(full, query) - then for query, then in zip((count, commits, log), before, strict=True)
    )
    assert {reply.status for reply in replies} == {200}
    assert evaluations == len(replies)
    replicas, database, proxy = (
        (now - then) * 1000 / evaluations for now, then in zip(after, worked, strict=True)
    )
    connections = one(full, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'compass'")
    row = one(full, size) / one(full, count)
    record_property(
        "counted",
        f"team: {evaluations / took:.0f} evaluations a second of five readers here; each takes of a processor "
        f"{replicas:.1f} ms of replicas, {database:.1f} ms of PostgreSQL, {proxy:.2f} ms of HAProxy; "
        f"{transactions / evaluations:.1f} transactions, {written / evaluations / 1024:.1f} kB of its log, "
        f"{row / 1024:.1f} kB kept with evidence; {connections:.0f} connections",
    )
    # The start, the end, and now and then a renewal; the rest is asked once in a while.
    assert transactions / evaluations < 4
    assert row < 20_000
    assert connections <= 3 * 16
