"""Programs in a terminal of their own: a command whose questions are answered, and a shell where keys are typed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from running import forked
from running.hookrun import MAIN

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x00")
"""Styles, and padding for terminals of another age."""
NOTHING = re.compile(r"(?!)")


class Typing:
    """Keys go in, and what the terminal shows is waited for, without its styles."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def type(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def until(self, wanted: str, seconds: float = 20) -> str:
        """What is shown up to and with `wanted`; fails where that does not come."""
        return self._read(wanted, seconds, CONTROL)

    def raw_until(self, wanted: str, seconds: float = 20) -> str:
        """The same, with its styles."""
        return self._read(wanted, seconds, NOTHING)

    def _read(self, wanted: str, seconds: float, without: re.Pattern[str]) -> str:
        shown, end = "", time.monotonic() + seconds
        while wanted not in shown:
            ready, _, _ = select.select([self._fd], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"no {wanted!r} in {shown!r}"
            try:
                read = os.read(self._fd, 65_536)
            except OSError:
                read = b""
            assert read, f"no {wanted!r} in {shown!r}"
            shown = without.sub("", shown + read.decode(errors="replace"))
        return shown


@contextlib.contextmanager
def typing_at(words: list[str], env: Mapping[str, str], folder: Path, columns: int = 80) -> Iterator[Typing]:
    pid, fd = pty.fork()
    if not pid:
        os.chdir(folder)
        os.execvpe(words[0], words, dict(env))
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        yield Typing(fd)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def at_a_terminal(env: Mapping[str, str], folder: Path, answer: bytes, *words: str) -> tuple[int, str, str]:
    """(exit code, stdout, what the terminal shows) of a command whose questions are answered with `answer`."""
    ours, theirs = os.openpty()
    with open(ours, "rb", 0) as screen:
        try:
            with subprocess.Popen(
                forked.command(MAIN, env, *words),
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=theirs,
                env=env,
                cwd=folder,
            ) as process:
                os.write(ours, answer)
                printed, _ = process.communicate(timeout=60)
        finally:
            os.close(theirs)
        # The kernel hands over what was written in its own time; once nobody holds the other end, its end is an error.
        shown = b""
        with contextlib.suppress(OSError):
            while part := screen.read(65_536):
                shown += part
    return process.returncode, printed.decode(), shown.decode()
