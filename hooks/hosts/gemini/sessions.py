"""Recorded sessions of Gemini CLI, for replay and calibration. Satisfies `hooks.sessions.Sessions`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import cast

from evaluator.effects import text_of
from hooks.hosts.gemini.replay.then import ChatThen
from hooks.hosts.gemini.replay.walk import moments
from hooks.hosts.gemini.replay.writing import WrittenSession, transcript
from hooks.hosts.gemini.setup import SETUP
from hooks.hosts.gemini.transcript import LINE_BYTES_MAX, messages
from hooks.lines import Tail
from hooks.moments import Moment, Passed
from hooks.recorded import answered, files_named
from hooks.sessions import Shown

__all__ = ["find_transcripts", "made_up", "session_moments", "shown", "standing", "then", "transcript"]

_BEGINS = "session-"
"""A subagent's file is named otherwise: its calls reach hooks as the session's own."""


def find_transcripts(names: Sequence[str]) -> list[str]:
    """The files named, and each session's below the folders named, once, in order. Raises PayloadError."""
    return files_named(names, _is_session)


def _is_session(path: str) -> bool:
    name = os.path.basename(path)
    return name.startswith(_BEGINS) and name.endswith((".jsonl", ".json"))


def session_moments(path: str, passed: Passed) -> Iterator[Moment]:
    return moments(path, passed)


def then() -> ChatThen:
    return ChatThen()


def standing(path: str) -> frozenset[str]:
    return frozenset(text_of(one, "id") for one in messages(Tail(path, line_bytes_max=LINE_BYTES_MAX)))


def made_up(path: str, session_id: str) -> WrittenSession:
    return WrittenSession(path, session_id)


def shown(answer: bytes) -> Shown:
    """The person sees a message of the hook, and a denial's reason with the tool's error. Raises ValueError for no
    JSON object."""
    value = answered(answer)
    output = value.get("hookSpecificOutput")
    context = (
        text_of(cast(dict[str, object], output), "additionalContext") if isinstance(output, dict) else ""
    )
    reason, stops = text_of(value, "reason"), value.get("continue") is False
    person = text_of(value, "systemMessage") or text_of(value, "stopReason") or reason
    denied = SETUP.denies(value) and bool(reason or not stops)
    return Shown(denied, stops, person, reason or context)
