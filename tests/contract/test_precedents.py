"""Precedents: what every state store of a developer's own promises of them, and what they do at the real gate."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from played.readers import ReaderApi, shown
from running.remembered import FILES, Project, Talk
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
        precedent_id=ulid(at, os.urandom(10)), project=project, checkout="/srv/shop", session_id="s\udc80",
        check_id=ulid(at, os.urandom(10)), at=at, source="clarified", term=term, action="fix", target=target,
        said="the one of the reports\udc80, 報告の方", extent="one_file", tightens=False,
    )  # fmt: skip


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
def test_it_is_found_by_a_word_of_its_term_or_of_its_targets_name(own, term, target, said):
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


# A real service and database: what readers are shown, and what an answer leaves


READER, RIVAL = FILES[:2]
REQUEST, ANSWER = "Fix the parser", "the one in the report folder"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def held(project: Project, *, attended: bool = True) -> Talk:
    """A session whose first edit of READER was looked at."""
    talk = project.session(attended=attended)
    talk.user(REQUEST)
    talk.edits(READER)
    return talk


def shown_of(project: Project) -> list[str]:
    """The precedents that readers of the newest check were shown."""
    found: list[str] = (project.machine.newest_check() or {})["evidence"]["precedents"]
    return found


def later(project: Project, request: str, path: str = READER) -> str:
    talk = project.session()
    talk.user(request)
    return talk.edits(path).decision


@pytest.mark.full
def test_a_hold_that_was_answered_is_not_asked_again(project: Project) -> None:
    (kept,) = project.settles(REQUEST, ANSWER)
    assert len(kept.precedent_id) == len(kept.check_id) == 26
    assert (kept.project, kept.checkout) == (project.key, str(project.folder))
    assert (kept.source, kept.term, kept.said) == ("clarified", REQUEST, ANSWER)
    assert (kept.action, kept.target, kept.extent, kept.tightens) == ("fix", READER, "one_file", False)
    assert later(project, REQUEST) == "allow"
    assert later(project, REQUEST, RIVAL) == "deny"


def test_it_is_shown_by_a_word_of_the_request_or_its_target(project: Project) -> None:
    project.settles(REQUEST, ANSWER)
    assert later(project, "Update the changelog", RIVAL) == "deny" and shown_of(project) == []
    assert later(project, "Update the changelog", READER) == "allow"
    (line,) = shown_of(project)
    assert f'"Fix the parser" meant "{READER}"' in line


def test_it_leads_to_no_overwrite_no_deletion_and_no_second_file(project: Project) -> None:
    project.settles(REQUEST, ANSWER)
    calls = [
        ("Write", {"file_path": str(project.folder / READER), "content": "x = 1\n"}),
        ("Bash", {"command": f"rm {READER}"}),
        ("Bash", {"command": f"sed -i s/a/b/ {READER} {RIVAL}"}),
        ("Bash", {"command": "sed -i s/a/b/ src/*/reader.py"}),
    ]
    for tool, given in calls:
        decisions = []
        for enabled in ("true", "false"):
            project.machine.place.env["COMPASS_MEMORY__ENABLED"] = enabled
            talk = project.session()
            talk.user("Please have another look at the parser and fix it")
            decisions.append(talk.calls(tool, given).decision)
        assert decisions[0] == decisions[1]


@pytest.mark.parametrize(
    "answer", ["compass: proceed", "compass: proceed all", "maybe the report one", "go on"]
)
def test_what_was_let_through_or_left_open_settles_nothing(project: Project, answer: str) -> None:
    assert project.settles(REQUEST, answer) == ()


def test_after_a_proceed_a_later_explanation_settles_nothing(project: Project) -> None:
    talk = held(project)
    talk.user("compass: proceed all")
    talk.user(ANSWER)
    talk.edits(READER)
    assert project.kept() == ()


def test_a_cancel_leaves_one_that_only_tightens(project: Project) -> None:
    (kept,) = project.settles(REQUEST, "compass: cancel")
    assert (kept.source, kept.term, kept.target, kept.tightens) == ("cancelled", REQUEST, READER, True)
    assert later(project, REQUEST) == "deny"
    (line,) = shown_of(project)
    assert '"Fix the parser" did not mean' in line


def test_a_cancel_that_cancels_nothing_or_is_nobodys_leaves_none(tmp_path: Path) -> None:
    project = Project(tmp_path / "a")
    talk = project.session()
    talk.user(REQUEST)
    talk.user("compass: cancel")
    assert talk.edits(READER).decision == "deny"
    talk.user("please compass: cancel")
    assert project.kept() == ()
    off = Project(tmp_path / "b", {"COMPASS_MEMORY__ENABLED": "false"})
    alone = Project(tmp_path / "c", {"CLAUDE_CODE_SESSION_ATTENDED": "0"})
    for one, attended in ((off, True), (alone, False)):
        held(one, attended=attended).user("compass: cancel")
        assert one.kept() == ()


def test_the_first_write_that_fits_settles_and_no_further_one(project: Project) -> None:
    talk = held(project)
    talk.user(ANSWER)
    talk.edits(READER)
    talk.edits("README.md")
    talk.edits(FILES[2])
    assert [one.target for one in project.kept()] == [READER]


def test_a_subagents_write_and_a_session_that_nobody_attends_settle_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path / "a")
    talk = held(project)
    talk.user(ANSWER)
    talk.edits(READER, agent_id="a1", task="The parser means src/report/reader.py. Edit it.")
    assert project.kept() == ()
    alone = Project(tmp_path / "b", {"CLAUDE_CODE_SESSION_ATTENDED": "0"})
    talk = held(alone, attended=False)
    talk.user(ANSWER)
    talk.edits(READER)
    assert alone.kept() == ()


def test_memory_that_is_off_keeps_and_shows_nothing(tmp_path: Path) -> None:
    assert Project(tmp_path, {"COMPASS_MEMORY__ENABLED": "false"}).settles(REQUEST, ANSWER) == ()


def test_the_committed_settings_of_a_project_may_turn_it_off_and_not_on(project: Project) -> None:
    project.settles(REQUEST, ANSWER)
    folder = project.folder / ".compass"
    folder.mkdir()
    (folder / "settings.json").write_text('{"compass": {"memory": {"enabled": false}}}')
    assert later(project, REQUEST) == "deny"
    project.machine.place.env["COMPASS_MEMORY__ENABLED"] = "false"
    (folder / "settings.json").write_text('{"compass": {"memory": {"enabled": true}}}')
    assert later(project, REQUEST) == "deny"


def test_it_ends_with_its_days_and_is_swept_when_a_session_starts(project: Project) -> None:
    (kept,) = project.settles(REQUEST, ANSWER)
    project.keep(replace(kept, at=kept.at - 89 * 86_400))
    assert later(project, REQUEST) == "allow"
    project.keep(replace(kept, at=kept.at - 91 * 86_400))
    assert later(project, REQUEST) == "deny"
    assert project.kept() == ()


def test_another_checkout_with_the_same_remote_has_no_part_in_it(tmp_path: Path) -> None:
    one = Project(tmp_path)
    (one.folder / ".git" / "config").write_text('[remote "origin"]\n\turl = https://example.org/shop.git\n')
    (kept,) = one.settles(REQUEST, ANSWER)
    one.keep(replace(kept, checkout=str(tmp_path / "elsewhere")))
    assert later(one, REQUEST) == "deny" and shown_of(one) == []


def test_a_session_that_starts_in_a_folder_of_the_checkout_knows_the_same_targets(project: Project) -> None:
    (kept,) = project.settles(REQUEST, ANSWER)
    project.within("src/report")
    later(project, REQUEST)
    (line,) = shown_of(project)
    assert '"Fix the parser" meant "reader.py"' in line
    project.within("src/billing")
    later(project, REQUEST)
    (line,) = shown_of(project)
    assert kept.target in line or "../report/reader.py" in line


@pytest.mark.full
def test_hosted_readers_are_shown_it_in_a_slot_of_its_own_and_explain_prints_it(tmp_path: Path) -> None:
    with ReaderApi() as api:
        project = Project(tmp_path, {"COMPASS_EVALUATOR__BASE_URL": api.url})
        talk = project.session()
        api.expect_call("split")
        talk.user(REQUEST)
        assert talk.edits(READER).decision == "deny"
        assert all("<precedents-" not in shown(request) for request in api.asked)
        talk.agent("It is on hold.")
        talk.user(ANSWER)
        api.expect_call("clear")
        assert talk.edits(READER).decision == "allow"
        (kept,) = project.kept()
        talk = project.session()
        api.expect_call("clear")
        talk.user("Make the parser faster")
        assert talk.edits(READER).decision == "allow"
        line = f'"{REQUEST}" meant "{READER}"'
        assert api.asked and all(line in shown(request) for request in api.asked)
        printed = project.machine.place.command("explain", "--egress").stdout.decode()
        assert line in printed and kept.said in printed


def test_where_no_text_of_the_exchange_leaves_no_precedent_does(project: Project) -> None:
    project.settles(REQUEST, ANSWER)
    project.machine.place.env |= {
        "COMPASS_CONTEXT_CHARS_MAX": "0",
        "COMPASS_TRANSCRIPT__PRIOR_TURN_CHARS_MAX": "0",
    }
    assert later(project, REQUEST) == "deny" and shown_of(project) == []
