"""Dialogues: what the person types to Compass itself is done, and they can read that it was."""

from __future__ import annotations

import pytest
from e2e.playing.dialogues import DELETE, OVER, playing, says
from e2e.playing.session import Open

pytestmark = pytest.mark.full


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
        assert not person.has(DELETE.meant)
        assert person.has(DELETE.other)
        assert person.terminal.count("It can mean:") == 1
        assert len(person.session.readers_asked()) == asked, "what the person released is not judged"
