"""What the shell knows of OpenCode: the row of its program stands with those of the other agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.shell.hosts import HostPrograms

if TYPE_CHECKING:
    from evaluator.shell.hosts import Row


def _rows() -> Mapping[str, Row]:
    return {}


PROGRAMS = HostPrograms(names=(), rows=_rows)
