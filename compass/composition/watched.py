"""What a gate that only watches tells its person at the first session of a day."""

from __future__ import annotations

import time
from contextlib import suppress

from evaluator.errors import StateError
from evaluator.state.history import History
from evaluator.text import DAY_SECONDS


def day_before(state_dir: str, project_dir: str, now: float) -> str:
    """How many requests of yesterday would have been held; empty where none had a check."""
    here = time.localtime(now)
    midnight = time.mktime((here.tm_year, here.tm_mon, here.tm_mday, 0, 0, 0, 0, 0, -1))
    yesterday = time.localtime(midnight - DAY_SECONDS / 2)
    began = time.mktime((yesterday.tm_year, yesterday.tm_mon, yesterday.tm_mday, 0, 0, 0, 0, 0, -1))
    held, every = 0, 0
    with suppress(StateError):
        held, every = History(state_dir, now).requests(project_dir, began, midnight)
    if not every:
        return ""
    if not held:
        return f"Compass only watches here: yesterday none of {every} requests would have been held."
    return (
        f"Compass only watches here: yesterday {held} of {every} requests would have been held; "
        "`compass log --held` shows them."
    )
