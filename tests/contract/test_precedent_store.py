"""What every state store of a developer's own promises of precedents; a team's keeps none."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from samples.state_stores import state_store

from evaluator.precedents import Precedent, looked_for
from evaluator.record import replace
from evaluator.state import sessions as table
from evaluator.state.store import FILE_NAME, Store
from evaluator.text import ulid

NOW = 1_735_732_800.0
DAY = 86_400.0
HERE, ELSEWHERE = "0123456789ab", "ba9876543210"


def settled(
    at: float, term: str = "the parser", target: str = "src/report/parser.py", project: str = HERE
) -> Precedent:
    return Precedent(
        precedent_id=ulid(at, os.urandom(10)),
        project=project,
        checkout="/srv/shop",
        session_id="s\udc80",
        check_id=ulid(at, os.urandom(10)),
        at=at,
        source="clarified",
        term=term,
        said="the one of the reports\udc80, 報告の方",
        action="fix",
        target=target,
        extent="one_file",
        tightens=False,
    )


@pytest.fixture(params=["sqlite", "memory"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with state_store(request.param, tmp_path) as fresh:
        yield fresh


def found(store: Store, text: str, since: float = 0.0, limit: int = 10) -> tuple[Precedent, ...]:
    return store.precedents_of(HERE, looked_for(text), since, limit)


def test_a_precedent_comes_back_as_it_was_kept(own: Store) -> None:
    assert not own.has_precedents(HERE)
    one = settled(NOW)
    own.keep_precedent(one)
    assert own.has_precedents(HERE)
    assert not own.has_precedents(ELSEWHERE)
    assert own.precedent(one.precedent_id) == one
    assert own.all_precedents(HERE) == own.all_precedents(None) == (one,)
    assert own.all_precedents(ELSEWHERE) == ()


@pytest.mark.parametrize(
    ("term", "target", "said"),
    [
        ("the parser", "src/a/reader.py", "please speed up both parsers"),
        ("the limits", "src/a/reader.py", "Raise the limit"),
        ("the thing", "src/a/invoice_reader.py", "the invoice is wrong"),
        ("设置", "src/a/reader.py", "请修改设置"),
        ("パーサー", "src/a/reader.py", "パーサーを直して"),
        ("Prüfer", "src/a/reader.py", "repariere den Prüfer"),
    ],
)
def test_it_is_found_by_a_word_of_its_term_or_of_its_targets_name(
    own: Store, term: str, target: str, said: str
) -> None:
    one = settled(NOW, term, target)
    own.keep_precedent(one)
    own.keep_precedent(settled(NOW, "a colour", "src/theme.css"))
    assert found(own, said) == (one,)
    assert own.precedents_of(HERE, (), 0.0, 10) == ()


def test_the_newest_come_first_of_this_project_alone_and_none_that_is_too_old(own: Store) -> None:
    kept = [settled(NOW + day * DAY) for day in (0, 2, 1)]
    for one in (*kept, settled(NOW, project=ELSEWHERE)):
        own.keep_precedent(one)
    first, third, second = kept
    assert found(own, "the parser") == (third, second, first)
    assert found(own, "the parser", since=NOW + DAY) == (third, second)
    assert found(own, "the parser", limit=1) == (third,)


def test_one_that_is_kept_again_replaces_itself_and_its_words(own: Store) -> None:
    one = settled(NOW)
    own.keep_precedent(one)
    edited = replace(one, term="the lexer", target="src/lexer.py", source="edited")
    own.keep_precedent(edited)
    assert found(own, "the parser") == ()
    assert found(own, "the lexer") == own.all_precedents(HERE) == (edited,)


def test_what_is_forgotten_or_swept_leaves_no_word(own: Store) -> None:
    old, new, other = settled(NOW), settled(NOW + DAY), settled(NOW, project=ELSEWHERE)
    for one in (old, new, other):
        own.keep_precedent(one)
    own.sweep_precedents(HERE, NOW + DAY)
    assert own.all_precedents(None) == (new, other)
    assert own.forget_precedents([new.precedent_id, "unknown"]) == 1
    assert found(own, "the parser") == ()
    assert own.precedent(new.precedent_id) is None
    assert own.all_precedents(None) == (other,)


def test_nothing_of_what_is_forgotten_stands_in_the_tables(tmp_path: Path) -> None:
    with state_store("sqlite", tmp_path) as store:
        one = settled(NOW)
        store.keep_precedent(one)
        store.forget_precedents([one.precedent_id])
        with closing(sqlite3.connect(tmp_path / "compass" / FILE_NAME)) as database, database:
            assert database.execute("SELECT count(*) FROM precedent_words").fetchone() == (0,)
            assert database.execute("SELECT count(*) FROM precedents").fetchone() == (0,)


def test_past_the_bound_the_oldest_goes(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "PRECEDENTS_MAX", 2)
    kept = [settled(NOW + number) for number in range(3)]
    for one in kept:
        own.keep_precedent(one)
    assert own.all_precedents(HERE) == (kept[2], kept[1])
