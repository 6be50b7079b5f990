"""What the service tells of a request's course to whoever traces it, and the one that traces nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

Attribute = str | int | float | bool

_TRACEPARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


class Span(Protocol):
    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits, empty for none."""
        ...

    def end(self, status: int, attributes: Mapping[str, Attribute]) -> None: ...


class Spans(Protocol):
    def begin(self, method: str, route: str, traceparent: str) -> Span:
        """`traceparent` is the request's header where it is a sound one, else empty."""
        ...

    def step(self, name: str, seconds: float, attributes: Mapping[str, Attribute]) -> None:
        """A step of the request at hand that has just ended."""
        ...

    def close(self) -> None: ...


class NoSpan:
    def __init__(self, trace_id: str) -> None:
        self.trace_id = trace_id

    def end(self, status: int, attributes: Mapping[str, Attribute]) -> None:
        """Nobody listens."""


class NoSpans:
    """Takes up a caller's trace for the log alone."""

    def begin(self, method: str, route: str, traceparent: str) -> Span:
        return NoSpan(traceparent[3:35])

    def step(self, name: str, seconds: float, attributes: Mapping[str, Attribute]) -> None:
        """Nobody listens."""

    def close(self) -> None:
        """Nothing is open."""


def sound(traceparent: bytes | None) -> str:
    """The header as W3C's Trace Context states it, version 00; empty for any other."""
    text = (traceparent or b"").decode("latin-1").strip()
    return text if _TRACEPARENT.fullmatch(text) else ""
