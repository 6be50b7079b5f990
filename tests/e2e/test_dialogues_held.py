"""Dialogues: a call is held, and the person can read the whole question, once, whatever the tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.dialogues import BACKENDS, CREATE, DELETE, EDIT, MARKS, WHICH, playing, removal
from e2e.playing.replies import Script, act, call, say
from e2e.playing.session import Open

pytestmark = MARKS


@pytest.mark.parametrize(
    "backend",
    [pytest.param("embedded", marks=pytest.mark.e2e), *(one for one in BACKENDS if one != "embedded")],
)
def test_a_block_by_bash(open_session: Open, backend: str) -> None:
    with playing(open_session, DELETE, DELETE.plot(), backend=backend) as person:
        person.meets_the_question()
        assert person.has("legacy_session.py")


def test_a_block_by_edit(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        read = act("Reading.", call("Read", file_path=str(project / "worker.toml")))
        return Script((say(f"{EDIT.said} I have looked."), read, EDIT.tries(project), say(WHICH)))

    with playing(open_session, EDIT, plot) as person:
        person.meets_the_question()
        assert (person.session.project / "worker.toml").read_text() == EDIT.files["worker.toml"]


def test_a_block_by_write(open_session: Open) -> None:
    with playing(open_session, CREATE, CREATE.plot()) as person:
        person.meets_the_question()
        assert not person.has("report.md")


@pytest.mark.parametrize("at_once", [False, True], ids=["one after the other", "in one message"])
def test_three_denials_in_a_row(open_session: Open, *, at_once: bool) -> None:
    """The client folds denials of one message into "3 actions not run"; Compass is named all the same."""

    def plot(project: Path) -> Script:
        tries = [removal("legacy_session.py", command)(project) for command in ("rm", "rm -f", "unlink")]
        said = [act("Deleting it.", *(one.blocks[1] for one in tries))] if at_once else tries
        return Script((say(f"{DELETE.said} I have looked."), *said, say(WHICH)))

    with playing(open_session, DELETE, plot) as person:
        person.meets_the_question()
        assert person.has("legacy_session.py")
        assert person.terminal.shows("3 actions not run") is at_once
        person.terminal.assert_shows("says: Compass")
        person.terminal.assert_shows("could mean more than one thing.")
