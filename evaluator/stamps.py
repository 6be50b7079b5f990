"""Moments and ids as text: days, UTC time stamps, and the ULIDs of checks (https://github.com/ulid/spec). Pure."""

from __future__ import annotations

import math
import time

DAY_SECONDS = 86_400.0
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z, the last that RFC 3339 can write

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
LENGTH = 26
RANDOM_BYTES = 10
LAST_MILLISECOND = (1 << 48) - 1
HIGHEST_FIRST = "7"  # 26 characters hold 130 bits, a ULID has 128


def day_of(at: float) -> str:
    """YYYY-MM-DD in UTC of `at`, seconds since the epoch, as spending is counted."""
    return time.strftime("%Y-%m-%d", time.gmtime(at))


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


def ulid(now: float, randomness: bytes) -> str:
    """The ULID of `now` (seconds since the epoch, held within 48 bits of milliseconds) and 10 random bytes.

    Ids of one millisecond have no order among themselves. Raises ValueError for another number of bytes.
    """
    if len(randomness) != RANDOM_BYTES:
        raise ValueError(f"a ULID takes {RANDOM_BYTES} random bytes, not {len(randomness)}")
    milliseconds = min(max(int(now * 1000), 0), LAST_MILLISECOND)
    number = milliseconds << 80 | int.from_bytes(randomness, "big")
    return "".join([ALPHABET[number >> shift & 31] for shift in range(5 * (LENGTH - 1), -1, -5)])


def is_ulid(text: str) -> bool:
    """Whether `text` is a ULID in its canonical (upper) case."""
    return len(text) == LENGTH and text[0] <= HIGHEST_FIRST and all(letter in ALPHABET for letter in text)
