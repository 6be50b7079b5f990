"""Dialogues: the person answers what they were asked, once, and is not asked again."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.dialogues import BACKENDS, DELETE, MARKS, OVER, chosen, playing, says
from e2e.playing.replies import Message, act, call
from e2e.playing.session import Open

pytestmark = MARKS

MEANT = DELETE.readings[1]
SETTLED = chosen(MEANT)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_number_that_the_screen_shows_runs_what_it_stands_for(open_session: Open, backend: str) -> None:
    plot = DELETE.plot(DELETE.tries, says(OVER))
    with playing(open_session, DELETE, plot, backend=backend, readers=DELETE.readers(SETTLED)) as person:
        person.meets_the_question()
        person.asks(person.number_of(MEANT), OVER)
        assert not person.has(DELETE.meant)
        assert person.has(DELETE.other)
        person.terminal.assert_shows("It can mean:")


def test_an_answer_picked_from_the_agents_own_question(open_session: Open) -> None:
    def asks(_project: Path) -> Message:
        question = {
            "question": "Which of the two do you mean?",
            "header": "Module",
            "multiSelect": False,
            "options": [{"label": one, "description": "As Compass listed it"} for one in DELETE.readings],
        }
        return act("Compass held it back.", call("AskUserQuestion", questions=[question]))

    plot = DELETE.plot(asks, DELETE.tries, says(OVER))
    with playing(open_session, DELETE, plot, readers=DELETE.readers(SETTLED)) as person:
        person.meets_the_question()
        person.asks("Ask me, then", "Which of the two do you mean?")
        person.terminal.press(str(DELETE.readings.index(MEANT) + 1))
        person.terminal.wait_for(OVER)
        assert not person.has(DELETE.meant)
        assert person.has(DELETE.other)
        person.terminal.assert_shows("It can mean:")
