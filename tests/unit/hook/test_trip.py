"""How much of the program a held write goes through: no more than it did."""

from __future__ import annotations

import importlib.util

from repository import ROOT

FILES, FUNCTIONS, MODULES = 94, 750, 125
"""What is entered now, and a little room; what a short reply takes up is read before rules hold."""


def test_a_held_write_enters_no_more_of_the_program_than_before() -> None:
    spec = importlib.util.spec_from_file_location("trip", ROOT / "benchmarks" / "trip.py")
    assert spec is not None and spec.loader is not None
    trip = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(trip)
    found = trip.measured()
    for way, counts in found.items():
        assert 0 < counts["files"] <= FILES and 0 < counts["functions"] <= FUNCTIONS, (way, counts)
    assert found["cold"]["modules"] <= MODULES
