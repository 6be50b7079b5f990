"""What a call met. Pure but for asserts on the answer's form."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import Any


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
