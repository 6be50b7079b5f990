"""UTC time stamps as text. Depends on the standard library alone."""

from __future__ import annotations

import math
import time

LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z, the last that RFC 3339 can write


def rfc3339(at: float) -> str:
    """`at` in seconds since the epoch as `2025-01-31T12:00:00.000Z` (RFC 3339, section 5.6).

    What cannot be written (not a number, before 1970, past 9999) becomes the nearest end of that range.
    """
    seconds = 0.0 if math.isnan(at) else min(max(at, 0.0), float(LAST_SECOND))
    whole, thousandths = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{thousandths:03d}Z"


def for_file_name(at: float) -> str:
    """The same moment without separators, `20250131T120000Z`."""
    return rfc3339(at)[:19].replace("-", "").replace(":", "") + "Z"
