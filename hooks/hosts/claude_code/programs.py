"""What the shell knows of Claude Code: its program, what brings it, a variable. The row itself comes later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.shell.hosts import HostPrograms

if TYPE_CHECKING:
    from evaluator.shell.hosts import Row


def _rows() -> Mapping[str, Row]:
    from hooks.hosts.claude_code.rows import ROWS

    return ROWS


PROGRAMS = HostPrograms(
    names=("claude",),
    rows=_rows,
    packages={"@anthropic-ai/claude-code": "claude", "claude-code": "claude"},
    variables=("CLAUDE_PROJECT_DIR",),
)
