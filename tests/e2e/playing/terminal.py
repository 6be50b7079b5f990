"""The client at a terminal, as a person uses it: keys in, the screen's text out.

A pseudo-terminal of the standard library; nothing has to be installed for it.
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
from types import TracebackType
from typing import Self

from e2e.playing.session import DROPPED, Session

ENTER = "\r"
READY = "\u276f"
"""The mark before the prompt's field."""

SECONDS = 45.0
KEY_SECONDS = 0.15
"""Between a text and its Enter: together they would be taken for a paste."""

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_=>()][0-9A-B]?)"
)


class Terminal:
    """One interactive client in a session's project; a context manager that ends it.

    The permission mode is `default`, as with `claude -p`; a new session at a terminal would start in `auto`.
    """

    def __init__(self, session: Session) -> None:
        self._log = session.root / f"terminal-{time.monotonic_ns()}.log"
        command = [str(session.client), "--permission-mode", "default", "--debug-file", str(self._log)]
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self._terminal = ours
        self._seen = ""
        self._client = subprocess.Popen(
            [*command, *session.flags],
            cwd=session.project,
            env=session.environment(),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        try:
            self.until(lambda: self.shows(READY), "the client's prompt")
        except AssertionError:
            self.close()
            raise
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._client.terminate()
        try:
            self._client.wait(SECONDS)
        finally:
            self._client.kill()
            self._reader.join(SECONDS)
            os.close(self._terminal)

    def shows(self, words: str, since: int = 0) -> bool:
        """Whether the words were drawn at all, or after the first `since` characters that came.

        Blanks do not count: the client moves the cursor over them instead of writing them.
        """
        return "".join(words.split()) in "".join(_ESCAPES.sub("", self._seen[since:]).split())

    @property
    def drawn(self) -> int:
        """How many characters came so far; for `shows`."""
        return len(self._seen)

    def press(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def type(self, text: str) -> None:
        """A prompt and its Enter."""
        before = len(self._seen)
        self.press(text)
        self.until(lambda: self.shows(text, before), text)
        time.sleep(KEY_SECONDS)
        self.press(ENTER)

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for it. Fails with the screen where it does not come or the client ends."""
        deadline = time.monotonic() + SECONDS
        while not holds():
            late = time.monotonic() > deadline or self._client.poll() is not None
            assert not late, f"never came: {what}\n{_ESCAPES.sub('', self._seen)[-3000:]}"
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
            self._seen += decoder.decode(part)
