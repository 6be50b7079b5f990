"""The question that every reader of a write answers."""

from __future__ import annotations

_CONVERGE = "would two independent readers converge on the same interpretation of this write"


def question(*, has_prior: bool) -> str:
    """Nothing is said of a prior assistant turn where there is none."""
    if has_prior:
        return f"given the prior assistant turn as context, {_CONVERGE}?"
    return f"{_CONVERGE}, given only the context below?"
