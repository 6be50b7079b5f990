"""What the output goes to: a terminal with its width, and whether it may be coloured; lines of that width; a web page.
Words are never broken: what is copied stays whole. NO_COLOR and COLUMNS are honoured."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from evaluator.errors import PayloadError
from evaluator.text import safe

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


def console_of() -> Console:
    """To print on stdout: markup and styles, as wide as it, coloured on a terminal that understands it, unless NO_COLOR
    says something (no-color.org)."""
    from rich.console import Console

    told = is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Console(
        highlight=False,
        width=columns_of(),
        color_system="auto" if told else None,
        force_terminal=is_terminal(),
    )


LEAST_TEXT = 26
"""Cells beside a label; where fewer are left the text begins below it."""


def wrapped(text: str, columns: int, indent: int = 0, first: int | None = None) -> list[str]:
    """The lines of one paragraph. The first begins at cell `first` (default `indent`), which is not filled; the others
    are indented, by what it begins with, too."""
    from rich.cells import cell_len

    said = text.lstrip(" ")
    own = len(text) - len(said)
    lines: list[str] = []
    line, used = " " * own, own + (indent if first is None else first)
    indent += own
    for word in said.split(" "):
        cells = cell_len(word)
        if line.strip() and used + 1 + cells > columns:
            lines.append(line)
            line, used = " " * indent + word, indent + cells
        elif line.strip():
            line, used = f"{line} {word}", used + 1 + cells
        else:
            line, used = line + word, used + cells
    return [*lines, line]


def labelled(label: str, text: str, columns: int, indent: int) -> list[str]:
    """`label` padded to `indent` cells, `text` beside it, each line wrapped there; below it where room is narrow."""
    from rich.cells import cell_len

    beside = columns - indent >= LEAST_TEXT
    inner = indent if beside else 2
    found: list[str] = [] if beside else [label.rstrip()]
    for number, part in enumerate(text.split("\n")):
        lines = wrapped(part, columns, inner)
        head = label + " " * max(0, indent - cell_len(label)) if beside and not number else " " * inner
        found += [(head + lines[0]).rstrip(), *lines[1:]]
    return found


LINE_SECONDS = 10.0
"""How often progress is told without a terminal."""
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def say(text: str, indent: int = 0, hanging: int = 0, style: str = "") -> None:
    """One paragraph on stdout, printable, in lines as wide as it; `hanging` cells more before each but the first."""
    from rich.text import Text

    console = console_of()
    for line in wrapped(" " * indent + safe(text), console.width, hanging, 0):
        console.print(Text(line, style), soft_wrap=True)


def hang(text: str, style: str = "") -> None:
    """One paragraph on stdout whose further lines are indented by two cells."""
    say(text, hanging=2, style=style)


def put_row(label: str, text: str, indent: int, style: str = "dim") -> None:
    """`label` padded to so many cells, in that style, and `text` beside it, printable."""
    from rich.text import Text

    console = console_of()
    lines = labelled(f"{label:<{indent}}", safe(text, keep="\n"), console.width, indent)
    for number, line in enumerate(lines):
        shown = Text(line)
        if not number:
            shown.stylize(style, 0, indent)
        console.print(shown, soft_wrap=True)


def show_diff(diff: str) -> None:
    from rich.text import Text

    console = console_of()
    for line in diff.splitlines():
        style = "bold" if line.startswith(("+++", "---")) else _DIFF_STYLES.get(line[:1], "")
        console.print(Text(safe(line, keep="\t"), style), soft_wrap=True)
    if diff:
        console.print()


def in_steps(reach: Callable[[int], None]) -> Callable[[int], None]:
    """A callback that is told how much more is done, for a progress that is told how much is."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        reach(done)

    return advance


@contextmanager
def progress(doing: str, total: int, *, quiet: bool) -> Generator[Callable[[int], None]]:
    """Told how much is done; on a terminal's stderr a bar and the time that is left, elsewhere a line now and then."""
    if quiet:
        yield lambda _: None
        return
    if not is_terminal(sys.stderr):
        told = time.monotonic()

        def reach(done: int) -> None:
            nonlocal told
            if time.monotonic() - told >= LINE_SECONDS:
                told = time.monotonic()
                print(f"{doing}: {100 * done // max(total, 1)} %", file=sys.stderr, flush=True)

        yield reach
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total or 1)
        yield lambda done: bar.update(task, completed=done)


def write_output(path: str, text: str) -> None:
    """Writes the file that an option such as `--html` names. Raises PayloadError."""
    try:
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise PayloadError(f"{path}: {error}") from error
