"""What every state store promises of breakers and outages, and that processes share them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from running.processes import outputs, start
from samples.state_stores import NOW

from evaluator.breaker import (
    Admission,
    BreakerRules,
    Closed,
    HalfOpen,
    Open,
    OpenOutage,
    Outage,
    breaker_key,
    open_outages,
)
from evaluator.state.store import Store, open_store

RULES = BreakerRules(consecutive_failures_to_open=3, open_duration_seconds=300.0, probe_lease_seconds=30.0)
KEY = breaker_key("anthropic", "http://127.0.0.1:9", "m")
DAY = 86_400.0


def fail(store: Store, times: int, key: str = KEY, at: float = NOW) -> None:
    for _ in range(times):
        store.report(key, RULES, at, "failure", None)


def probe(store: Store, at: float) -> str:
    admission = store.admit(KEY, RULES, at)
    assert admission.answer == "probe"
    assert admission.token
    return admission.token


def test_a_breaker_that_nobody_named_is_closed(store: Store) -> None:
    assert store.breaker(KEY) == Closed()
    assert store.breakers() == {}
    assert store.admit(KEY, RULES, NOW) == Admission("closed")
    assert store.breakers() == {}


def test_one_probe_is_let_through_and_its_success_closes_the_breaker(store: Store) -> None:
    fail(store, 3)
    token = probe(store, NOW + 300)
    assert store.breaker(KEY) == HalfOpen(token, NOW + 300)
    assert store.admit(KEY, RULES, NOW + 301) == Admission("open", until=NOW + 330)
    store.report(KEY, RULES, NOW + 302, "success", None)
    assert store.breaker(KEY) == HalfOpen(token, NOW + 300)
    store.report(KEY, RULES, NOW + 302, "success", token)
    assert store.breaker(KEY) == Closed()
    assert store.admit(KEY, RULES, NOW + 302) == Admission("closed")


def test_breakers_are_apart_and_all_can_be_listed(store: Store) -> None:
    other, third = breaker_key("anthropic", "", "m"), breaker_key("anthropic", "", "another")
    fail(store, 3)
    fail(store, 1, other)
    fail(store, 1, third)
    store.report(third, RULES, NOW, "success", None)
    assert store.breakers() == {KEY: Open(NOW), other: Closed(1)}
    assert store.admit(other, RULES, NOW) == Admission("closed")


@pytest.mark.parametrize("key", ["", "'; DROP TABLE breakers; --", "nul\0 \ud800 \n", "x" * 5_000_000])
def test_a_key_is_data(store: Store, key: str) -> None:
    fail(store, 3, key)
    assert store.breaker(key) == Open(NOW)
    assert store.breaker(key + "x") == Closed()


def test_a_breaker_that_did_not_change_for_the_retention_is_swept(store: Store) -> None:
    fail(store, 3)
    fail(store, 1, "young")
    fail(store, 1, "young", at=NOW + 10 * DAY)
    store.report(KEY, RULES, NOW + 20 * DAY, "success", None)
    store.sweep(NOW + 30 * DAY, 30)
    assert set(store.breakers()) == {KEY, "young"}
    store.sweep(NOW + 31 * DAY, 30)
    assert set(store.breakers()) == {"young"}


# Outages: each session is told of one once, and once of its end

OTHER = breaker_key("anthropic", "", "m")


def met(store: Store, session: str, at: float, cause: str | None = "server", key: str = KEY) -> bool:
    found = store.meet_outage(session, key, at, cause)
    assert found is not None
    return found[1]


def test_each_session_is_told_once_of_an_outage_and_once_of_its_end(store: Store) -> None:
    assert met(store, "a", NOW) and not met(store, "a", NOW + 1) and met(store, "b", NOW + 2, None)
    assert store.outages() == (Outage(KEY, NOW, NOW + 1, "server"),)
    over = Outage(KEY, NOW, NOW + 1, "server", ended=NOW + 9)
    assert store.readers_back("a", KEY, NOW + 9) == over
    assert store.readers_back("b", KEY, NOW + 30) == over, "it ended in another session"
    assert [store.readers_back(one, KEY, NOW + 40) for one in ("a", "b", "c")] == [None] * 3
    assert store.outages() == (over,)


def test_another_outage_is_another_one_to_tell(store: Store) -> None:
    met(store, "a", NOW)
    met(store, "b", NOW)
    store.readers_back("a", KEY, NOW + 5)
    assert met(store, "b", NOW + 60), "it never heard of the end, and this one began later"
    assert store.outages()[0].since == NOW + 60
    assert met(store, "a", NOW + 61)
    assert not met(store, "b", NOW + 62)


def test_lines_are_apart(store: Store) -> None:
    met(store, "a", NOW)
    assert met(store, "a", NOW, key=OTHER)
    assert store.readers_back("a", OTHER, NOW + 1) is not None
    assert not met(store, "a", NOW + 2)


def test_an_outage_that_nobody_met_for_half_a_day_is_over(store: Store) -> None:
    met(store, "a", NOW)
    assert open_outages(store.breakers(), store.outages(), RULES, NOW + DAY) == []
    assert met(store, "a", NOW + DAY)
    assert store.outages()[0].since == NOW + DAY


def test_every_line_that_is_down_is_listed_whatever_line_the_caller_has(store: Store) -> None:
    for at in range(3):
        met(store, "a", NOW + at)
        store.report(KEY, RULES, NOW + at, "failure", None)
    met(store, "a", NOW + 5, "timeout", OTHER)
    first, second = open_outages(store.breakers(), store.outages(), RULES, NOW + 10)
    assert first == OpenOutage("anthropic", "http://127.0.0.1:9", "m", NOW, NOW + 302, "server")
    assert first.line == "anthropic at http://127.0.0.1:9, m"
    assert (second.until, second.cause) == (None, "timeout")
    assert second.line == "anthropic at the public API, m"
    store.readers_back("b", OTHER, NOW + 11)
    (left,) = open_outages(store.breakers(), store.outages(), RULES, NOW + 400)
    assert left.address == "http://127.0.0.1:9"
    assert left.until is None, "the next call probes"


def test_what_is_past_the_retention_is_swept(store: Store) -> None:
    store.start_session("a", "/p", NOW)
    met(store, "a", NOW)
    store.sweep(NOW + 40 * DAY, 30)
    assert store.outages() == ()
    assert met(store, "a", NOW)


# The database alone


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "onlooker" / "compass"


def opened(state_dir: Path) -> Store:
    return open_store(str(state_dir), now=NOW).store


def test_a_probe_under_way_survives_a_restart(state_dir: Path) -> None:
    first = opened(state_dir)
    fail(first, 3)
    token = probe(first, NOW + 300)
    first.close()
    second = opened(state_dir)
    assert second.admit(KEY, RULES, NOW + 301).answer == "open"
    second.report(KEY, RULES, NOW + 302, "success", token)
    assert second.breaker(KEY) == Closed()


def test_a_locked_database_admits_everybody_and_notes_the_fault(state_dir: Path) -> None:
    store = opened(state_dir)
    fail(store, 3)
    blocker = sqlite3.connect(state_dir / "compass.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    assert store.admit(KEY, RULES, NOW) == Admission("closed")
    store.report(KEY, RULES, NOW, "failure", None)
    blocker.execute("ROLLBACK")
    blocker.close()
    assert [fault.split(":")[1].strip() for fault in store.faults] == ["admit", "report"]
    assert store.admit(KEY, RULES, NOW).answer == "open"
    store.close()


COMMON = """
from evaluator.breaker import BreakerRules
from evaluator.state.store import open_store
store = open_store(sys.argv[1], now=time.time()).store
key, rules, now = sys.argv[2], BreakerRules(8, 300.0, 30.0), float(sys.argv[3])
"""
ASK = COMMON + "print(store.admit(key, rules, now).answer, *store.faults)"
FAIL = COMMON + "store.report(key, rules, now, 'failure', None); print('told', *store.faults)"


def run(code: str, state_dir: Path, now: float) -> Counter[str]:
    arguments = (str(state_dir), KEY, repr(now))
    running = [start(code, *arguments, head_start=1.5) for _ in range(8)]
    return Counter(line.strip() for line in outputs(running))


def test_half_open_lets_one_probe_through_when_eight_processes_ask_at_once(state_dir: Path) -> None:
    fail(opened(state_dir), 3)
    assert run(ASK, state_dir, NOW + 300) == {"probe": 1, "open": 7}


def test_failures_of_many_processes_are_each_counted_and_open_it_once(state_dir: Path) -> None:
    store = opened(state_dir)
    assert run(FAIL, state_dir, NOW) == {"told": 8}
    assert store.breaker(KEY) == Open(NOW), "the eighth opens it"
    store.close()


def test_of_many_calls_at_once_one_is_told(state_dir: Path) -> None:
    stores = [opened(state_dir) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda number: met(stores[number % 4], "a", NOW), range(16)))
    assert sum(told) == 1
    for one in stores:
        one.close()
