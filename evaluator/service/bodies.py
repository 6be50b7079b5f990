"""Reads the body of an HTTP request within bounds of size, time and memory, whatever its framing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, cast

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

HOOK_BYTES_MAX = 64 * 1024 * 1024
"""As much as the hook's own process reads."""
CHECK_BYTES_MAX = 4 * 1024 * 1024
HELD_BYTES_MAX = 512 * 1024 * 1024
BODY_SECONDS = 15.0
"""For a whole body: on loopback 64 MB take well under a second."""


class BodyError(Exception):
    """A body that is not taken; `status` is the answer."""

    def __init__(self, status: int, cause: str) -> None:
        self.status = status
        self.cause = cause
        super().__init__(status, cause)


@dataclass(slots=True)
class Bodies:
    """What all requests together hold in memory; one of these a service."""

    held_bytes_max: int = HELD_BYTES_MAX
    seconds: float = BODY_SECONDS
    held: int = 0

    async def read(self, receive: Receive, declared: str | None, limit: int) -> bytes:
        """The whole body. `declared` is the Content-Length, None for a chunked body. Raises BodyError.

        The caller hands the bytes back by `release`, once it has done with them.
        """
        if declared is not None and (not declared.isdecimal() or int(declared) > limit):
            raise BodyError(413, f"a body of more than {limit} bytes")
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self.seconds):
                await self._collect(receive, limit, parts)
        except BaseException as error:
            self.release(sum(map(len, parts)))
            if isinstance(error, TimeoutError):
                raise BodyError(408, f"the body did not come within {self.seconds:g} s") from None
            raise
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _collect(self, receive: Receive, limit: int, parts: list[bytes]) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise BodyError(400, "the client left before the end of its body")
            part = cast(bytes, message.get("body", b""))
            parts.append(part)
            size += len(part)
            self.held += len(part)
            if size > limit:
                raise BodyError(413, f"a body of more than {limit} bytes")
            if self.held > self.held_bytes_max:
                raise BodyError(503, "too many bodies at once; try again")
            more = bool(message.get("more_body", False))

    def release(self, size: int) -> None:
        self.held -= size
