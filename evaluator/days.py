"""The days that spending is counted by."""

from __future__ import annotations

import time


def day_of(at: float) -> str:
    """YYYY-MM-DD in UTC of `at`, seconds since the epoch."""
    return time.strftime("%Y-%m-%d", time.gmtime(at))
