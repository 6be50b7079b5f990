"""What the hooks of a recorded session were told, in order: prompts, calls and their ends. Data, of every host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Fate = Literal["ran", "failed", "refused", "held", "unknown"]
"""`refused` by the person at the client's own prompt, `held` by this gate."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A person's prompt. `at` is wall time in seconds, as everywhere here; `project` is where the session started."""

    at: float
    session_id: str
    prompt_id: str | None
    text: str
    typed: bool
    project: str


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call that is asked for. `uuid` names its line, `index` its block there.

    Only what stands before the offset `end` of the session's transcript was there; `heard` counts the lines there
    that may have changed what was asked for. `created`: whether the call is
    known to have made its file, or to have found it there.
    """

    at: float
    session_id: str
    prompt_id: str | None
    tool_use_id: str
    tool_name: str
    tool_input: Mapping[str, object]
    cwd: str
    project: str
    agent_id: str | None
    uuid: str
    index: int
    end: int
    heard: int
    fate: Fate
    created: bool | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A call's result came back."""

    at: float
    session_id: str
    tool_use_id: str
    succeeded: bool


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The person stopped the agent."""

    at: float
    session_id: str


Moment = Spoken | Called | Ended | Interrupted


@dataclass(slots=True)
class Passed:
    """What was passed over in a file: lines that are no JSON object, and calls of agents that have no file."""

    garbled: int = 0
    orphans: int = 0
