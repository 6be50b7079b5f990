"""One-time links and the tokens that they are exchanged for. In memory alone: both end with the process.

A secret is kept as its digest. One that is offered again has been seen by somebody else, so whatever it opened is
closed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from evaluator import wire

LINK_SECONDS = 60.0
TOKEN_SECONDS = 12 * 3600.0
KEPT_MAX = 64
"""Links, and tokens: the oldest go first."""

S = TypeVar("S")


def new_secret() -> str:
    """256 bits behind the mark by which self-protection knows one in an agent's call."""
    return wire.PAGE_SECRET + secrets.token_urlsafe(32)


@dataclass(slots=True)
class _Grant(Generic[S]):
    """`digest` is that of the link or token. `opened` is the digest of the token that a used link gave."""

    digest: bytes
    scope: S
    ends: float
    opened: bytes | None = None


class Grants(Generic[S]):
    """`clock` is monotonic, in seconds. Not for several threads."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, secret: Callable[[], str] = new_secret
    ) -> None:
        self._clock = clock
        self._secret = secret
        self._links: list[_Grant[S]] = []
        self._tokens: list[_Grant[S]] = []

    def link(self, scope: S) -> str:
        """A secret that opens this scope once, within LINK_SECONDS."""
        secret = self._secret()
        _keep(self._links, _Grant(_digest(secret), scope, self._clock() + LINK_SECONDS))
        return secret

    def exchange(self, secret: str) -> str | None:
        """The token for a link's secret; None for one that is unknown, late or used."""
        found = _find(self._links, secret)
        if found is None:
            return None
        if found.opened is not None:
            self._tokens = [one for one in self._tokens if one.digest != found.opened]
            return None
        if self._clock() >= found.ends:
            return None
        token = self._secret()
        found.opened = _digest(token)
        _keep(self._tokens, _Grant(found.opened, found.scope, self._clock() + TOKEN_SECONDS))
        return token

    def scope_of(self, token: str) -> S | None:
        """What a token opens; None for one that is unknown or over."""
        found = _find(self._tokens, token)
        if found is None or self._clock() >= found.ends:
            return None
        return found.scope


def _find(kept: list[_Grant[S]], secret: str) -> _Grant[S] | None:
    """Compares with each of them, however near the others come."""
    digest, found = _digest(secret), None
    for one in kept:
        if hmac.compare_digest(one.digest, digest):
            found = one
    return found


def _keep(kept: list[_Grant[S]], one: _Grant[S]) -> None:
    kept.append(one)
    del kept[:-KEPT_MAX]


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
