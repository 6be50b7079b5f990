"""Which rows are a project's: those of its folder and of those below it, as a host may be started in one of these."""

from __future__ import annotations

from evaluator.state.tables.records import stored

NEXT_TO_SLASH = "0"
"""Sorts right behind every path below a folder."""


def below(project: str, column: str = "project_dir") -> tuple[str, tuple[object, ...]]:
    """A condition on a column, or on an expression, that holds a folder; and what it is given."""
    whole = project.rstrip("/")
    bounds = (stored(project), stored(f"{whole}/"), stored(whole + NEXT_TO_SLASH))
    return f"({column} = ? OR ({column} >= ? AND {column} < ?))", bounds
