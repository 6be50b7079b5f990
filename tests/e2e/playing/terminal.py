"""The client at a terminal, as a person uses it: keys in, the rendered screen out.

Rendered by `pyte`, a terminal in pure Python: a new machine gets it with the other development dependencies, while
tmux would have to come from its package manager.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from typing import Self

import pyte
from e2e.playing.session import DROPPED, Session

ENTER = "\r"
READY = "\u276f"
"""The mark before the prompt's field."""

SECONDS = 90.0
"""A turn of several held calls on a busy machine takes most of it."""
KEY_SECONDS = 0.15
"""Between a text and its Enter: together they would be taken for a paste."""
PICK_SECONDS = 2.0
SELECT = "Enter to select"

COLUMNS, ROWS = 120, 240
"""The client scrolls its own view: all of a dialogue has to fit."""


class Terminal:
    """One interactive client in a session's project; a context manager that ends it.

    The permission mode is `default`, as with `claude -p`; a new session at a terminal would start in `auto`.
    """

    def __init__(self, session: Session) -> None:
        self._log = session.root / f"terminal-{time.monotonic_ns()}.log"
        command = [str(session.client), "--permission-mode", "default", "--debug-file", str(self._log)]
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._terminal = ours
        self._screen = Screen(COLUMNS, ROWS)
        self._client = subprocess.Popen(
            [*command, *session.flags], cwd=session.project, env=session.environment(), stdin=theirs,
            stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        try:
            self.wait_for(READY)
        except AssertionError:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.terminate()
        try:
            self._client.wait(SECONDS)
        finally:
            self._client.kill()
            self._reader.join(SECONDS)
            os.close(self._terminal)

    def text(self) -> str:
        """The screen, a line a line."""
        return "\n".join(self._screen.lines()).strip()

    def count(self, words: str) -> int:
        """How often the person can read `words`, wherever their lines are wrapped."""
        return plain(self.text()).count(plain(words))

    def shows(self, words: str) -> bool:
        return self.count(words) > 0

    def assert_shows(self, words: str, times: int = 1) -> None:
        """The person can read `words` that often; fails with the screen."""
        found = self.count(words)
        assert found == times, f"{found} times, not {times}: {words}\n{self.text()}"

    def press(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def type(self, text: str) -> None:
        """A prompt and its Enter."""
        self.press(text)
        field = f"{text} in the prompt's field"
        self.until(lambda: plain(text) in plain(self.text().rpartition(READY)[2]), field)
        time.sleep(KEY_SECONDS)
        self.press(ENTER)

    def ask(self, prompt: str, turn: int) -> None:
        """A prompt whose turn the agent ends with a word that tells which it was."""
        self.type(prompt)
        self.until(lambda: self.shows(f"End of turn {turn}."), f"the end of turn {turn}")

    def pick(self, number: int) -> None:
        """An option of the question that is on the screen."""
        self.wait_for(SELECT)
        pressed = 0.0

        def taken() -> bool:
            nonlocal pressed
            # The client draws a question a little before it takes keys for it.
            if self.shows(SELECT) and time.monotonic() - pressed > PICK_SECONDS:
                pressed = time.monotonic()
                self.press(str(number))
            return not self.shows(SELECT)

        self.until(taken, f"an answer to the question, by {number}")

    def wait_for(self, words: str) -> None:
        self.until(lambda: self.shows(words), words)

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for it. Fails with the screen where it does not come or the client ends."""
        deadline = time.monotonic() + SECONDS
        while not holds():
            late = time.monotonic() > deadline or self._client.poll() is not None
            assert not late, f"never came: {what}\n{self.text()[-6000:]}"
            time.sleep(0.05)

    def assert_settings_load(self) -> None:
        """The client says nowhere else that it dropped a settings file, and the hooks with it."""
        assert DROPPED not in self._log.read_text()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                part = os.read(self._terminal, 65536)
            except OSError:  # the client has ended
                return
            if not part:
                return
            self._screen.feed(decoder.decode(part))


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
