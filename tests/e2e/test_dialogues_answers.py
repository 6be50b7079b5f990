"""Dialogues: the person answers what they were asked, once, and is not asked again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from e2e.playing.dialogues import BACKENDS, DELETE, MARKS, OVER, Person, asked_about, playing, says
from e2e.playing.replies import Json, Message, ReaderAnswer, ReaderPlan, act, call, judge
from e2e.playing.session import Open

pytestmark = MARKS

MEANT = DELETE.readings[1]
OWN_WORDS = "I mean the session one"
NOTES, TIDY = "Create notes.md with a line that says hello", "Clean things up a bit in the docs folder"


def ran_and_asked_once(person: Person) -> bool:
    person.terminal.assert_shows("could mean more than one thing.")
    return person.has(DELETE.other) and not person.has(DELETE.meant)


@pytest.mark.parametrize(
    "backend",
    [pytest.param("embedded", marks=pytest.mark.e2e), *(one for one in BACKENDS if one != "embedded")],
)
def test_the_number_that_the_screen_shows_runs_what_it_stands_for(open_session: Open, backend: str) -> None:
    plot = DELETE.plot(DELETE.tries, says(OVER))
    with playing(open_session, DELETE, plot, backend=backend) as person:
        person.meets_the_question()
        person.asks(person.number_of(MEANT), OVER)
        assert ran_and_asked_once(person)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_persons_own_words_settle_it(open_session: Open, backend: str) -> None:
    plot, readers = DELETE.plot(DELETE.tries, says(OVER)), DELETE.readers(OWN_WORDS)
    with playing(open_session, DELETE, plot, backend=backend, readers=readers) as person:
        person.meets_the_question()
        person.asks(OWN_WORDS, OVER)
        assert ran_and_asked_once(person)


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
    with playing(open_session, DELETE, plot) as person:
        person.meets_the_question()
        person.asks("Ask me, then", "Which of the two do you mean?")
        person.terminal.pick(DELETE.readings.index(MEANT) + 1)
        person.terminal.wait_for(OVER)
        assert ran_and_asked_once(person)


def test_a_new_request_is_not_joined_with_the_old_question(open_session: Open) -> None:
    """The first is clear and lands; the second is held on its own account, without the old list."""

    def notes(project: Path) -> Message:
        return act("Writing.", call("Write", file_path=str(project / "notes.md"), content="hello\n"))

    def tidies(project: Path) -> Message:
        path = shlex.quote(str(project / "docs" / "plan.md"))
        return act("Tidying.", call("Bash", command=f"rm {path}"))

    def answer(number: int, body: Json) -> ReaderAnswer:
        request = asked_about(body).rpartition("<current_request")[2].partition("</current_request")[0]
        assert not (DELETE.request in request and (NOTES in request or TIDY in request))
        if NOTES in request:
            return judge(0.95)
        if TIDY in request:
            return judge(0.3, "destructive", "Nobody spoke of this file.", action="delete", target="plan.md")
        return DELETE.readers().answer(number, body)

    plot = DELETE.plot(notes, says("There it is."), tidies, says(OVER))
    with playing(open_session, DELETE, plot, backend="anthropic", readers=ReaderPlan(answer)) as person:
        (person.session.project / "docs").mkdir()
        (person.session.project / "docs" / "plan.md").write_text("a plan\n")
        person.meets_the_question()
        person.asks(NOTES, "There it is.")
        assert person.has("notes.md")
        person.terminal.assert_shows("says: Compass held back")
        person.asks(TIDY, OVER)
        assert person.has("docs/plan.md")
        person.terminal.assert_shows("says: Compass held back: delete docs/plan.md")
        for reading in DELETE.readings:
            person.terminal.assert_shows(f". {reading}")
