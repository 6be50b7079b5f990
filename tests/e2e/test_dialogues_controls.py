"""Dialogues: what the person types to Compass itself is done, and they can read that it was."""

from __future__ import annotations

import pytest
from e2e.playing.dialogues import BACKENDS, DELETE, MARKS, OVER, playing, removal, says
from e2e.playing.session import Open

pytestmark = MARKS

HELD = f"{DELETE.verb} {DELETE.meant}"


@pytest.mark.parametrize(
    "backend",
    ["embedded", pytest.param("anthropic", marks=pytest.mark.e2e), "claude-cli"],
)
def test_proceed_runs_what_was_held(open_session: Open, backend: str) -> None:
    plot = DELETE.plot(DELETE.tries, says(OVER))
    with playing(open_session, DELETE, plot, backend=backend) as person:
        person.meets_the_question()
        asked = len(person.session.readers_asked())
        person.asks("compass: proceed", OVER)
        person.terminal.assert_shows(f"Compass: allowed by you, once each: {HELD}.")
        assert not person.has(DELETE.meant)
        assert person.has(DELETE.other)
        person.terminal.assert_shows("could mean more than one thing.")
        assert len(person.session.readers_asked()) == asked, "what the person released is not judged"


@pytest.mark.parametrize("backend", BACKENDS)
def test_cancel_keeps_it_from_running(open_session: Open, backend: str) -> None:
    plot = DELETE.plot(removal(DELETE.meant, "rm -f"), says(OVER))
    with playing(open_session, DELETE, plot, backend=backend) as person:
        person.meets_the_question()
        person.asks("compass: cancel", OVER)
        person.terminal.assert_shows(f"Compass: cancelled. {HELD} stays denied for this request.")
        person.terminal.assert_shows("Compass still holds back: delete")
        assert person.has(DELETE.meant)
        person.terminal.assert_shows("could mean more than one thing.")
