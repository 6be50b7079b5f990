"""A command of Compass in a terminal of its own, whose questions are answered."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from running import forked
from running.hookrun import MAIN


def at_a_terminal(
    environment: Mapping[str, str], folder: Path, answer: bytes, *words: str
) -> tuple[int, str, str]:
    """(exit code, stdout, what the terminal shows) of a command whose questions are answered with `answer`."""
    ours, theirs = os.openpty()
    try:
        with subprocess.Popen(
            forked.command(MAIN, environment, *words),
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment,
            cwd=folder,
        ) as process:
            os.write(ours, answer)
            printed, _ = process.communicate(timeout=60)
        os.set_blocking(ours, False)
        shown = b""
        with contextlib.suppress(BlockingIOError):
            shown = os.read(ours, 65_536)
        return process.returncode, printed.decode(), shown.decode()
    finally:
        os.close(ours)
        os.close(theirs)
