"""Bulk commands as processes: how much memory the most cases take, against a tenth of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from running.hookrun import Place
from running.tree import ran
from samples.exported import exported
from samples.many import cases, sessions

MOST = 1.1
"""Of the resident memory at a tenth, at its peak: of the command alone, and of it and its workers together."""
Words = tuple[object, ...]


def calibrate(place: Place, count: int) -> Words:
    return "calibrate", "--json", "--cases", cases(place.root, count), "--out", "x"


def replay(place: Place, count: int) -> Words:
    return "replay", "--json", sessions(place.root / "kept", str(place.project), count)


def audit(place: Place, count: int) -> Words:
    return "audit", "--json", "--seed", 7, sessions(place.root / "kept", str(place.project), count)


def records(place: Place, count: int) -> Words:
    return "audit", "--json", "--seed", 7, "--records", exported(place.root, count)


def peaks(root: Path, words: Callable[[Place, int], Words], count: int, jobs: int) -> tuple[int, int]:
    """In kB: of the command, and the sum with those of its workers."""
    place = Place(root / str(count))
    done = ran(place, *words(place, count), "--jobs", jobs)
    assert done.returncode == 0, done.stderr
    assert len(done.peaks) == (jobs if jobs > 1 else 0) and json.loads(done.stdout)
    return done.peak, done.peak + sum(done.peaks)


def is_flat(
    tell: Callable[[str, object], None],
    root: Path,
    words: Callable[[Place, int], Words],
    count: int,
    jobs: int,
) -> None:
    tenth, most = (peaks(root, words, number, jobs) for number in (count // 10, count))
    own, all_of_them = (high / low for low, high in zip(tenth, most, strict=True))
    sizes = " to ".join(f"{alone / 1000:.1f} MB ({together / 1000:.1f})" for alone, together in (most, tenth))
    told = f"{words.__name__} by {jobs}, {count:,} against a tenth: {sizes}, with workers in brackets"
    tell("counted", f"{told}: {own:.3f} ({all_of_them:.3f})")
    assert own <= MOST and all_of_them <= MOST


@pytest.mark.full
def test_the_records_of_a_team_are_never_all_in_memory(
    record_property: Callable[[str, object], None], tmp_path: Path
) -> None:
    is_flat(record_property, tmp_path, records, 5000, 1)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("words", "count"),
    [(calibrate, 10_000), (replay, 1000), (audit, 1000)],
    ids=["calibrate", "replay", "audit"],
)
def test_ten_times_as_much_takes_at_most_a_tenth_more_memory(
    record_property: Callable[[str, object], None],
    tmp_path: Path,
    words: Callable[[Place, int], Words],
    count: int,
    jobs: int,
) -> None:
    is_flat(record_property, tmp_path, words, count, jobs)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_ten_thousand_records_of_a_team(
    record_property: Callable[[str, object], None], tmp_path: Path
) -> None:
    is_flat(record_property, tmp_path, records, 10_000, 1)
