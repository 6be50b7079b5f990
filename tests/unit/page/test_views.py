"""Rows, news and the choice of a project, without a service."""

import time

import pytest
from running import paged
from running.hookrun import Place

from compass.page import views
from compass.page.project_choice import ALL, PageScope, chosen
from evaluator.state.history import History

DAY = 86_400.0


def new_place(tmp_path):
    return Place(tmp_path)


place = pytest.fixture(new_place, name="place")


def scope_of(place):
    return PageScope(place.environment(), str(place.project))


def test_projects_are_listed_newest_first(place, tmp_path):
    other = tmp_path / "other"
    paged.fill(place.state, other, days=1)
    history = History(str(place.state / "compass"), time.time())
    first = history.projects(5)
    assert [one.project_dir for one in first] == [str(other)]
    assert first[0].checks == len(history.newest(None, 1000))
    assert history.projects(0) == []


def test_a_project_is_chosen_from_those_listed_alone(place, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    paged.fill(place.state, other, days=1)
    scope = scope_of(place)
    assert chosen(scope, "").project == str(place.project)
    assert chosen(scope, ALL).project is None
    assert chosen(scope, str(other)).here.project_dir == str(other)
    other.rmdir()
    assert chosen(scope, str(other)).here.project_dir == str(other)
    for named in ("/etc", "\x00", str(tmp_path), "../other"):
        assert chosen(scope, named).here.project_dir == str(place.project)


def test_a_held_check_stands_with_what_was_said_shown_and_done(place):
    paged.fill(place.state, place.project, days=1)
    found = chosen(scope_of(place), "")
    held = found.here.history.newest(found.project, 100, denied=True)
    rows = "".join(views.row(one, everywhere=False) for one in held)
    for text in ("Just delete it.", "Two readings are possible; ask the user which.", "rm "):
        assert text in rows
    passed = next(
        one for one in found.here.history.newest(found.project, 100) if one.record["verdict"] == "passed"
    )
    assert "You said" not in views.row(passed, everywhere=False)
