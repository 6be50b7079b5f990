"""Dialogues: a person at the terminal reads the whole question, once, answers it, and is not asked again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from e2e.playing.replies import Json, Message, Plot, ReaderAnswer, ReaderPlan, Script, act, call, judge, say
from e2e.playing.session import Open, Session, asked_about
from e2e.playing.terminal import Terminal

pytestmark = pytest.mark.timeout(300)

MEANT, OTHER = "legacy_session.py", "legacy_auth.py"
READINGS = (f"delete {OTHER}", f"delete {MEANT}")
LOOKED = f"Both {OTHER} and {MEANT} look unused; nothing imports either of them. I have looked."
WHICH = "It was held back. Which of the two?"
OVER = "That is all."
OPEN = "could mean more than one thing."
TYPE = "Type a number or what you want; `compass: proceed` runs what is held, `compass: cancel` drops it."
MARK = "SUBTASK-15"


def removes(project: Path) -> Message:
    return act("Deleting it.", call("Bash", command=f"rm {shlex.quote(str(project / MEANT))}"))


def answer(number: int, body: Json) -> ReaderAnswer:
    """Readers differ until the reading that is meant was said."""
    if READINGS[1] in asked_about(body):
        return judge(0.95, action="delete", target=MEANT)
    return judge(0.3, "target", "Two things fit.", action="delete", target=(OTHER, MEANT)[number % 2])


@dataclass(frozen=True)
class Person:
    """Somebody at the terminal of a gated session, who wants the one file gone and does not say which."""

    session: Session
    terminal: Terminal

    def asks(self, prompt: str, until: str) -> None:
        """Types a prompt and waits for the agent's words."""
        self.terminal.type(prompt)
        self.terminal.wait_for(until)

    def meets_the_question(self, request: str = "Just delete it.", by: str = "PreToolUse:Bash says:") -> None:
        """The whole question is on the screen, once: what is held, what is open, numbers, what to type."""
        self.asks("Have a look at the legacy modules", LOOKED)
        self.asks(request, WHICH)
        self.terminal.assert_shows(f"{by} Compass held back: delete {MEANT}")
        first, second = READINGS
        orders = ((first, second), (second, first))
        asked = sum(self.terminal.count(f'" {OPEN} 1. {one} 2. {two} {TYPE}') for one, two in orders)
        assert asked == 1, self.terminal.text()
        assert (self.session.project / MEANT).exists()

    def number_of_meant(self) -> str:
        """The number that the screen gives the reading."""
        numbered = (line.strip().partition(". ") for line in self.terminal.text().splitlines())
        return next(number for number, _, text in numbered if text == READINGS[1])

    def assert_ran_and_asked_once(self) -> None:
        self.terminal.assert_shows(OPEN)
        assert [(self.session.project / name).exists() for name in (MEANT, OTHER)] == [False, True]


@contextmanager
def playing(open_session: Open, plot: Plot, backend: str = "anthropic") -> Iterator[Person]:
    session = open_session(plot, readers=ReaderPlan(answer))
    session.init("--project", "--enforce", "--backend", backend)
    for name in (MEANT, OTHER):
        (session.project / name).write_text("pass\n")
    with Terminal(session) as terminal:
        yield Person(session, terminal)
        terminal.assert_settings_load()


@pytest.mark.parametrize(
    "backend",
    [pytest.param("embedded", marks=pytest.mark.e2e), pytest.param("claude-cli", marks=pytest.mark.full)],
)
def test_the_number_that_the_screen_shows_runs_what_it_stands_for(open_session: Open, backend: str) -> None:
    def plot(project: Path) -> Script:
        return Script((say(LOOKED), removes(project), say(WHICH), removes(project), say(OVER)))

    with playing(open_session, plot, backend) as person:
        person.meets_the_question()
        person.asks(person.number_of_meant(), OVER)
        person.assert_ran_and_asked_once()


@pytest.mark.full
def test_an_answer_picked_from_the_agents_own_question(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        question = {
            "question": "Which of the two do you mean?",
            "header": "Module",
            "multiSelect": False,
            "options": [{"label": one, "description": "As Compass listed it"} for one in READINGS],
        }
        asks = act("Compass held it back.", call("AskUserQuestion", questions=[question]))
        return Script((say(LOOKED), removes(project), say(WHICH), asks, removes(project), say(OVER)))

    with playing(open_session, plot) as person:
        person.meets_the_question()
        person.asks("Ask me, then", "Which of the two do you mean?")
        person.terminal.pick(2)
        person.terminal.wait_for(OVER)
        person.assert_ran_and_asked_once()


@pytest.mark.e2e
def test_a_write_held_in_a_subagent_is_answered_in_the_parent(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        task = {
            "description": "Delete",
            "prompt": f"{MARK}: delete the module",
            "subagent_type": "general-purpose",
        }
        hands_over = act("Delegating.", call("Agent", **task, run_in_background=True))
        main = (say(LOOKED), hands_over, say("It is under way."), say(WHICH), removes(project), say(OVER))
        return Script(main, {MARK: (removes(project), say("It was held back."))})

    with playing(open_session, plot) as person:
        person.meets_the_question("Just have an assistant delete it.", "UserPromptSubmit says:")
        told = "stop and wait for the user, who was asked which is meant"
        assert told in person.session.api.of("agent")[-1].raw.decode(), "the parent's agent knows it too"
        person.asks(person.number_of_meant(), OVER)
        person.assert_ran_and_asked_once()
