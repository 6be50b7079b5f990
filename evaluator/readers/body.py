"""The body of a response, bounded. Knows no HTTP client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from evaluator.errors import ReaderError

BODY_BYTES_MAX: Final = 1_000_000


async def bounded(chunks: AsyncIterator[bytes]) -> bytes:
    """All of it. Raises ReaderError for one that no answer fills."""
    found = bytearray()
    async for chunk in chunks:
        found += chunk
        if len(found) > BODY_BYTES_MAX:
            raise ReaderError("invalid", f"the response is longer than {BODY_BYTES_MAX} bytes")
    return bytes(found)
