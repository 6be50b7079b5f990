"""Recorded sessions of Codex CLI, for replay and calibration. Satisfies `hooks.sessions.Sessions`."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator, Sequence
from typing import cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError
from evaluator.wire import REFUSAL
from hooks.hosts.codex.replay.then import ThreadsThen
from hooks.hosts.codex.replay.walk import moments
from hooks.hosts.codex.replay.writing import WrittenSession, transcript
from hooks.hosts.codex.rollout import standing_items
from hooks.moments import Moment, Passed
from hooks.sessions import Shown

__all__ = ["find_transcripts", "made_up", "session_moments", "shown", "standing", "then", "transcript"]


def find_transcripts(names: Sequence[str]) -> list[str]:
    """The files named, and each session's below the folders named, once, in order. Raises PayloadError."""
    found: dict[str, None] = {}
    for name in names:
        path = os.path.realpath(os.path.expanduser(name))
        if os.path.isdir(path):
            below = glob.iglob(os.path.join(glob.escape(path), "**", "rollout-*.jsonl"), recursive=True)
            found |= dict.fromkeys(sorted(below))
        elif os.path.isfile(path):
            found[path] = None
        else:
            raise PayloadError(f"{name}: no such transcript")
    return list(found)


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
    if not answer.strip():
        return Shown()
    found = cast(object, json.loads(answer))
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - a value of the answer
    value = cast(dict[str, object], found)
    said = value.get("hookSpecificOutput")
    inner = cast(dict[str, object], said) if isinstance(said, dict) else {}
    return Shown(person=text_of(value, "systemMessage"), agent=text_of(inner, "additionalContext"))
