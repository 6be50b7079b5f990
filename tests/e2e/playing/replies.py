"""What the loopback API says: the agent's messages and the readers' answers. Values only, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]
"""A JSON object off the wire; its shape is what the tests are about."""


@dataclass(frozen=True)
class Message:
    """One message of the agent's model: text blocks and tool calls, in order."""

    blocks: tuple[Json, ...]


def say(text: str) -> Message:
    """A message that ends the agent's turn."""
    return Message(({"type": "text", "text": text},))


def call(tool: str, **arguments: object) -> Json:
    """A tool_use block without its id, which the server issues."""
    return {"type": "tool_use", "name": tool, "input": arguments}


def act(text: str, *calls: Json) -> Message:
    """A message that says something and then calls tools."""
    return Message(({"type": "text", "text": text}, *calls))


@dataclass(frozen=True)
class Refuse:
    """The reader's request is answered with an HTTP error."""

    status: int
    kind: str = "api_error"


ReaderAnswer = Mapping[str, object] | Refuse


def judge(
    score: float,
    concern: str = "none",
    rationale: str = "The request names this file and what goes into it.",
    *,
    action: str = "create",
    target: str = "the file that the request names",
    extent: str = "one_file",
    rival: str | None = None,
) -> Json:
    """One reader's answer, in the shape of the schema that Compass sends."""
    return {
        "reading": {"action": action, "target": target, "extent": extent}, "rival": rival,
        "fits": score >= 0.5, "rationale": rationale, "primary_concern": concern, "score": score,
    }  # fmt: skip


def doubt(score: float = 0.3) -> Json:
    """A reader that cannot tell what was asked for."""
    return judge(
        score, "target", "Two files could be meant and neither is named.", action="delete",
        target="the old module", rival="delete the old test",
    )  # fmt: skip


@dataclass(frozen=True)
class ReaderPlan:
    """How readers are answered.

    `answer` maps the number of the request (from 0, in order of arrival) and its body to the answer.
    `latency` is in seconds. With `gather` N, answers are held back until N requests wait at once; if they
    do not come within `gather_seconds`, those that wait get a 500. A test that counts the requests of a
    check that blocks needs it: readers that can no longer change the verdict are cancelled.
    """

    answer: Callable[[int, Json], ReaderAnswer]
    latency: float = 0.15
    gather: int = 0
    gather_seconds: float = 5.0


def every(answer: ReaderAnswer, **more: Any) -> ReaderPlan:
    """All readers answer alike."""
    return ReaderPlan(lambda _number, _body: answer, **more)


def in_turn(answers: Sequence[ReaderAnswer], **more: Any) -> ReaderPlan:
    """The readers answer in this order, and again from its start."""
    return ReaderPlan(lambda number, _body: answers[number % len(answers)], **more)


@dataclass(frozen=True)
class Script:
    """The agent's messages in order, and those of subagents by a mark in their delegated task."""

    main: tuple[Message, ...] = ()
    delegated: Mapping[str, tuple[Message, ...]] = field(default_factory=dict[str, tuple[Message, ...]])


TIDY = "Now tidy up the old one as we said, in the way in which all of the others were tidied up before it"
"""A request long enough that each of its writes is judged, and not only the first."""
DOUBTFUL = every(doubt(), gather=5)


def write(project: Path, name: str = "cleanup.py", content: str = "pass\n") -> Message:
    return act("Writing it.", call("Write", file_path=str(project / name), content=content))


Plot = Callable[[Path], Script]
"""A script as a function of the project's folder, since the client's tools want absolute paths."""


def lines(*main: Message) -> Plot:
    """A script that names no path."""
    return lambda _project: Script(main)


def writes(name: str, content: str = "debug: true\n", before: tuple[Message, ...] = ()) -> Plot:
    """One Write, after what was said in earlier turns."""

    def plot(project: Path) -> Script:
        return Script((*before, write(project, name, content)))

    return plot
