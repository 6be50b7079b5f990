"""What the shell knows of chibi's programs. The rows come later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.shell.hosts import HostPrograms

if TYPE_CHECKING:
    from evaluator.shell.hosts import Row


def _rows() -> Mapping[str, Row]:
    from hooks.hosts.chibi.rows import ROWS

    return ROWS


PROGRAMS = HostPrograms(
    names=("chibi", "chibi-json"), rows=_rows, packages={"chibi-cli": "chibi", "chibi-json": "chibi-json"}
)
