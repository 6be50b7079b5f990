"""Dialogues: a gate that only watches interrupts nobody."""

from __future__ import annotations

import pytest
from e2e.playing.dialogues import DELETE, LOOKED, MARKS, WHICH, playing
from e2e.playing.session import Open

pytestmark = MARKS


@pytest.mark.parametrize("backend", ["embedded", "anthropic"])
def test_in_observe_mode_nobody_is_asked_and_the_record_says_that_it_ran(
    open_session: Open, backend: str
) -> None:
    with playing(open_session, DELETE, DELETE.plot(), backend=backend, mode="--observe") as person:
        person.asks(DELETE.look, LOOKED)
        person.asks(DELETE.request, WHICH)
        assert not person.has(DELETE.meant)
        person.terminal.assert_shows("Compass", times=0)
        told = person.session.compass("explain")
        assert f"Compass would have held back: delete {DELETE.meant}, because" in told
        assert "Nothing was written" not in told
