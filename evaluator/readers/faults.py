"""How the hosted backends name what went wrong: one mapping from HTTP status to ReaderError for both.

Details are one line, bounded, and free of secrets. Knows neither the SDK nor the command line client.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from evaluator.egress.answer import one_line
from evaluator.errors import ReaderError

DETAIL_CHARS_MAX: Final = 240
GATEWAY: Final = (502, 504)

_KEY_SHAPE = re.compile(r"\bsk-[A-Za-z0-9_-]{6,}|\b[Bb]earer\s+[^\s,;'\"]+")


def fault_of_status(status: int, detail: str, *, retry_after: float | None = None) -> ReaderError:
    """The fault for an HTTP error status. Only 429 and 5xx are worth asking again."""
    if status in (401, 403):
        return ReaderError("authentication", detail)
    if status == 429:
        return ReaderError("rate", detail, retryable=True, retry_after=retry_after)
    if status == 408:
        return ReaderError("timeout", detail)
    if status >= 500:
        return ReaderError(
            "server", detail, retryable=True, retry_after=retry_after, forwarded=status in GATEWAY
        )
    return ReaderError("refused", detail)


def seconds_of(retry_after: str) -> float | None:
    """Of the header in its numeric form (RFC 9110, 10.2.3); a date is not honoured."""
    try:
        seconds = float(retry_after)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < float("inf") else None


def safe_detail(text: str, secrets: Collection[str] = ()) -> str:
    """`text` as it may be shown and stored: one bounded line, without secrets or what looks like a key."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[key]")
    return one_line(_KEY_SHAPE.sub("[key]", text[: 8 * DETAIL_CHARS_MAX]), DETAIL_CHARS_MAX)
