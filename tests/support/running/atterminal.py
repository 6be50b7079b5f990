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
    with open(ours, "rb", 0) as screen:
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
        finally:
            os.close(theirs)
        # The kernel hands over what was written in its own time; once nobody holds the other end, its end is an error.
        shown = b""
        with contextlib.suppress(OSError):
            while part := screen.read(65_536):
                shown += part
    return process.returncode, printed.decode(), shown.decode()
