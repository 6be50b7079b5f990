"""What anybody may have written, as one line that is safe to show. Knows no report."""

from __future__ import annotations

from evaluator.terminal import safe

TEXT_MAX = 400


def printable(found: str, most: int = TEXT_MAX) -> str:
    """One line without control or format characters (those that steer a terminal, or turn the writing direction)."""
    line = " ".join(safe(found, " ").split())
    return line if len(line) <= most else line[: most - 1] + "…"
