"""HAProxy by the shipped configuration ends TLS, and gives nothing away that is asked of a replica from inside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from team.running.gates import Gate, Reply, case
from team.running.team import Team, team


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    with team(tmp_path_factory.mktemp("tls"), delay=0.0, people=1, tls=True, count=2) as found:
        yield found


@pytest.mark.smoke
def test_a_gate_asks_over_tls(here: Team) -> None:
    async def play() -> Reply:
        gate = Gate(here.port, here.tokens[0], here.tls)
        try:
            return await gate.evaluate(case(1, run="tls"))
        finally:
            await gate.close()

    reply = asyncio.run(play())
    assert (reply.status, reply.valid(), reply.right()) == (200, 5, True)
    assert "strict-transport-security" in reply.headers


@pytest.mark.smoke
def test_metrics_are_not_had_from_outside_and_readiness_is_that_of_all(here: Team) -> None:
    assert here.ask("GET", "/metrics", token=here.reader).status == 404
    assert here.ask("GET", "/livez").status == 404
    assert here.ask("GET", "/readyz", token="").status == 200
    assert [each.ask(here.reader, "GET", "/metrics").status for each in here.replicas] == [200, 200]
