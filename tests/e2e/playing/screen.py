"""What a terminal shows of the text that a program wrote to it.

Rendered by `pyte`, a terminal in pure Python: a new machine gets it with the other development dependencies, while
tmux would have to come from its package manager.
"""

from __future__ import annotations

import re
import threading

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


def plain(text: str) -> str:
    """The text without blanks and line ends, so that it compares equal wherever a terminal wrapped it."""
    return "".join(text.split())
