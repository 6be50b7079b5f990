"""Days, as spending is counted by them and as what is kept ends after them."""

from __future__ import annotations

import time

DAY_SECONDS = 86_400.0


def day_of(at: float) -> str:
    """YYYY-MM-DD in UTC of `at`, seconds since the epoch."""
    return time.strftime("%Y-%m-%d", time.gmtime(at))
