"""Where things lie, by number: sixteen bytes for each, however many there are."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from heapq import merge

RECENT = 1024
"""So many are looked up by hash; they are sorted among the others together."""


class Places:
    """Places by keys, both of at most 64 bits. Of two places of one key the greater counts.

    Sorted runs, each more than twice as long as the next: adding is cheap, and few runs are looked through.
    """

    def __init__(self) -> None:
        self._recent: dict[int, int] = {}
        self._runs: list[tuple[array[int], array[int]]] = []

    def of(self, key: int) -> int | None:
        found = [self._recent[key]] if key in self._recent else []
        for keys, places in self._runs:
            at = bisect_right(keys, key) - 1
            if at >= 0 and keys[at] == key:
                found.append(places[at])
        return max(found, default=None)

    def put(self, key: int, place: int) -> None:
        self._recent[key] = max(place, self._recent.get(key, place))
        if len(self._recent) >= RECENT:
            self._settle()

    def clear(self) -> None:
        self._recent, self._runs = {}, []

    def _settle(self) -> None:
        recent = sorted(self._recent.items())
        keys = array("Q", (key for key, _ in recent))
        places = array("Q", (place for _, place in recent))
        self._recent = {}
        while self._runs and len(self._runs[-1][0]) <= 2 * len(keys):
            keys, places = _merged(self._runs.pop(), (keys, places))
        self._runs.append((keys, places))


def _merged(
    one: tuple[array[int], array[int]], other: tuple[array[int], array[int]]
) -> tuple[array[int], array[int]]:
    keys, places = array("Q"), array("Q")
    for key, place in merge(zip(*one, strict=True), zip(*other, strict=True)):
        keys.append(key)
        places.append(place)
    return keys, places
