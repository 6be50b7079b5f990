"""Dialogues: what the person types to Compass itself is done, and they can read that it was."""

from __future__ import annotations

import pytest
from e2e.playing.dialogues import BACKENDS, DELETE, LOOKED, MARKS, OVER, WHICH, Person, playing, removal, says
from e2e.playing.session import Open

pytestmark = MARKS

HELD = f"{DELETE.verb} {DELETE.meant}"


def asked_of_models(person: Person) -> tuple[int, int]:
    return len(person.session.api.of("agent")), len(person.session.readers_asked())


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_near_miss_is_answered_with_the_right_word(open_session: Open, backend: str) -> None:
    plot = DELETE.plot(DELETE.tries, says(OVER))
    with playing(open_session, DELETE, plot, backend=backend) as person:
        person.meets_the_question()
        before = asked_of_models(person)
        person.asks(
            "compass proceed", "Compass: did you mean `compass: proceed`? Type it as the whole message."
        )
        person.terminal.assert_shows("Nothing was released or changed.")
        assert asked_of_models(person) == before, "no model turn, nothing judged"
        assert person.has(DELETE.meant)
        person.asks("compass: proceed", OVER)
        assert not person.has(DELETE.meant)


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


def test_a_pause_and_its_end(open_session: Open) -> None:
    plot = DELETE.plot(removal(DELETE.other), says(OVER))
    with playing(open_session, DELETE, plot) as person:
        person.asks(DELETE.look, LOOKED)
        before = asked_of_models(person)
        person.asks("compass: pause", "Compass is paused for 10 minutes: writes are not checked.")
        assert asked_of_models(person) == before, "it costs no model turn"
        person.asks(DELETE.request, WHICH)
        assert not person.has(DELETE.meant)
        person.terminal.assert_shows("Compass held back", times=0)
        person.asks("compass: resume", "Compass checks writes again.")
        person.asks("Now that is done, so just delete it", OVER)
        assert person.has(DELETE.other)
        person.terminal.assert_shows(f"Compass held back: {DELETE.verb} {DELETE.other}")
