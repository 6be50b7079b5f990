"""Check ids: ULIDs, https://github.com/ulid/spec. Pure; clock and randomness come in."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
LENGTH = 26
RANDOM_BYTES = 10
LAST_MILLISECOND = (1 << 48) - 1
HIGHEST_FIRST = "7"  # 26 characters hold 130 bits, a ULID has 128


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
