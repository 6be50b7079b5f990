"""The laptop's login at a team's evaluator: a token and whom it is for, in one file of the user's alone.

No variable of the environment is read for it. Imports neither the HTTP client nor an event loop.
"""

from __future__ import annotations

import json
import math
import os
import re
from typing import Final, cast

from evaluator.errors import ConfigError
from evaluator.files import private_text, replace_private
from evaluator.readers.response import json_object
from evaluator.record import Record, values_of
from evaluator.text import DAY_SECONDS

TOKEN_FILE: Final = "team-token"  # noqa: S105 - a name
AGAIN: Final = "run `compass team login URL`"
SOON_DAYS: Final = 7
"""A token that ends within so many days is warned of."""
_TOKEN = re.compile(r"cmp_[a-z0-9-]{1,40}_[A-Za-z0-9-]+_[A-Za-z0-9_-]{20,}")


class Login(Record):
    """A token counts for the server at `address` alone. `expires_at` in seconds since the epoch, 0 where not known."""

    token: str
    address: str
    team: str = ""
    person: str = ""
    expires_at: float = 0.0


def normal(url: str) -> str:
    """An address without what makes no difference: a slash or `/v1` at its end."""
    return url.strip().rstrip("/").removesuffix("/v1").rstrip("/")


def is_token(text: str) -> bool:
    return len(text) <= 400 and _TOKEN.fullmatch(text) is not None


def token_path(state_dir: str) -> str:
    return os.path.join(state_dir, TOKEN_FILE)


def read_login(state_dir: str) -> Login | None:
    """The kept login, None where nobody is logged in. Raises ConfigError for a file others can read or without one."""
    path = token_path(state_dir)
    try:
        text = private_text(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise ConfigError(f"{path}: {why}: delete it, then {AGAIN}") from error
    if text is None:
        return None
    values = json_object(text)
    token, address, expires = values.get("token"), values.get("address"), values.get("expires_at")
    if not isinstance(token, str) or not is_token(token) or not isinstance(address, str):
        raise ConfigError(f"{path}: contains no login: {AGAIN}")
    known = isinstance(expires, int | float) and math.isfinite(expires)
    return Login(
        token,
        normal(address),
        str(values.get("team") or ""),
        str(values.get("person") or ""),
        float(cast(float, expires)) if known else 0.0,
    )


def login_for(state_dir: str, url: str) -> Login:
    """That of the server at `url`. Raises ConfigError, which says what to do, where there is none."""
    found = read_login(state_dir)
    if found is None:
        raise ConfigError(f"no token for your team's evaluator: {AGAIN}")
    if found.address != normal(url):
        raise ConfigError("the token from `compass team login` is for another server: " + AGAIN)
    return found


def write_login(state_dir: str, login: Login) -> None:
    """Keeps the login in the user's state. Raises OSError."""
    replace_private(token_path(state_dir), json.dumps(values_of(login), indent=1) + "\n")


def holds(expires_at: float, now: float) -> str:
    """How long a token holds, for people."""
    if not expires_at:
        return "for an unknown length of time"
    from time import localtime, strftime

    day = strftime("%Y-%m-%d", localtime(expires_at)) if expires_at < 1e11 else "the far future"
    return f"until {day}" if expires_at > now else f"expired on {day}"


def ends_soon(expires_at: float, now: float) -> bool:
    return 0 < expires_at < now + SOON_DAYS * DAY_SECONDS
