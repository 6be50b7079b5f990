"""Which calls were met: a set of numbers that takes eight bytes for each, however many there are."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from heapq import merge


class Seen:
    """Sorted runs, each more than twice as long as the next: adding is cheap, and few runs are looked through."""

    def __init__(self) -> None:
        self._runs: list[array[int]] = []

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and any(_has(run, place) for run in self._runs)

    def update(self, places: Iterable[int]) -> None:
        added = array("Q", sorted(set(places)))
        while self._runs and len(self._runs[-1]) <= 2 * len(added):
            added = array("Q", merge(self._runs.pop(), added))
        if added:
            self._runs.append(added)


def _has(run: array[int], place: int) -> bool:
    at = bisect_left(run, place)
    return at < len(run) and run[at] == place
