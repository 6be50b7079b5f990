"""What every state store promises of outages: each session is told of one once, and once of its end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from samples.state_stores import NOW

from evaluator.breaker import BreakerRules, OpenOutage, Outage, key_of, open_outages
from evaluator.state.store import Store, open_store

RULES = BreakerRules(consecutive_failures_to_open=3, open_duration_seconds=300.0, probe_lease_seconds=30.0)
KEY = key_of("anthropic", "http://127.0.0.1:9", "m")
OTHER = key_of("anthropic", "", "m")
DAY = 86_400.0


def met(store: Store, session: str, at: float, cause: str | None = "server", key: str = KEY) -> bool:
    found = store.meet_outage(session, key, at, cause)
    assert found is not None
    return found[1]


def test_each_session_is_told_once_of_an_outage_and_once_of_its_end(store: Store) -> None:
    assert [met(store, "a", NOW), met(store, "a", NOW + 1), met(store, "b", NOW + 2, None)] == [
        True,
        False,
        True,
    ]
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
    assert [one.address for one in open_outages(store.breakers(), store.outages(), RULES, NOW + 400)] == [
        "http://127.0.0.1:9"
    ]
    assert open_outages(store.breakers(), store.outages(), RULES, NOW + 400)[0].until is None, (
        "the next call probes"
    )


def test_a_line_whose_address_is_a_digest_is_listed(store: Store) -> None:
    met(store, "a", NOW, key=key_of("anthropic", "http://h/" + "x" * 300, "m"))
    (found,) = open_outages(store.breakers(), store.outages(), RULES, NOW + 1)
    assert found.line == "readers at an address too long to keep"


def test_a_clock_that_went_back_tells_no_time_to_come(store: Store) -> None:
    met(store, "a", NOW)
    (found,) = open_outages(store.breakers(), store.outages(), RULES, NOW - 50)
    assert found.since == NOW - 50


def test_what_is_past_the_retention_is_swept(store: Store) -> None:
    store.start_session("a", "/p", NOW)
    met(store, "a", NOW)
    store.sweep(NOW + 40 * DAY, 30)
    assert store.outages() == ()
    assert met(store, "a", NOW)


def test_of_many_calls_at_once_one_is_told(tmp_path: Path) -> None:
    opened = [open_store(str(tmp_path / "compass"), now=NOW).store for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda number: met(opened[number % 4], "a", NOW), range(16)))
    assert sum(told) == 1
    for one in opened:
        one.close()
