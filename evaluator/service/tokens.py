"""Bearer tokens: read or made, and compared. Knows no HTTP framework."""

from __future__ import annotations

import errno
import hmac
import os
import re
import secrets

from evaluator.errors import CompassError
from evaluator.files import private_folder, private_text
from evaluator.record import Record


class Kept(Record):
    """Where a token lies: in a variable, else in a file of the state folder."""

    variable: str
    file: str


HTTP = Kept("COMPASS_HTTP_TOKEN", "http-token")
MCP = Kept("COMPASS_MCP_TOKEN", "mcp-token")
"""Of advice alone. An agent's client holds it, and the HTTP API takes prompts, so one is not the other."""
VARIABLE = HTTP.variable
LEAST_CHARS = 24
_SCHEME = b"bearer "
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")
"""token68 of RFC 9110, section 11.2: what an Authorization header can carry."""


class TokenError(CompassError):
    """There is no token that could be used, and why."""


def token_path(state_dir: str, kept: Kept = HTTP) -> str:
    return os.path.join(state_dir, kept.file)


def token(state_dir: str, given: str | None, kept: Kept = HTTP) -> str:
    """`given` where the user set one, else the file's, which is made where there is none. Raises TokenError."""
    if given:
        return _sound(given, kept.variable)
    return read(state_dir, kept) or _made(state_dir, kept)


def read(state_dir: str, kept: Kept = HTTP) -> str | None:
    """The token in the state folder; None without one. Raises TokenError for a file that others could read."""
    path = token_path(state_dir, kept)
    try:
        text = private_text(path)
    except PermissionError as error:
        if error.errno == errno.EPERM:
            raise TokenError(
                f"{path}: must be a file of yours alone: delete it, or chmod 600 {path}"
            ) from error
        raise TokenError(f"{path}: cannot be read: {error.strerror}") from error
    except OSError as error:
        raise TokenError(f"{path}: cannot be read: {error.strerror}") from error
    if text is None:
        return None
    return _sound(text, path)


def _made(state_dir: str, kept: Kept) -> str:
    path = token_path(state_dir, kept)
    value = secrets.token_urlsafe(32)
    temporary = f"{path}.{secrets.token_hex(6)}.tmp"
    try:
        private_folder(state_dir, repair=False)
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(file, "wb") as out:
                os.fchmod(out.fileno(), 0o600)
                out.write(value.encode() + b"\n")
            # Appears whole, or not at all where another process was first: then the other's token counts.
            os.link(temporary, path)
        finally:
            os.unlink(temporary)
    except FileExistsError:
        return read(state_dir, kept) or _made(state_dir, kept)
    except OSError as error:
        raise TokenError(f"{path}: cannot be written: {error.strerror}") from error
    return value


def _sound(value: str, where: str) -> str:
    if len(value) < LEAST_CHARS or not _TOKEN.fullmatch(value):
        raise TokenError(
            f"{where}: no usable token: {LEAST_CHARS} characters or more of A-Z a-z 0-9 . _ ~ + / = -"
        )
    return value


def bears(authorization: bytes | None, wanted: bytes) -> bool:
    """Whether an Authorization header holds the token. Takes as long for a near miss as for a far one."""
    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return False
    return hmac.compare_digest(authorization[len(_SCHEME) :].strip(), wanted)
