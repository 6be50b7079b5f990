"""What the output goes to: its width, and whether it may be coloured. NO_COLOR and COLUMNS are honoured."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

PIPE_COLUMNS = 80
"""Of output that goes to no terminal."""
LEAST_COLUMNS = 20


def is_terminal(stream: TextIO | None = None) -> bool:
    try:
        return (stream or sys.stdout).isatty()
    except ValueError:  # closed
        return False


def columns_of(stream: TextIO | None = None) -> int:
    """COLUMNS where that is a number, else those of the terminal, else 80."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said):
        return max(LEAST_COLUMNS, min(int(said), 10_000))
    if not is_terminal(stream):
        return PIPE_COLUMNS
    try:
        found = os.get_terminal_size((stream or sys.stdout).fileno()).columns
    except (OSError, ValueError):
        found = 0
    return max(LEAST_COLUMNS, found or PIPE_COLUMNS)


def coloured(stream: TextIO | None = None) -> bool:
    """On a terminal that understands it, unless NO_COLOR says something (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console_of(stream: TextIO | None = None) -> Console:
    """To print on `stream`: markup and styles, as wide as it, plain where it is not coloured."""
    from rich.console import Console

    told = coloured(stream)
    return Console(
        file=stream,
        highlight=False,
        width=columns_of(stream),
        color_system="auto" if told else None,
        force_terminal=is_terminal(stream),
    )
