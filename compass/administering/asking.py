"""Requests of an administrator to a team's evaluator. A token goes to the address that was named, and nowhere else."""

from __future__ import annotations

import http.client
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, Final, cast
from urllib.parse import quote, urlencode, urlsplit

from evaluator.configuration.command import set_by
from evaluator.configuration.values import is_address
from evaluator.errors import CompassError, ConfigError
from evaluator.files import private_text
from evaluator.readers.ready import in_the_clear, is_loopback

SECONDS: Final = 30.0
ANSWER_BYTES_MAX: Final = 16 * 1024 * 1024
LINE_BYTES_MAX: Final = 16 * 1024 * 1024
TOKEN_CHARS_MAX: Final = 400
STDIN: Final = "-"


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
        raise ConfigError(f"{'stdin' if path == STDIN else path}: no token of a team's evaluator")
    return found


class Evaluator:
    """The service at `url`. Raises ConfigError for an address that a token must not go to."""

    def __init__(self, url: str, token: str, *, plain_http: bool = False) -> None:
        if not url:
            raise ConfigError(f"which evaluator? --url URL, or {set_by('evaluator.base_url', 'URL')}")
        if not is_address(url):
            raise ConfigError("the evaluator's address is no http or https address")
        clear = in_the_clear(url)
        if clear and not plain_http:
            raise ConfigError(
                f"the token would go to {clear} by plain http, where others can read it: take an https address, or "
                f"allow it by {set_by('evaluator.plain_http', 'true')}"
            )
        self._base = url.strip().rstrip("/").removesuffix("/v1").rstrip("/")
        self._token = token
        # No proxy stands before this machine itself.
        local = is_loopback(urlsplit(self._base).hostname or "")
        proxies = [urllib.request.ProxyHandler({})] if local else []
        self._opener = urllib.request.build_opener(_NoRedirects(), *proxies)

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Any:
        """The document that comes back. Raises ServiceRefusedError."""
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


def segment(text: str) -> str:
    """A name as a part of a path."""
    return quote(text, safe="")


def _refused(status: int, body: bytes) -> ServiceRefusedError:
    try:
        told = cast(dict[str, object], json.loads(body))
        return ServiceRefusedError(f"{told['error']}", str(told.get("kind", "")))
    except (ValueError, KeyError, TypeError):
        return ServiceRefusedError(f"status {status}, and no answer of a team's evaluator")


def _document(body: bytes) -> object:
    try:
        return cast(object, json.loads(body))
    except (ValueError, RecursionError):
        raise ServiceRefusedError("what came back is no answer of a team's evaluator") from None
