"""Dialogues: a person at the terminal reads the whole question, once, answers it, and is not asked again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
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
TYPE = "Type a number or say what you want; `compass: proceed` runs the write, `compass: cancel` drops it."
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
def playing(
    open_session: Open, plot: Plot, backend: str = "anthropic", readers: ReaderPlan | None = None
) -> Iterator[Person]:
    session = open_session(plot, readers=readers or ReaderPlan(answer))
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


@dataclass(frozen=True)
class Story:
    """A request, the call that the agent tries on it, and what readers score until `settles` was typed.

    `shown`: what of the screen tells why the call waits. `then`: what is shown after the person typed `types`; `lands`:
    whether the call then runs.
    """

    request: str
    tool: str
    given: Mapping[str, str]
    shown: tuple[str, ...]
    says: tuple[Json, ...] = ()
    types: str = "compass: proceed"
    then: tuple[str, ...] = ()
    lands: bool = True


def differing(action: str, *targets: str) -> tuple[Json, ...]:
    return tuple(judge(0.3, "target", "Two fit.", action=action, target=one) for one in targets)


SWITCH = {"file_path": "worker.toml", "old_string": "debug = false", "new_string": "debug = true"}
SCOPE = (judge(0.1, "scope", "Nobody asked for it.", action="change", target="worker.toml"),)
QUESTION = (judge(0.1, "scope", "It is a question.", action="answer", target="worker.toml"),)
HELD = "says: Compass held back: "
STORIES = {
    "Edit": Story(
        "Just switch it on.", "Edit", SWITCH,
        (f"PreToolUse:Edit {HELD}edit worker.toml", OPEN, "1. change server.toml", "2. change worker.toml"),
        differing("change", "server.toml", "worker.toml"),
    ),
    "Write": Story(
        "Just create it.", "Write", {"file_path": "report.md", "content": "# Numbers"},
        (f"PreToolUse:Write {HELD}create report.md", OPEN, "1. create summary.md"),
        differing("create", "summary.md", "report.md"),
    ),
    "question then edit": Story(
        "Why is the worker so slow?", "Edit", SWITCH,
        ('"Why is the worker so slow?" does not ask for this.', "1. edit worker.toml", "2. only answer, change"),
        QUESTION, "yes, switch debug on in worker.toml",
    ),
    "ban": Story(
        "Make the worker verbose. Don't touch worker.toml", "Edit", SWITCH,
        (f"PreToolUse:Edit {HELD}edit worker.toml", 'You said "Don\'t touch worker.toml".'),
    ),
    "unasked commit": Story(
        "Switch debug on in worker.toml", "Bash", {"command": "git commit --allow-empty -m debug"},
        (f"PreToolUse:Bash {HELD}commit", 'This goes beyond what you wrote: "Switch debug on in worker.toml".'), SCOPE,
    ),
    "second hold": Story(
        "Tidy up the worker a bit", "Edit", SWITCH, (f"PreToolUse:Edit {HELD}edit worker.toml",), SCOPE,
        "hmm, as we said", ("it is still unclear whether you want this.", "`compass: proceed`"), lands=False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        pytest.param("ban", "embedded", marks=pytest.mark.e2e),
        *(pytest.param(name, "anthropic", marks=pytest.mark.full) for name in STORIES),
    ],
)
def test_why_a_call_waits_is_on_the_screen_and_one_answer_settles_it(
    open_session: Open, name: str, backend: str
) -> None:
    story = STORIES[name]

    def plot(project: Path) -> Script:
        given = {
            key: str(project / text) if key == "file_path" else text for key, text in story.given.items()
        }
        tries, read = (
            act("On it.", one)
            for one in (call(story.tool, **given), call("Read", file_path=str(project / "worker.toml")))
        )
        return Script((read, tries, say(WHICH), tries, say(OVER)))

    def answer(number: int, body: Json) -> ReaderAnswer:
        settled = story.lands and story.types in asked_about(body)
        return judge(0.95) if settled or not story.says else story.says[number % len(story.says)]

    with playing(open_session, plot, backend, ReaderPlan(answer)) as person:
        project = person.session.project
        for file in ("server.toml", "worker.toml"):
            (project / file).write_text("debug = false\n")
        for key in ("user.name", "user.email"):
            person.session.execute(["git", "config", key, "somebody"], 9)
        person.asks(story.request, WHICH)
        for words in story.shown:
            person.terminal.assert_shows(words)
        person.asks(story.types, OVER)
        for words in story.then:
            assert person.terminal.shows(words), person.terminal.text()
        commits = person.session.execute(["git", "rev-list", "--count", "HEAD"], 9).stdout.strip()
        ran = (project / "report.md").exists() or commits == "2"
        assert (ran or "true" in (project / "worker.toml").read_text()) is story.lands, person.terminal.text()


@pytest.mark.full
def test_an_answer_picked_from_the_agents_own_question(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        options = [{"label": one, "description": "As Compass listed it"} for one in READINGS]
        question = {"question": "Which of the two do you mean?", "header": "Module", "multiSelect": False}
        asked = call("AskUserQuestion", questions=[question | {"options": options}])
        asks = act("Compass held it back.", asked)
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
        task = {"prompt": f"{MARK}: delete the module", "subagent_type": "general-purpose"}
        asked = call("Agent", description="Delete", **task, run_in_background=True)
        hands_over = act("Delegating.", asked)
        main = (say(LOOKED), hands_over, say("It is under way."), say(WHICH), removes(project), say(OVER))
        return Script(main, {MARK: (removes(project), say("It was held back."))})

    with playing(open_session, plot) as person:
        person.meets_the_question("Just have an assistant delete it.", "UserPromptSubmit says:")
        told = "stop and wait for the user, who was asked which one they mean"
        assert told in person.session.api.of("agent")[-1].raw.decode(), "the parent's agent knows it too"
        person.asks(person.number_of_meant(), OVER)
        person.assert_ran_and_asked_once()
