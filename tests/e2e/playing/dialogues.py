"""The stories that dialogues are about, and a person at the terminal of one.

Each story is a request that two things fit: the agent goes for the second, and readers do not know which is meant
until the person has said so.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from e2e.playing.replies import Json, Message, Plot, ReaderAnswer, ReaderPlan, Script, act, call, judge, say
from e2e.playing.session import Open, Session
from e2e.playing.terminal import Terminal
from e2e.playing.wire import messages_of, text_of

MARKS = [pytest.mark.full, pytest.mark.timeout(300)]
BACKENDS = ("embedded", "anthropic", "claude-cli")
LOOKED = "I have looked."
WHICH = "It was held back. Which of the two?"
OVER = "That is all."
TYPE = "Type a number or what you want; `compass: proceed` runs what is held, `compass: cancel` drops it."


@dataclass(frozen=True)
class Story:
    """`look` and `request` are the person's two prompts, `said` is the agent's answer to the first.

    `tries` makes the call that is held back, for a project's folder; `verb` is what the person is told that it does,
    `action` what readers understand.
    """

    look: str
    said: str
    request: str
    verb: str
    action: str
    meant: str
    other: str
    tool: str
    tries: Callable[[Path], Message]
    files: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def readings(self) -> tuple[str, str]:
        return f"{self.action} {self.other}", f"{self.action} {self.meant}"

    def questions(self) -> list[str]:
        """What the person is shown below the sentence that tells what is open, by the order of the readings."""
        first, second = self.readings
        return [
            f'" could mean more than one thing. 1. {one} 2. {two} {TYPE}'
            for one, two in ((first, second), (second, first))
        ]

    def plot(self, *after: Callable[[Path], Message]) -> Plot:
        """The held call, then what the agent does in later turns."""

        def script(project: Path) -> Script:
            later = (one(project) for one in after)
            return Script((say(f"{self.said} {LOOKED}"), self.tries(project), say(WHICH), *later))

        return script

    def readers(self, *settled_by: str) -> ReaderPlan:
        """Readers that differ until the reading that is meant, or one of these texts, is said; then they mean it."""

        def answer(number: int, body: Json) -> ReaderAnswer:
            if any(text in asked_about(body) for text in (self.readings[1], *settled_by)):
                return judge(0.95, action=self.action, target=self.meant)
            target = (self.other, self.meant)[number % 2]
            return judge(0.3, "target", "Two things fit.", action=self.action, target=target)

        return ReaderPlan(answer)


def says(text: str) -> Callable[[Path], Message]:
    """A message of the agent's that ends a turn, for `Story.plot`."""
    return lambda _project: say(text)


def removal(name: str, command: str = "rm") -> Callable[[Path], Message]:
    def message(project: Path) -> Message:
        return act("Deleting it.", call("Bash", command=f"{command} {shlex.quote(str(project / name))}"))

    return message


def asked_about(body: Json) -> str:
    """What a reader is shown of the exchange and the write, without the rules, which have examples of both."""
    return "\n".join(text_of(message["content"]) for message in messages_of(body))


DELETE = Story(
    look="Have a look at the legacy modules",
    said="Both legacy_auth.py and legacy_session.py look unused; nothing imports either of them.",
    request="Just delete it.",
    verb="delete",
    action="delete",
    meant="legacy_session.py",
    other="legacy_auth.py",
    tool="Bash",
    tries=removal("legacy_session.py"),
    files={"legacy_auth.py": "pass\n", "legacy_session.py": "pass\n"},
)


def _edits(project: Path) -> Message:
    path = str(project / "worker.toml")
    change = call("Edit", file_path=path, old_string="debug = false", new_string="debug = true")
    return act("Switching it on.", change)


EDIT = Story(
    look="Have a look at the settings of both services",
    said="Both server.toml and worker.toml have debug switched off.",
    request="Just switch it on.",
    verb="edit",
    action="change",
    meant="worker.toml",
    other="server.toml",
    tool="Edit",
    tries=_edits,
    files={"server.toml": "debug = false\n", "worker.toml": "debug = false\n"},
)


def _creates(project: Path) -> Message:
    return act("Writing it.", call("Write", file_path=str(project / "report.md"), content="# Numbers\n"))


CREATE = Story(
    look="Have a look at where the numbers could go",
    said="Either summary.md or report.md could hold the numbers; neither of them exists yet.",
    request="Just create it.",
    verb="create",
    action="create",
    meant="report.md",
    other="summary.md",
    tool="Write",
    tries=_creates,
)


@dataclass(frozen=True)
class Person:
    """Somebody at the terminal of a gated session that plays a story."""

    story: Story
    session: Session
    terminal: Terminal

    def meets_the_question(self) -> None:
        """Both prompts of the story, up to the agent's question; what was asked for has not happened."""
        self.asks(self.story.look, LOOKED)
        self.asks(self.story.request, WHICH)
        self.sees_the_question(f"PreToolUse:{self.story.tool} says:")

    def asks(self, prompt: str, until: str) -> None:
        """Types a prompt and waits for the agent's words."""
        self.terminal.type(prompt)
        self.terminal.wait_for(until)

    def sees_the_question(self, by: str) -> None:
        """The whole question is on the screen, once: what is held, what is open, numbers, what to type."""
        held = f"{by} Compass held back: {self.story.verb} {self.story.meant}"
        self.terminal.assert_shows(held)
        assert sum(map(self.terminal.count, self.story.questions())) == 1, self.terminal.text()

    def number_of(self, reading: str) -> str:
        """The number that the screen gives a reading."""
        numbered = (line.strip().partition(". ") for line in self.terminal.text().splitlines())
        return next(number for number, _, text in numbered if text == reading)

    def has(self, name: str) -> bool:
        return (self.session.project / name).exists()


@contextmanager
def playing(
    open_session: Open,
    story: Story,
    plot: Plot,
    *,
    backend: str = "anthropic",
    readers: ReaderPlan | None = None,
    variables: Mapping[str, str] | None = None,
    mode: str = "--enforce",
) -> Iterator[Person]:
    """A person at the terminal of a new session; the settings are known to have loaded at its end."""
    session = open_session(plot, readers=readers or story.readers(), variables=variables or {})
    session.init("--project", mode, "--backend", backend)
    for name, content in story.files.items():
        (session.project / name).write_text(content)
    with Terminal(session) as terminal:
        yield Person(story, session, terminal)
        terminal.assert_settings_load()
