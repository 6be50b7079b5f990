"""One keypress from a terminal. The terminal is as it was whenever no key is waited for."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable

SIGNAL_SECONDS = 0.2
ESCAPE = "\x1b"
ENDS = ("", "\x04")


def key() -> str:
    """The next key in lower case; empty at the end of the input, and for arrows and their like a space.

    What was typed before the question was shown is dropped: it was no answer to it. Raises KeyboardInterrupt.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSAFLUSH)
        # A signal between the prompt and the read does not wait for the next key.
        while not select.select([descriptor], [], [], SIGNAL_SECONDS)[0]:
            pass
        first = os.read(descriptor, 1).decode("utf-8", "replace")
        if first == ESCAPE or not first.isascii():
            while select.select([descriptor], [], [], 0)[0] and os.read(descriptor, 64):
                pass
            return " "
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
    return "" if first in ENDS else first.lower()


Keys = Callable[[], str]
