"""What opens the service to who asks over HTTP: where it lies, bearer tokens, one-time links. Knows no HTTP framework.

Light at import.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from evaluator import wire
from evaluator.errors import CompassError
from evaluator.files import claim_private, private_text

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8477
TEAM_PORT = 8790
TOKEN_VARIABLE = "COMPASS_HTTP_TOKEN"  # noqa: S105 - a name
LINK_SECONDS = 60.0
TOKEN_SECONDS = 12 * 3600.0
KEPT_MAX = 64
"""Links, and tokens: the oldest go first."""

S = TypeVar("S")


FILE = "http-token"
"""Where the token lies: in the variable, else in the file of the state folder."""
LEAST_CHARS = 24
_SCHEME = b"bearer "
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")
"""token68 of RFC 9110, section 11.2: what an Authorization header can carry."""


class TokenError(CompassError):
    """There is no token that could be used, and why."""


def token_path(state_dir: str) -> str:
    return os.path.join(state_dir, FILE)


def token(state_dir: str, given: str | None) -> str:
    """`given` where the user set one, else the file's, which is made where there is none. Raises TokenError."""
    if given:
        return _validate_service_token(given, TOKEN_VARIABLE)
    return read(state_dir) or _make_service_token(state_dir)


def read(state_dir: str) -> str | None:
    """The token in the state folder; None without one. Raises TokenError for a file that others could read."""
    path = token_path(state_dir)
    try:
        text = private_text(path)
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        if error.errno == errno.EPERM:
            why = f"must be readable only by you: delete it, or run chmod 600 {path}"
        raise TokenError(f"{path}: {why}") from error
    return None if text is None else _validate_service_token(text, path)


def _make_service_token(state_dir: str) -> str:
    import secrets

    path = token_path(state_dir)
    value = secrets.token_urlsafe(32)
    try:
        made = claim_private(path, value + "\n")
    except OSError as error:
        raise TokenError(f"{path}: cannot be written: {error.strerror}") from error
    # Where another process was first, the other's token counts.
    return value if made else read(state_dir) or _make_service_token(state_dir)


def _validate_service_token(value: str, where: str) -> str:
    if len(value) < LEAST_CHARS or not _TOKEN.fullmatch(value):
        raise TokenError(
            f"{where}: not a usable token: it needs at least {LEAST_CHARS} characters, from A-Z a-z 0-9 . _ ~ + / = -"
        )
    return value


def bears(authorization: bytes | None, wanted: bytes) -> bool:
    """Whether an Authorization header holds the token. Takes as long for a near miss as for a far one."""
    import hmac

    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return False
    return hmac.compare_digest(authorization[len(_SCHEME) :].strip(), wanted)


def new_secret() -> str:
    """256 bits behind the mark by which self-protection knows one in an agent's call."""
    import secrets

    return wire.PAGE_SECRET + secrets.token_urlsafe(32)


@dataclass(slots=True)
class _Grant(Generic[S]):
    """`digest` is that of the link or token. `opened` is the digest of the token that a used link gave."""

    digest: bytes
    scope: S
    ends: float
    opened: bytes | None = None


class Grants(Generic[S]):
    """One-time links and the tokens that they are exchanged for. In memory alone: both end with the process.

    A secret is kept as its digest. One that is offered again has been seen by somebody else, so whatever it opened is
    closed. `clock` is monotonic, in seconds. Not for several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: list[_Grant[S]] = []
        self._tokens: list[_Grant[S]] = []

    def link(self, scope: S) -> str:
        """A secret that opens this scope once, within LINK_SECONDS."""
        secret = new_secret()
        _keep_credential(self._links, _Grant(_credential_digest(secret), scope, self._clock() + LINK_SECONDS))
        return secret

    def exchange(self, secret: str) -> str | None:
        """The page's token for a link's secret; None for one that is unknown, late or used."""
        found = _find_credential(self._links, secret)
        if found is None:
            return None
        if found.opened is not None:
            self._tokens = [one for one in self._tokens if one.digest != found.opened]
            return None
        if self._clock() >= found.ends:
            return None
        token = new_secret()
        found.opened = _credential_digest(token)
        _keep_credential(self._tokens, _Grant(found.opened, found.scope, self._clock() + TOKEN_SECONDS))
        return token

    def scope_of(self, token: str) -> S | None:
        """What a token opens; None for one that is unknown or over."""
        found = _find_credential(self._tokens, token)
        return found.scope if found is not None and self._clock() < found.ends else None


def _find_credential(kept: list[_Grant[S]], secret: str) -> _Grant[S] | None:
    """Compares with each of them, however near the others come."""
    import hmac

    digest, found = _credential_digest(secret), None
    for one in kept:
        if hmac.compare_digest(one.digest, digest):
            found = one
    return found


def _keep_credential(kept: list[_Grant[S]], one: _Grant[S]) -> None:
    kept.append(one)
    del kept[:-KEPT_MAX]


def _credential_digest(secret: str) -> bytes:
    import hashlib

    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
