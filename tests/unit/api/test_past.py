"""`explain`, `checks`, `pending_questions`: what was recorded, as other surfaces tell it; and what a day took."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, reply
from running.hookrun import KEY

from compass import (
    CompassError,
    Gate,
    Session,
    Verdict,
    checks,
    explain,
    judge,
    judge_case,
    pending_questions,
)
from compass.composition.process import BookedStore, Books
from evaluator.state import database

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
DELETE = {"command": "rm src/old_auth.py"}


def held(gate: Gate, name: str = "one") -> tuple[Session, Verdict]:
    session = gate.session(name)
    session.user("Find unused files")
    session.agent(FOUND)
    session.user("Just delete it.")
    found = session.before("Bash", DELETE, call_id="c1")
    assert not found.allowed
    session.agent(found.question)
    return session, found


def test_a_recorded_check_is_told_as_it_was_given(project: Path) -> None:
    begun = time.time()
    with Gate(record=True) as gate:
        _, given = held(gate)
    past = explain(given.check_id)
    for name in Verdict.__slots__:
        if name not in ("answers", "cost_usd"):
            assert getattr(past.verdict, name) == getattr(given, name), name
    assert [one.score for one in past.verdict.answers] == [one.score for one in given.answers]
    assert begun - 1 <= past.at <= time.time()
    assert (past.session, past.host, past.project) == ("one", "python", str(project))
    assert (past.write, past.outcome) == ("delete src/old_auth.py", "held")
    assert past.why.startswith("forbidden, or not asked for")
    assert past.evidence is None, "nothing was to be sent"
    with pytest.raises(FrozenInstanceError):
        past.why = ""  # type: ignore[misc]
    assert explain() == explain(given.check_id[:20]) == past


def test_the_last_checks_come_newest_first(project: Path) -> None:
    given = [
        judge(f"Create n{n}.txt that says hi", path=f"n{n}.txt", content="hi\n", record=True)
        for n in range(3)
    ]
    assert [one.verdict.check_id for one in checks()] == [one.check_id for one in given[::-1]]
    assert [one.write for one in checks(newest=1)] == ["create n2.txt"]
    assert checks(newest=0) == checks(newest=-1) == ()


def test_what_waits_is_told_until_it_is_answered(project: Path) -> None:
    with Gate(record=True) as gate:
        session, given = held(gate)
        (waits,) = pending_questions()
        assert (waits.session, waits.held) == ("one", ("delete src/old_auth.py",))
        assert (waits.readings, waits.user_said) == (given.readings, ())
        assert abs(waits.since - time.time()) < 60 and "compass: proceed" in waits.user_may
        session.user(str(given.readings.index("delete src/old_auth.py") + 1))
        assert pending_questions()[0].user_said == ("delete src/old_auth.py",)
        assert session.before("Bash", DELETE, call_id="c2").allowed
        session.after("c2")
    assert pending_questions() == ()


def test_what_is_kept_nowhere_is_told_nowhere(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_STORE_EVIDENCE", "false")
    with Gate(record=True) as gate:
        _, given = held(gate)
    past = explain()
    assert past.evidence is None and past.verdict.request == "" and past.verdict.check_id == given.check_id


def test_other_projects_are_told_only_where_nobody_names_one(project: Path, tmp_path: Path) -> None:
    given = judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py", record=True)
    other = tmp_path / "other"
    other.mkdir()
    assert explain(given.check_id).project == str(project)
    with pytest.raises(CompassError, match="no such check in this project"):
        explain(given.check_id, project=other)
    with pytest.raises(CompassError, match="no check of this project"):
        explain(project=other)
    assert checks(project=other) == pending_questions(project=other) == ()


def test_where_nothing_was_recorded_nothing_is_made(project: Path, files: list[str]) -> None:
    assert checks() == pending_questions() == ()
    with pytest.raises(CompassError):
        explain()
    with pytest.raises(CompassError, match="no such folder"):
        explain(project="nowhere")
    assert list(files) == []


# What hosted readers take of the day: booked on the machine, over one connection that stays open.


DAY = "2026-11-23"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that were opened, in order."""
    found: list[str] = []
    open_connection = database.open_connection

    def counted(path: str, *rest: object) -> tuple[sqlite3.Connection, str | None]:
        found.append(path)
        return open_connection(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(database, "open_connection", counted)
    yield found


def test_many_stores_book_over_one_connection(tmp_path: Path, opened: list[str]) -> None:
    books, folder = Books(), str(tmp_path / "state")
    for _ in range(5):
        store = BookedStore(folder, books)
        store.add_spend(DAY, 0.25, 5)
        store.close()
    assert len(opened) == 1
    books.close()
    alone = BookedStore(folder)
    assert (alone.spent(DAY), alone.samples_of(DAY)) == (1.25, 25)
    alone.close()


def test_a_state_that_cannot_be_used_is_counted_in_memory_until_it_can(tmp_path: Path) -> None:
    books, folder = Books(), tmp_path / "state"
    folder.write_text("a file where the folder should be")
    for _ in range(2):
        books.of(str(folder)).add_spend(DAY, 0.5, 5)
    assert books.of(str(folder)).samples_of(DAY) == 10
    folder.unlink()
    books.of(str(folder)).add_spend(DAY, 0.5, 5)
    assert books.of(str(folder)).samples_of(DAY) == 5
    books.close()
    found = BookedStore(str(folder))
    assert found.samples_of(DAY) == 5
    found.close()


def test_books_that_were_closed_open_again(tmp_path: Path) -> None:
    books = Books()
    books.of(str(tmp_path / "state")).add_spend(DAY, 0.5, 5)
    books.close()
    assert books.of(str(tmp_path / "state")).samples_of(DAY) == 5
    books.close()


def test_whatever_is_judged_in_one_process_books_over_one_connection(
    project: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = {"tool_name": "Write", "file_path": "notes.txt", "content": "hello"}
    with LoopbackApi() as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        api.default = reply()
        judge("Create notes.txt that says hello", path="notes.txt", content="hello", backend="anthropic")
        for number in range(3):
            row = {**call, "user_message": f"Create notes.txt that says hello, {number}"}
            assert judge_case(row, backend="anthropic").answers
    assert len(opened) == 1
