"""What is told of a project's past: a check, a question that waits, a request whose writes were held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from compass.api.verdict import Verdict


@dataclass(frozen=True, slots=True)
class PastCheck:
    """One check that was kept, with the verdict as it was given.

    `at` is in seconds since the epoch, `session` and `host` whose call it was, `project` the folder that it was made
    in. `write` is the call in words, `outcome` what became of it (`let run`: it failed, and the gate only observed),
    `why` the reason in words. `evidence` is what readers were shown; None where nothing was, or it is not kept.
    """

    verdict: Verdict
    at: float
    session: str
    host: str
    project: str
    write: str
    outcome: Literal["held", "let run", "passed", "skipped"]
    why: str
    evidence: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """What is held in one session and waits for its user, `since` then, in seconds since the epoch.

    `readings` are what the request can mean, in the order of their numbers; none where it was read in one way.
    `user_said` is what they chose or wrote since, `user_may` what can be typed there, in words for people.
    """

    session: str
    since: float
    held: tuple[str, ...]
    readings: tuple[str, ...]
    user_said: tuple[str, ...]
    user_may: str


@dataclass(frozen=True, slots=True)
class HeldRequest:
    """A request whose writes were held, `at` then, in seconds since the epoch; `request` is empty where it is not kept.

    `doubt` is what was open, `settled` how it ended, `coach` what would have saved the block; each in words.
    """

    at: float
    session: str
    request: str
    held: tuple[str, ...]
    doubt: str
    settled: str
    coach: str


@dataclass(frozen=True, slots=True)
class Coaching:
    """How the newest requests of a project whose writes were held came to their end, newest first."""

    summary: str
    requests: tuple[HeldRequest, ...]
