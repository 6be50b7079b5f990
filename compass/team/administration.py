"""What an administrator asks a team's evaluator over HTTP: requests, what is stated in them, answers for people.

A token goes to the address that was named, and nowhere else.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import httpx2

from evaluator.errors import CompassError, ConfigError
from evaluator.files import private_text
from evaluator.readers.addresses import address_fault, is_of_loopback
from evaluator.readers.team.login import normal
from evaluator.settings.places import set_by
from evaluator.text import safe

SECONDS: Final = 30.0
TOKEN_CHARS_MAX: Final = 400
STDIN: Final = "-"


class ServiceRefusedError(CompassError):
    """The evaluator answered with a refusal, or is out of reach."""


def token_of(path: str) -> str:
    """The token in a file of the user's alone, or on stdin for `-`. Raises ConfigError."""
    if path == STDIN:
        found: str | None = sys.stdin.readline(TOKEN_CHARS_MAX).strip()
    else:
        try:
            found = private_text(path)
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror or error}: chmod 600 {path}") from error
    if not found or len(found) >= TOKEN_CHARS_MAX or not found.isascii() or not found.isprintable():
        raise ConfigError(f"{'stdin' if path == STDIN else path}: contains no token for a team's evaluator")
    return found


class Evaluator:
    """The service at `url`. Raises ConfigError for an address that a token must not go to."""

    def __init__(self, url: str, token: str) -> None:
        if not url:
            raise ConfigError(
                f"which evaluator? Pass --url URL, or run {set_by('evaluator.base_url', 'URL')}"
            )
        if fault := address_fault(url, "the token"):
            raise ConfigError(fault)
        # No proxy stands before this machine itself, and no redirect is followed: the token would be sent on.
        self._client = httpx2.Client(
            base_url=normal(url),
            headers={"Authorization": f"Bearer {token}"},
            timeout=SECONDS,
            trust_env=not is_of_loopback(url),
            follow_redirects=False,
        )

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Any:
        """The document that comes back. Raises ServiceRefusedError."""
        try:
            answer = self._client.request(method, path, json=body, params=query)
            if answer.is_success:
                return answer.json()
        except (httpx2.HTTPError, ValueError, RecursionError) as error:
            raise ServiceRefusedError(f"the answer was cut off or missing: {error}") from error
        try:
            said = str(answer.json()["error"])
        except (ValueError, KeyError, TypeError, RecursionError):
            said = f"status {answer.status_code}: this does not look like a team's evaluator"
        raise ServiceRefusedError(said)


# What is stated on the command line


def setting_of(key: str, value: str | None, known: Mapping[str, object]) -> dict[str, object]:
    """One of the team's settings with its new value. Raises ConfigError."""
    if key not in known:
        raise ConfigError(f"{key[:60]!r} is not one of {', '.join(known)}")
    try:
        return {key: json.loads(value or "")}
    except ValueError:
        raise ConfigError(f"{key}: must be a number, true or false, or null for no cap") from None


def policy_in(path: str) -> object:
    """The policy in a file. Raises ConfigError."""
    try:
        with open(path, "rb") as file:
            return cast(object, json.load(file))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: not JSON") from None


# What came back


def said(action: str, what: str, found: Mapping[str, Any]) -> Iterator[str]:
    """An answer in lines for people. `what` is the word behind the action, empty where it has none."""
    if action == "token" and what == "create":
        # Alone on its line: a script takes it from there.
        yield safe(str(found["token"]))
    elif action == "token" and what == "revoke":
        yield f"{safe(found['revoked'])} is revoked."
    elif action == "token":
        yield from map(_render_admin_token, found["tokens"])
    elif action == "spend":
        for row in found["spent"]:
            who = safe(row["person"]) if row["person"] else "the whole team"
            yield f"{found['day']}  {who:<24} ${row['usd']:.4f}  {row['samples']} samples"
        if not found["spent"]:
            yield f"{found['day']}: nothing"
    elif action == "erase":
        yield f"{found['records']} records of {safe(found['person'])} were deleted, and their tokens revoked."
    elif action == "settings":
        yield from (f"{name:<22} {json.dumps(value)}" for name, value in found.items())
    else:
        yield json.dumps(found, indent=2)


def _render_admin_token(row: Mapping[str, Any]) -> str:
    state = f"until {_render_admin_time(row['expires_at'])}"
    if row["revoked_at"] is not None:
        state = f"revoked {_render_admin_time(row['revoked_at'])}"
    elif row["expires_at"] <= time.time():
        state = f"expired {_render_admin_time(row['expires_at'])}"
    return f"{safe(row['token_id'])}  {safe(row['person']):<24} {','.join(row['scopes']):<12} {state}"


def _render_admin_time(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(moment))
