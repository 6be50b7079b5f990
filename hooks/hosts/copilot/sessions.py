"""Recorded sessions of Copilot CLI, for replay and calibration. Satisfies `hooks.sessions.Sessions`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from evaluator.effects import text_of
from hooks.hosts.copilot.replay.then import EventsThen
from hooks.hosts.copilot.replay.walk import moments, standing
from hooks.hosts.copilot.replay.writing import WrittenSession, transcript
from hooks.moments import Moment, Passed
from hooks.recorded import answered, files_named
from hooks.sessions import Shown

__all__ = ["find_transcripts", "made_up", "session_moments", "shown", "standing", "then", "transcript"]

NAME = "events.jsonl"


def find_transcripts(names: Sequence[str]) -> list[str]:
    """The files named, and each session's below the folders named, once, in order. Raises PayloadError."""
    return files_named(names, lambda path: os.path.basename(path) == NAME)


def session_moments(path: str, passed: Passed) -> Iterator[Moment]:
    return moments(path, passed)


def then() -> EventsThen:
    return EventsThen()


def made_up(path: str, session_id: str) -> WrittenSession:
    return WrittenSession(path, session_id)


def shown(answer: bytes) -> Shown:
    """A denial's reason is shown to both, whole. Raises ValueError for no JSON object."""
    value = answered(answer)
    if value.get("permissionDecision") == "deny":
        reason = text_of(value, "permissionDecisionReason")
        return Shown(denied=True, person=reason, agent=reason)
    return Shown(agent=text_of(value, "additionalContext"))
