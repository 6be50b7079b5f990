"""What one evaluation uses of a hosted backend, where an answer that never came may still have been paid for."""

from __future__ import annotations

from typing import Final

from evaluator.errors import FaultKind, ReaderError
from evaluator.ports import Backend, ReaderReply, ReaderRequest, UnusableReplyError

UNPAID: Final[frozenset[FaultKind]] = frozenset(("rate", "limit", "authentication", "refused", "server"))
"""The server itself said that it did not answer. After any other fault, or a gateway's, nobody knows what was used."""


class Meter:
    """`most_usd` is the most that one request can cost, None where the price is not known."""

    def __init__(self, most_usd: float | None) -> None:
        self._most_usd = most_usd
        self._told = 0.0
        self._unpriced = False
        self._unknown = 0
        self.requests = 0

    @property
    def usd(self) -> float | None:
        """US dollars so far; None where an answer had no price."""
        if self._unpriced or (self._unknown and self._most_usd is None):
            return None
        return self._told + self._unknown * (self._most_usd or 0.0)

    def begin(self) -> None:
        """Booked at the most until its end is told."""
        self.requests += 1
        self._unknown += 1

    def end(self, usd: float | None) -> None:
        """It cost that much."""
        self._unknown -= 1
        if usd is None:
            self._unpriced = True
        else:
            self._told += usd


class Metered:
    """A backend whose requests one meter counts. Connections are those of `backend`, which it does not close."""

    def __init__(self, backend: Backend, meter: Meter) -> None:
        self.name = backend.name
        self.model = backend.model
        self._backend = backend
        self._meter = meter

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        self._meter.begin()
        try:
            reply = await self._backend.ask(request)
        except UnusableReplyError as fault:
            self._meter.end(fault.reply.cost_usd)
            raise
        except ReaderError as fault:
            if fault.kind in UNPAID and not fault.forwarded:
                self._meter.end(0.0)
            raise
        self._meter.end(reply.cost_usd)
        return reply

    async def aclose(self) -> None:
        """Somebody else's to close."""
