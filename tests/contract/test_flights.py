"""Who checks and who waits, in every store, though each process reads its clock before it gets to write."""

from __future__ import annotations

import pytest
from samples.sample_checks import CHECK
from samples.state_stores import NOW

from evaluator.state.store import Store

LONG = 86_400.0
SECONDS = 20.0


def enters(store: Store, token: str, *, since: float = NOW, now: float) -> bool:
    return store.enter_flight("s", "identity", token, since, now, SECONDS)


def test_one_flies_and_the_others_wait_until_its_time_is_up(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    assert not enters(store, "b", now=NOW + 1.5)
    assert enters(store, "b", now=NOW + 1 + SECONDS)


def test_a_clock_that_was_read_just_before_the_flight_began_starts_no_second_one(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    assert not enters(store, "b", now=NOW + 0.99)


def test_a_clock_that_was_read_just_before_the_landing_starts_no_second_flight(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    store.land_flight("s", "identity", "a", NOW + 3, CHECK)
    assert not enters(store, "b", now=NOW + 2.99)
    landed = store.flight("s", "identity")
    assert landed is not None and landed.check_id == CHECK.check_id


def test_who_began_after_the_landing_checks_anew(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    store.land_flight("s", "identity", "a", NOW + 3, CHECK)
    assert enters(store, "b", since=NOW + 3.01, now=NOW + 3.02)


@pytest.mark.parametrize("landed", [False, True])
def test_a_flight_of_the_future_is_taken_over(store: Store, landed: bool) -> None:
    """As a clock that jumped back leaves it."""
    assert enters(store, "a", now=NOW + LONG)
    if landed:
        store.land_flight("s", "identity", "a", NOW + LONG + 1, CHECK)
    assert enters(store, "b", now=NOW)
