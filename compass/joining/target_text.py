"""The text of a file that a call would change, for what readers may know of it."""

from __future__ import annotations

import os
import stat

from compass.joining.packages import enable

BYTES_MAX = 400_000
"""A longer file is not read. A text that is looked at has at most four bytes for each of its characters."""


def text_on_disk(path: str) -> str | None:
    """None for what is no regular file, cannot be read, is too long or not UTF-8. Never waits for another process.

    Whoever asks parses it next, with packages that a hook starts without.
    """
    enable()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(BYTES_MAX + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return _decoded(data) if len(data) <= BYTES_MAX else None


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
