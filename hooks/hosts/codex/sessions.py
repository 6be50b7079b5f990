"""Recorded sessions of Codex CLI, for replay and calibration. Satisfies `hooks.sessions.Sessions`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import cast

from evaluator.effects import text_of
from evaluator.wire import REFUSAL
from hooks.hosts.codex.replay.then import ThreadsThen
from hooks.hosts.codex.replay.walk import moments
from hooks.hosts.codex.replay.writing import WrittenSession, transcript
from hooks.hosts.codex.rollout import standing_items
from hooks.moments import Moment, Passed
from hooks.recorded import answered, files_named
from hooks.sessions import Shown

__all__ = ["find_transcripts", "made_up", "session_moments", "shown", "standing", "then", "transcript"]


def find_transcripts(names: Sequence[str]) -> list[str]:
    """The files named, and each session's below the folders named, once, in order. Raises PayloadError."""
    return files_named(names, _is_session)


def _is_session(path: str) -> bool:
    name = os.path.basename(path)
    return name.startswith("rollout-") and name.endswith(".jsonl")


def session_moments(path: str, passed: Passed) -> Iterator[Moment]:
    return moments(path, passed)


def then() -> ThreadsThen:
    return ThreadsThen()


def standing(path: str) -> frozenset[str]:
    return frozenset(text_of(item, "call_id") for item in standing_items(path) if "call_id" in item)


def made_up(path: str, session_id: str) -> WrittenSession:
    return WrittenSession(path, session_id)


def shown(answer: bytes) -> Shown:
    """A denial is shown to both, whole. Raises ValueError for no JSON object."""
    if answer.startswith(REFUSAL):
        reason = answer.removeprefix(REFUSAL).decode("utf-8", "replace").strip()
        return Shown(denied=True, person=reason, agent=reason)
    value = answered(answer)
    said = value.get("hookSpecificOutput")
    inner = cast(dict[str, object], said) if isinstance(said, dict) else {}
    return Shown(person=text_of(value, "systemMessage"), agent=text_of(inner, "additionalContext"))
