"""What every state store promises of the breaker, and that processes share one."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from running.processes import outputs, start
from samples.state_stores import NOW

from evaluator.breaker import (
    Admission,
    BreakerRules,
    BreakerState,
    Closed,
    HalfOpen,
    Open,
    key_of,
)
from evaluator.state.store import Store, open_store

RULES = BreakerRules(consecutive_failures_to_open=3, open_duration_seconds=300.0, probe_lease_seconds=30.0)
KEY = key_of("anthropic", "http://127.0.0.1:9", "m")
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


def test_it_opens_after_failures_in_a_row_and_refuses_until_its_time_is_over(store: Store) -> None:
    fail(store, 2)
    assert store.breaker(KEY) == Closed(2)
    fail(store, 1)
    assert store.breaker(KEY) == Open(NOW)
    assert store.admit(KEY, RULES, NOW + 299) == Admission("open", until=NOW + 300)


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


def test_a_neutral_probe_leaves_the_probing_to_the_next(store: Store) -> None:
    fail(store, 3)
    store.report(KEY, RULES, NOW + 301, "neutral", probe(store, NOW + 300))
    probe(store, NOW + 302)


def test_breakers_are_apart_and_all_can_be_listed(store: Store) -> None:
    other, third = key_of("anthropic", "", "m"), key_of("anthropic", "", "another")
    fail(store, 3)
    fail(store, 1, other)
    fail(store, 1, third)
    store.report(third, RULES, NOW, "success", None)
    found: dict[str, BreakerState] = {KEY: Open(NOW), other: Closed(1)}
    assert store.breakers() == found
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


# The database alone


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "onlooker" / "compass"


def opened(state_dir: Path) -> Store:
    return open_store(str(state_dir), now=NOW).store


def test_an_open_breaker_survives_a_restart(state_dir: Path) -> None:
    first = opened(state_dir)
    fail(first, 2)
    first.close()
    second = opened(state_dir)
    fail(second, 1)
    second.close()
    assert opened(state_dir).admit(KEY, RULES, NOW + 1).answer == "open"


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


def test_a_table_that_is_gone_reads_as_closed(state_dir: Path) -> None:
    store = opened(state_dir)
    other = sqlite3.connect(state_dir / "compass.db", isolation_level=None)
    other.execute("DROP TABLE breakers")
    other.close()
    assert store.admit(KEY, RULES, NOW) == Admission("closed")
    store.report(KEY, RULES, NOW, "success", "t")
    assert store.breaker(KEY) == Closed()
    assert store.breakers() == {}
    assert len(store.faults) == 4
    store.close()


# Processes

COMMON = """
from evaluator.breaker import BreakerRules
from evaluator.state.store import open_store
store = open_store(sys.argv[1], now=time.time()).store
key, rules, now = sys.argv[2], BreakerRules(8, 300.0, 30.0), float(sys.argv[3])
"""
ASK = COMMON + "print(store.admit(key, rules, now).answer, *store.faults)"
FAIL = COMMON + "store.report(key, rules, now, 'failure', None); print('told', *store.faults)"
PROBE_AND_HANG = COMMON + "print(store.admit(key, rules, now).token, flush=True); time.sleep(60)"


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


def test_another_process_probes_once_the_lease_of_a_killed_prober_has_run_out(state_dir: Path) -> None:
    store = opened(state_dir)
    fail(store, 3)
    prober = start(PROBE_AND_HANG, str(state_dir), KEY, repr(NOW + 300))
    assert prober.stdout is not None
    token = prober.stdout.readline().strip()
    assert store.breaker(KEY) == HalfOpen(token, NOW + 300)
    prober.kill()
    prober.communicate()
    assert store.admit(KEY, RULES, NOW + 329).answer == "open"
    again = probe(store, NOW + 330)
    store.report(KEY, RULES, NOW + 331, "failure", token)
    assert store.breaker(KEY) == HalfOpen(again, NOW + 330), "the dead one's word is void"
    store.report(KEY, RULES, NOW + 331, "success", again)
    assert store.breaker(KEY) == Closed()
    assert list(store.faults) == []
    store.close()
