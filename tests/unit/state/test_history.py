"""What was kept is found again: by project, by id, by file, by what became of it; the file itself is left alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from samples.state_stores import CHECK, NOW, PENDING, saved_as

from evaluator.errors import StateError
from evaluator.model import Check, Effect, Effects, Sample
from evaluator.ports import TurnKey
from evaluator.state.history import CheckTally, History
from evaluator.state.store import open_store

TURN = TurnKey("session-1", "", 3)


def in_project(check: Check, folder: str) -> Check:
    return replace(check, pending=replace(PENDING, project_dir=folder))


@pytest.fixture
def kept(tmp_path: Path):
    """`kept(check, ...)` saves them in that order and gives the history."""

    def save(*checks: Check) -> History:
        opened = open_store(str(tmp_path / "compass"), now=NOW)
        for check in checks:
            opened.store.save_check(check, TURN, store_evidence=True)
        assert list(opened.store.faults) == []
        opened.store.close()
        return History(str(tmp_path / "compass"), NOW)

    return save


def ids(found) -> list[str]:
    return [kept.record["check_id"] for kept in found]


def test_without_a_database_there_is_nothing_and_none_is_made(tmp_path: Path) -> None:
    history = History(str(tmp_path / "none"), NOW)
    assert (history.newest(None, 5), history.tallies("/p", 0.0), history.records()) == ([], [], [])
    assert (history.spent("d"), history.last_start("/p")) == (0.0, None)
    assert (history.naming("/p/a"), history.breakers(), history.outages()) == ([], {}, ())
    assert list(tmp_path.iterdir()) == []


def test_a_project_is_its_folder_and_those_below_it(kept) -> None:
    folders = ("/p", "/p/sub", "/p2", "/other", "/p/\udcff")
    history = kept(*(in_project(saved_as(f"01{n}"), folder) for n, folder in enumerate(folders)))
    assert ids(history.newest("/p", 10)) == ["010", "011"]
    assert ids(history.newest("/p2", 10)) == ["012"]
    assert ids(history.newest("/p/\udcff", 10)) == ["014"]
    assert ids(history.newest("/", 2)) == ["012", "013"]
    assert ids(history.newest(None, 10)) == ["010", "011", "012", "013", "014"]


def test_the_newest_are_those_that_were_saved_last_oldest_first(kept) -> None:
    allowed = replace(saved_as("02"), decision="allow", verdict="passed", reason="confident")
    history = kept(saved_as("01"), allowed, saved_as("03"))
    assert ids(history.newest("/p", 2)) == ["02", "03"]
    assert ids(history.newest("/p", 9, denied=True)) == ["01", "03"]


def test_times_and_costs_stand_beside_the_record(kept) -> None:
    free = replace(saved_as("02"), samples=(Sample("r", 0.9),), duration_ms=7)
    first, second = kept(saved_as("01"), free).newest("/p", 2)
    assert (first.duration_ms, first.cost_usd) == (CHECK.duration_ms, 0.25)
    assert (second.duration_ms, second.cost_usd) == (7, None)


def test_tallies_are_of_a_window_and_a_project(kept) -> None:
    old = saved_as("01", at=NOW - 100)
    skipped = replace(saved_as("03"), verdict="skipped", decision="allow", reason="skip_glob", duration_ms=2)
    theirs = in_project(saved_as("04", at=NOW), "/q")
    history = kept(old, saved_as("02", at=NOW), replace(skipped, at=NOW), theirs)
    assert history.tallies("/p", NOW - 50) == [
        CheckTally("failed", "low_confidence", "deny", 1),
        CheckTally("skipped", "skip_glob", "allow", 1),
    ]


def test_a_file_is_found_in_any_target_of_any_project(kept) -> None:
    effects = Effects(
        "write", "move", "destructive", ("/p/a.py", "/p/ü b.py"),
        each=(Effect("move", "destructive", "/p/a.py"), Effect("create", "additive", "/p/ü b.py")),
    )  # fmt: skip
    history = kept(saved_as("01"), replace(in_project(saved_as("02"), "/q"), effects=effects, evidence=None))
    assert ids(history.naming("/p/ü b.py")) == ["02"]
    assert ids(history.naming("/p/auth.py")) == ["01"]
    assert history.naming("/p/none.py") == []


def test_what_another_process_saves_is_seen_and_a_replaced_file_too(kept, tmp_path: Path) -> None:
    history = kept(saved_as("01"))
    assert history.last_place() == 1
    kept(saved_as("02"))
    assert ids(history.newest("/p", 5)) == ["01", "02"]
    for path in (tmp_path / "compass").glob("compass.db*"):
        path.unlink()
    assert history.newest("/p", 5) == []
    kept(saved_as("03"))
    assert ids(history.newest("/p", 5)) == ["03"]


def test_a_database_of_a_newer_version_or_a_broken_one_is_named(kept) -> None:
    history = kept(saved_as("01"))
    with closing(sqlite3.connect(history.path)) as database:
        database.execute("PRAGMA user_version = 999")
    with pytest.raises(StateError, match="newer Compass"):
        history.newest("/p", 5)
    Path(history.path).write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(StateError, match="database"):
        history.newest("/p", 5)
