"""What a terminal shows of the text that a program wrote to it: its lines, those that scrolled away included.

Rendered by `pyte`, a terminal in pure Python: a new machine gets it with the other development dependencies, while
tmux would have to come from its package manager.
"""

from __future__ import annotations

import re
import threading

import pyte

SCROLLBACK_LINES = 5000
_STRING = r"[PX^_][^\x1b]*\x1b\\"
_SEQUENCE = re.compile(
    rf"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|{_STRING}|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])"
)
_WITHOUT_TEXT = re.compile(
    rf"\x1b(?:\[[0-?]*m|\[[<=>][0-?]*[ -/]*[@-~]|\[\?[0-9;]*[ -/]*[@-IL-gi-km-~]|\[[0-?]*[ -/]+[@-~]|{_STRING})"
)
"""Colours, keyboard protocols, queries and strings for the terminal: they move nothing, and pyte would draw some."""


class Screen:
    """Fed by one thread, read by others."""

    def __init__(self, columns: int, rows: int) -> None:
        self._screen = pyte.HistoryScreen(columns, rows, history=SCROLLBACK_LINES)
        self._stream = pyte.Stream(self._screen)
        self._rest = ""
        self._lock = threading.Lock()

    def feed(self, text: str) -> None:
        text = self._rest + text
        start = text.rfind("\x1b")
        # The end of a sequence can still be under way.
        whole = start < 0 or _SEQUENCE.match(text, start)
        text, self._rest = (text, "") if whole else (text[:start], text[start:])
        with self._lock:
            self._stream.feed(_WITHOUT_TEXT.sub("", text))

    def lines(self) -> list[str]:
        """All that a person can read there, by scrolling up too; without the blanks at the ends of lines."""
        with self._lock:
            columns = range(self._screen.columns)
            above = ["".join(row[at].data for at in columns) for row in self._screen.history.top]
            return [line.rstrip() for line in (*above, *self._screen.display)]


def plain(text: str) -> str:
    """The text without blanks and line ends, so that it compares equal wherever a terminal wrapped it."""
    return "".join(text.split())
