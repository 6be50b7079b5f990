"""Evaluations of a team: the real SDK against a scripted API, and a real PostgreSQL that two replicas share."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply, reset, status
from samples.team_requests import REQUEST, asking, evaluating, new_team, person, store_over

from compass.team import evaluation as module
from compass.team.evaluation import TeamEvaluations
from compass.team.model import TeamSettings
from evaluator.model import Thresholds
from evaluator.readers.response import cost_usd
from evaluator.readers.team.wire import Evaluation, Principal
from evaluator.record import replace
from evaluator.text import day_of

if TYPE_CHECKING:
    from compass.team.database import TeamDatabase
    from compass.team.store import TeamStore

Run = Callable[..., list[Any]]
EACH_USD = cost_usd("claude-haiku-4-5", input_tokens=100, output_tokens=20)


@pytest.fixture
def store(team_database: TeamDatabase) -> TeamStore:
    return store_over(team_database)


@pytest.fixture
def ada(store: TeamStore) -> Principal:
    return person(store, new_team(store))[1]


@pytest.fixture
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def run(loop: asyncio.Runner) -> Callable[..., list[Any]]:
    """What they return or raise, side by side."""

    async def all_of(works: Any) -> list[Any]:
        return await asyncio.gather(*works, return_exceptions=True)

    return lambda *works: loop.run(all_of(works))


@pytest.fixture
def replica(store: TeamStore, api: LoopbackApi, loop: asyncio.Runner) -> Iterator[TeamEvaluations]:
    with evaluating(store, api.url, loop) as found:
        yield found


@pytest.fixture
def other(team_database: TeamDatabase, api: LoopbackApi, loop: asyncio.Runner) -> Iterator[TeamEvaluations]:
    with evaluating(store_over(team_database), api.url, loop) as found:
        yield found


def spent(store: TeamStore, who: Principal) -> tuple[float, int]:
    found = {one.person: one for one in store.spent(who.team, day_of(time.time()))}
    return (found[who.person].usd, found[who.person].samples) if who.person in found else (0.0, 0)


def test_readers_of_the_service_answer_for_a_gate(replica, store, ada, api, run):
    (found,) = run(replica.evaluate(ada, REQUEST))
    assert [sample.score for sample in found.samples] == [0.9] * 5
    assert (found.backend, found.shared) == ("anthropic", False)
    assert len(api.requests) == 5
    assert spent(store, ada) == (pytest.approx(5 * EACH_USD, abs=1e-9), 5)
    (kept,) = store.evaluations(ada.team)
    assert kept["evaluation_id"] == found.evaluation_id


def test_identical_evidence_of_twenty_gates_is_one_check(replica, other, store, ada, api, run):
    api.default = reply(delay=2.0)
    people = [person(store, ada.team, f"p{number}")[1] for number in range(20)]
    found = run(*((replica, other)[number % 2].evaluate(who, REQUEST) for number, who in enumerate(people)))
    assert {type(one) for one in found} == {Evaluation}
    assert len({one.evaluation_id for one in found}) == 1
    assert sum(not one.shared for one in found) == 1
    assert len(api.requests) == 5
    assert sum(sample.cost_usd for one in found for sample in one.samples) == pytest.approx(5 * EACH_USD)
    assert sum(spent(store, who)[1] for who in people) == 5


def test_other_evidence_is_another_check(replica, ada, api, run):
    found = run(
        replica.evaluate(ada, REQUEST),
        replica.evaluate(ada, asking("make the session time out after two hours")),
        replica.evaluate(ada, replace(REQUEST, thresholds=Thresholds(0.7, 0.2))),
    )
    assert len({one.evaluation_id for one in found}) == 3
    # Where thresholds are known, the two of the first look are enough for what they all let pass.
    assert [len(one.samples) for one in found] == [5, 5, 2]
    assert len(api.requests) == 12


def test_the_reservation_is_never_less_than_what_was_used(replica, store, ada, api, run):
    request = asking("".join(chr(0x4E00 + number % 4000) for number in range(2000)))
    run(replica.evaluate(ada, request))
    sent = api.requests[0].body
    # A token is a byte at the least.
    taken = len(f"{sent['system']}{sent['messages']}".encode())
    most = cost_usd("claude-haiku-4-5", input_tokens=taken, output_tokens=sent["max_tokens"])
    assert replica._provider.need(request).usd >= 5 * most
    assert len(answer(rationale="x" * 300)) < sent["max_tokens"] * 10


def test_an_answer_that_never_came_is_booked_at_the_reservation(replica, store, ada, api, run):
    api.default = reset()
    (found,) = run(replica.evaluate(ada, REQUEST))
    assert not any(sample.valid for sample in found.samples)
    need = replica._provider.need(REQUEST)
    usd, samples = spent(store, ada)
    assert (usd, samples) == (pytest.approx(10 * need.usd_each), 10), "each of five is asked once more"
    assert need.usd is not None and usd <= need.usd, "no cap is passed by it"


def test_the_rate_is_waited_for_and_refused_beyond_the_gates_time(replica, store, ada, api, run):
    store.set_settings(ada.team, TeamSettings(samples_per_minute=600.0, burst=5))
    first, second = run(replica.evaluate(ada, asking("one")), replica.evaluate(ada, asking("two")))
    assert {type(first), type(second)} == {Evaluation}
    store.set_settings(ada.team, TeamSettings(samples_per_minute=1.0, burst=5))
    (late,) = run(replica.evaluate(ada, asking("three")))
    assert late.kind == "rate" and (late.retry_after or 0) > 60
    assert len(api.requests) == 10


def test_one_who_leaves_takes_nothing_from_the_others(replica, store, ada, api, run, loop):
    api.default = reply(delay=0.5)

    async def leave() -> Any:
        first = asyncio.create_task(replica.evaluate(ada, REQUEST))
        await asyncio.sleep(0.2)
        second = asyncio.create_task(replica.evaluate(ada, REQUEST))
        await asyncio.sleep(0.05)
        first.cancel()
        return await second

    assert [sample.score for sample in loop.run(leave()).samples] == [0.9] * 5


def test_gates_that_wait_for_less_than_readers_take_open_no_breaker(replica, store, ada, api, run):
    api.default = reply(delay=5.0)
    hasty = person(store, ada.team, "hasty")[1]
    for number in range(5):
        (found,) = run(replica.evaluate(hasty, asking(f"in no time, {number}", seconds=1.2)))
        assert not any(sample.valid for sample in found.samples)
    api.default = reply()
    (found,) = run(replica.evaluate(ada, REQUEST))
    assert all(sample.valid for sample in found.samples)


def test_a_line_that_is_lost_counts_however_short_its_gate_waits(replica, ada, api, run):
    api.default = reset()
    found = [run(replica.evaluate(ada, asking(f"lost, {number}", seconds=1.5)))[0] for number in range(4)]
    assert found[-1].kind == "breaker_open"


def test_who_waits_longer_is_not_answered_by_one_who_gave_up(replica, other, store, ada, api, loop):
    api.default = reply(delay=2.0)
    hasty = person(store, ada.team, "hasty")[1]

    async def both() -> list[Evaluation]:
        first = asyncio.create_task(replica.evaluate(hasty, replace(REQUEST, seconds=0.8)))
        await asyncio.sleep(0.15)
        return await asyncio.gather(replica.evaluate(ada, REQUEST), other.evaluate(ada, REQUEST), first)

    here, there, gave_up = loop.run(both())
    assert not any(sample.valid for sample in gave_up.samples)
    assert all(sample.valid for sample in (*here.samples, *there.samples))
    assert here.evaluation_id == there.evaluation_id != gave_up.evaluation_id


def test_repeats_of_a_measurement_are_evaluations_of_their_own(replica, ada, api, run):
    found = run(*(replica.evaluate(ada, replace(REQUEST, alone=True)) for _ in range(3)))
    assert len({one.evaluation_id for one in found}) == 3
    assert not any(one.shared for one in found)
    assert len(api.requests) == 15


def test_an_evaluation_that_failed_is_nobody_elses(replica, ada, api, run):
    api.queue(*[status(529, "overloaded")] * 10)
    api.default = reply(delay=0.1)
    found = run(replica.evaluate(ada, REQUEST), replica.evaluate(ada, REQUEST))
    assert sorted(any(sample.valid for sample in one.samples) for one in found) == [False, True]
    assert len({one.evaluation_id for one in found}) == 2
    assert len(api.requests) == 15


def test_readers_who_take_longer_than_a_lease_keep_their_flight(replica, other, ada, api, loop, monkeypatch):
    """The lease lapses before another asks, unless it is renewed; renewed, it lasts whatever the load."""
    lease, patient = 0.2, replace(REQUEST, seconds=60.0)
    release, renewed = threading.Event(), threading.Event()
    renew = replica._store.renew

    def seen(*given: Any) -> None:
        renew(*given)
        renewed.set()

    monkeypatch.setattr("compass.team.store.LEASE_SECONDS", lease)
    monkeypatch.setattr(module, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(replica._store, "renew", seen)
    api.default = reply(until=release)

    async def both() -> list[Evaluation]:
        first = asyncio.create_task(replica.evaluate(ada, patient))
        await asyncio.to_thread(api.wait_for_requests, 1)
        monkeypatch.setattr("compass.team.store.LEASE_SECONDS", 600)
        for _ in range(2):  # the one under way may still be of the short lease
            renewed.clear()
            await asyncio.to_thread(renewed.wait, 60)
        await asyncio.sleep(lease)
        second = asyncio.create_task(other.evaluate(ada, patient))
        await asyncio.sleep(0.3)
        release.set()
        return await asyncio.gather(first, second)

    assert len({one.evaluation_id for one in loop.run(both())}) == 1
    assert len(api.requests) == 5
