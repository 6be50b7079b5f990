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
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        files = [os.open(os.path.join(folder, str(n)), os.O_RDWR | os.O_CREAT, 0o600) for n in range(count)]
    except OSError:
        yield True
        return
    try:
        end = monotonic() + seconds
        held = _take(files)
        while not held and monotonic() < end:
            sleep(POLL_SECONDS)
            held = _take(files)
        yield held
    finally:
        for file in files:
            os.close(file)


def _take(files: list[int]) -> bool:
    import fcntl

    for file in files:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        return True
    return False
