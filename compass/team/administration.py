"""What an administrator asks a team's evaluator over HTTP: requests, what is stated in them, answers for people.

A token goes to the address that was named, and nowhere else.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final, cast
from urllib.parse import urlencode

from evaluator.errors import CompassError, ConfigError
from evaluator.files import private_text
from evaluator.readers.prerequisites import in_the_clear, is_of_loopback
from evaluator.settings.files import is_address
from evaluator.settings.layers import counts_nowhere
from evaluator.settings.places import set_by
from evaluator.text import safe

SECONDS: Final = 30.0
ANSWER_BYTES_MAX: Final = 16 * 1024 * 1024
LINE_BYTES_MAX: Final = 16 * 1024 * 1024
TOKEN_CHARS_MAX: Final = 400
STDIN: Final = "-"
UNITS: Final = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
_TIME = re.compile(r"(\d{1,6})([mhd])")


class ServiceRefusedError(CompassError):
    """The evaluator answered with a refusal, or is out of reach; `kind` as it says, empty where it said nothing."""

    def __init__(self, message: str, kind: str = "") -> None:
        self.kind = kind
        super().__init__(message)


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
        raise ConfigError(f"{'stdin' if path == STDIN else path}: no token for a team's evaluator")
    return found


class Evaluator:
    """The service at `url`. Raises ConfigError for an address that a token must not go to."""

    def __init__(self, url: str, token: str) -> None:
        if not url:
            raise ConfigError(f"which evaluator? --url URL, or {set_by('evaluator.base_url', 'URL')}")
        if not is_address(url):
            raise ConfigError("the evaluator's address is not an http or https address")
        clear = in_the_clear(url)
        if clear:
            raise ConfigError(
                f"the token would go to {clear} over plain http, where others can read it: use an https address"
            )
        self._base = url.strip().rstrip("/").removesuffix("/v1").rstrip("/")
        self._token = token
        # No proxy stands before this machine itself.
        local = is_of_loopback(self._base)
        proxies = [urllib.request.ProxyHandler({})] if local else []
        self._opener = urllib.request.build_opener(_NoRedirects(), *proxies)

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Any:
        """Asks a team's evaluator as administrator; the document that comes back. Raises ServiceRefusedError."""
        with self._opened(method, path, body, query) as answer:
            return _document(answer.read(ANSWER_BYTES_MAX))

    def lines(self, path: str, **query: str) -> Iterator[Mapping[str, object]]:
        """One object a line, as they come. Raises ServiceRefusedError, also where the answer breaks off."""
        with self._opened("GET", path, None, query) as answer:
            while line := answer.readline(LINE_BYTES_MAX):
                if not line.endswith(b"\n"):
                    raise ServiceRefusedError("the answer broke off; nothing of it was kept")
                yield cast(Mapping[str, object], _document(line))

    @contextmanager
    def _opened(self, method: str, path: str, body: object, query: Mapping[str, str]) -> Generator[IO[bytes]]:
        behind = f"?{urlencode(query)}" if query else ""
        request = urllib.request.Request(  # noqa: S310 - the address was looked at
            f"{self._base}{path}{behind}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
        )
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                yield answer
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error.code, error.read(ANSWER_BYTES_MAX)) from None
        except urllib.error.URLError as error:
            raise ServiceRefusedError(f"{self._base}: cannot be reached: {error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise ServiceRefusedError(f"{self._base}: the answer broke off: {error}") from error


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        """A redirect is an answer like any other: the token is not sent on."""


def _refused(status: int, body: bytes) -> ServiceRefusedError:
    try:
        told = cast(dict[str, object], json.loads(body))
        return ServiceRefusedError(f"{told['error']}", str(told.get("kind", "")))
    except (ValueError, KeyError, TypeError):
        return ServiceRefusedError(f"status {status}, which is not an answer from a team's evaluator")


def _document(body: bytes) -> object:
    try:
        return cast(object, json.loads(body))
    except (ValueError, RecursionError):
        raise ServiceRefusedError("what came back is not an answer from a team's evaluator") from None


# What is stated on the command line


def seconds_of(text: str) -> float:
    """The seconds of a span such as `30d`, `12h` or `45m`. Raises ConfigError."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ConfigError(f"{text[:40]!r} is not a duration: use for example 45m, 12h or 30d")
    return int(found[1]) * UNITS[found[2]]


def setting_of(key: str, value: str | None, known: Mapping[str, object]) -> dict[str, object]:
    """One of the team's settings with its new value. Raises ConfigError."""
    if key not in known:
        raise ConfigError(f"{key[:60]!r} is none of {', '.join(known)}")
    if value is None:
        raise ConfigError(f"{key}: which value? A number, true or false; null for no cap")
    try:
        return {key: json.loads(value)}
    except ValueError:
        raise ConfigError(f"{key}: {value[:40]!r} is not a number, true, false or null") from None


def policy_in(path: str) -> dict[str, object]:
    """The policy in a file. Raises ConfigError, also for a setting that no gate would take from a team."""
    try:
        with open(path, "rb") as file:
            found: Any = json.load(file)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: not JSON") from None
    if not isinstance(found, dict) or not isinstance(cast(dict[str, Any], found).get("settings"), dict):
        raise ConfigError(
            f'{path}: must be an object with "settings", and with "backends" to limit where evidence may go'
        )
    policy = cast(dict[str, Any], found)
    refused = counts_nowhere(policy["settings"])
    if refused is not None:
        raise ConfigError(f"{path}: {refused.key[:60]}: {refused.why.partition(';')[0]}")
    return {"settings": policy["settings"], "backends": policy.get("backends")}


# What came back


def export(rows: Iterable[Mapping[str, object]], path: str) -> int:
    """JSON lines into a file of the user's alone: whole or not at all, and never held in memory.

    How many rows were written. Raises CompassError for a file that cannot be written, and what `rows` raises.
    """
    count = 0
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(file, "wb") as out:
                for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is how many
                    out.write(json.dumps(row).encode() + b"\n")
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise CompassError(f"{path}: {error.strerror or error}") from error
    return count


def said(action: str, what: str, found: Mapping[str, Any]) -> Iterator[str]:
    """An answer in lines for people. `what` is the word behind the action, empty where it has none."""
    if action == "token" and what == "create":
        # Alone on its line: a script takes it from there.
        yield safe(str(found["token"]))
    elif action == "token" and what == "revoke":
        yield f"{safe(found['revoked'])} is revoked; it is refused everywhere within 5 seconds."
    elif action == "token":
        yield from map(_token, found["tokens"])
    elif action == "spend":
        yield from (_spent(row, found["day"]) for row in found["spent"])
        if not found["spent"]:
            yield f"{found['day']}: nothing"
    elif action == "export":
        yield f"{found['records']} evaluations in {safe(found['file'])}"
    elif action == "erase":
        yield f"{found['records']} records of {safe(found['person'])} are deleted, and their tokens revoked."
    elif action == "settings":
        yield from (f"{name:<22} {json.dumps(value)}" for name, value in found.items())
    else:
        yield json.dumps(found, indent=2)


def _token(row: Mapping[str, Any]) -> str:
    state = f"until {_day(row['expires_at'])}"
    if row["revoked_at"] is not None:
        state = f"revoked {_day(row['revoked_at'])}"
    elif row["expires_at"] <= time.time():
        state = f"expired {_day(row['expires_at'])}"
    used = "never used" if row["used_at"] is None else f"used {_day(row['used_at'])}"
    return f"{safe(row['token_id'])}  {safe(row['person']):<24} {','.join(row['scopes']):<12} {state}, {used}"


def _spent(row: Mapping[str, Any], day: str) -> str:
    who = safe(row["person"]) if row["person"] else "the whole team"
    return f"{day}  {who:<24} ${row['usd']:.4f}  {row['samples']} samples"


def _day(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(moment))
