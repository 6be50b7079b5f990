"""What a terminal shows of the text that a program wrote to it.

Rendered by `pyte`, a terminal in pure Python: a new machine gets it with the other development dependencies, while
tmux would have to come from its package manager.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pyte

_STRING = r"[PX^_][^\x1b]*\x1b\\"
_SEQUENCE = re.compile(
    rf"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|{_STRING}|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])"
)
_WITHOUT_TEXT = re.compile(
    rf"\x1b(?:\[(?![0-9;]*m)[0-?]*m|\[[<=>][0-?]*[ -/]*[@-~]|\[\?[0-9;]*[ -/]*[@-IL-gi-km-~]"
    rf"|\[[0-?]*[ -/]+[@-~]|{_STRING})"
)
"""Colours unknown to pyte, keyboard protocols, queries and strings for the terminal: they move nothing, and pyte would
draw some."""


@dataclass(frozen=True)
class Run:
    """Neighbours in a line that look alike. Colours are names, six hexadecimal digits, or `default`."""

    column: int
    text: str
    fore: str
    back: str
    bold: bool
    italic: bool


class Screen:
    """Fed by one thread, read by others."""

    def __init__(self, columns: int, rows: int) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._rest = ""
        self._lines: list[str] | None = None
        self._lock = threading.Lock()

    def feed(self, text: str) -> None:
        text = self._rest + text
        start = text.rfind("\x1b")
        # The end of a sequence can still be under way.
        whole = start < 0 or _SEQUENCE.match(text, start)
        text, self._rest = (text, "") if whole else (text[:start], text[start:])
        with self._lock:
            self._lines = None
            self._stream.feed(_WITHOUT_TEXT.sub("", text))

    def lines(self) -> list[str]:
        """From the top, without the blanks at their ends."""
        with self._lock:
            if self._lines is None:
                rows, columns = range(self._screen.lines), range(self._screen.columns)
                # `display` would measure each character again; a wide one leaves an empty cell behind it.
                cells = (self._screen.buffer[row] for row in rows)
                self._lines = ["".join(row[at].data for at in columns).rstrip() for row in cells]
            return self._lines

    def runs(self) -> list[list[Run]]:
        """The same lines with their looks."""
        ends = [len(line) for line in self.lines()]
        with self._lock:
            return [_runs(self._screen.buffer[row], end) for row, end in enumerate(ends)]


def _runs(cells: Mapping[int, pyte.screens.Char], end: int) -> list[Run]:
    found: list[Run] = []
    for at in range(end):
        cell = cells[at]
        back, fore = (cell.fg, cell.bg) if cell.reverse else (cell.bg, cell.fg)
        one = Run(at, cell.data, fore, back, cell.bold, cell.italics)
        last = found[-1] if found else None
        if last is not None and replace(last, column=at, text=one.text) == one:
            found[-1] = replace(last, text=last.text + one.text)
        else:
            found.append(one)
    return found


def plain(text: str) -> str:
    """The text without blanks and line ends, so that it compares equal wherever a terminal wrapped it."""
    return "".join(text.split())
