"""Where outcomes of a journal lie: a table that grows by sixteen bytes each."""

from __future__ import annotations

from random import Random

from calibration.measurement.places import RECENT, Places


def test_the_greatest_place_of_each_key_is_found_however_many_there_are() -> None:
    random = Random(5)
    places = Places()
    known: dict[int, int] = {}
    for place in range(6 * RECENT + 7):
        key = random.randrange(4 * RECENT) << 50 | 2**63
        places.put(key, place)
        known[key] = place
    assert all(places.of(key) == place for key, place in known.items())
    assert all(places.of(key + 1) is None for key in known)
    assert places.of(0) is None and places.of(2**64 - 1) is None


def test_what_was_forgotten_is_found_no_more() -> None:
    places = Places()
    for key in range(RECENT + 1):
        places.put(key, key)
    places.clear()
    assert [places.of(key) for key in (0, RECENT)] == [None, None]
