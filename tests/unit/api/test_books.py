"""What hosted readers take of the day: booked on the machine, over one connection that stays open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, reply
from running.hookrun import KEY

from compass import judge, judge_case
from compass.composition.process import BookedStore, Books
from evaluator.state import database

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
