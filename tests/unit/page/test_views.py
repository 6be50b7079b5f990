"""Rows of checks, without a service."""

import pytest
from running import paged
from running.hookrun import Place

from compass.page import PageScope, views


def new_place(tmp_path):
    return Place(tmp_path)


place = pytest.fixture(new_place, name="place")


def scope_of(place):
    return PageScope(place.environment(), str(place.project))


def test_a_held_check_stands_with_what_was_said_shown_and_done(place):
    paged.fill(place.state, place.project, days=1)
    found = views.here_of(scope_of(place))
    held = found.history.newest(found.project, 100, denied=True)
    rows = "".join(views.row(one) for one in held)
    for text in ("Just delete it.", "Two readings are possible; ask the user which.", "rm "):
        assert text in rows
    passed = next(
        one for one in found.history.newest(found.project, 100) if one.record["verdict"] == "passed"
    )
    assert "You said" not in views.row(passed)
