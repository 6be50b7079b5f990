"""What a call met, and how that differs from what the SPEC says of it. Pure but for asserts on the answer's form."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from played.script import Expected

SILENT = {"not_write_class", "disabled"}
"""Reasons for which Compass may keep no record."""


@dataclass(frozen=True)
class Outcome:
    """What a call met. `reason` is None where nothing was recorded of it, or where calls ran together."""

    decision: str
    message: str
    ends_turn: bool
    reason: str | None
    reader_calls: int
    shown: tuple[str, ...]


def outcome_of(
    done: subprocess.CompletedProcess[bytes], reason: str | None, shown: tuple[str, ...]
) -> Outcome:
    """The answer of a PreToolUse hook; fails unless it is in valid form. Compass never answers `allow`."""
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stdout + done.stderr, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
    inner: dict[str, Any] = answer.get("hookSpecificOutput", {})
    decision = inner.get("permissionDecision")
    assert decision in {None, "deny"}, answer
    return Outcome(
        decision or "allow",
        # What the agent is told: where the reason is shown to the person, too, the readings stand beside it.
        " ".join(inner.get(key, "") for key in ("permissionDecisionReason", "additionalContext")).rstrip(),
        answer.get("continue") is False,
        reason,
        len(shown),
        shown,
    )


def differences(wanted: Expected, met: Outcome, longest_denial: int) -> Iterator[str]:
    """`longest_denial`: characters of the longest denial before this one, 0 where there was none."""
    if wanted.decisions and met.decision not in wanted.decisions:
        yield f"{met.decision}, expected {_either(wanted.decisions)} {met.message[:200]}"
    silent = met.reason is None and bool(SILENT & set(wanted.reasons))
    if wanted.reasons and met.reason not in wanted.reasons and not silent:
        yield f"reason {met.reason}, expected {_either(wanted.reasons)}"
    if wanted.reader_calls and met.reader_calls not in wanted.reader_calls:
        yield f"{met.reader_calls} readers asked, expected {_either(wanted.reader_calls)}"
    if wanted.ends_turn is not None and met.ends_turn != wanted.ends_turn:
        yield f"ends_turn {met.ends_turn}, expected {wanted.ends_turn}"
    message = met.message
    for text in wanted.message_has if met.decision == "deny" else ():
        if text.casefold() not in message.casefold():
            yield f"the message lacks {text!r}: {message!r}"
    condensed = len(message) < longest_denial
    if met.decision == "deny" and wanted.condensed not in (None, condensed):
        yield f"condensed is {condensed}: {message!r}"
    for text in wanted.shown_has if met.shown else ():
        if not any(text in request for request in met.shown):
            yield f"no reader was shown {text!r}"
    for text in wanted.shown_lacks:
        if any(text in request for request in met.shown):
            yield f"a reader was shown {text!r}"


def _either(values: Sequence[object]) -> str:
    return " or ".join(str(value) for value in values)
