"""A machine-wide bound on checks that sample at once: lock files, which a killed process lets go by itself."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

POLL_SECONDS = 0.02


@contextmanager
def slot(
    folder: str,
    count: int,
    seconds: float,
    *,
    monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Generator[bool]:
    """Hold one of `count` slots; True once held, False if none came free within `seconds`.

    True too where the folder cannot be used: the bound is a courtesy, a missing check is not.
    """
    held: int | None = None
    unusable = False
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        held, end = _take(folder, count), monotonic() + seconds
        while held is None and monotonic() < end:
            sleep(POLL_SECONDS)
            held = _take(folder, count)
    except OSError:
        unusable = True
    try:
        yield unusable or held is not None
    finally:
        if held is not None:
            os.close(held)


def _take(folder: str, count: int) -> int | None:
    """The descriptor of a slot that was free. Raises OSError where the folder cannot be used."""
    import fcntl

    for number in range(count):
        file = os.open(os.path.join(folder, str(number)), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            continue
        return file
    return None
