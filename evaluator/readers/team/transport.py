"""The HTTP line to a team's evaluator: one request, one bounded answer, no redirect, every fault a ReaderError.

Stands on the HTTP client that the model SDK stands on (`httpx2`). Importing this module imports it, so import it late.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Final, cast

import httpx2

from evaluator.errors import ConfigError, FaultKind, ReaderError
from evaluator.readers.addresses import is_of_loopback, place_of
from evaluator.readers.response import bounded, fault_of_status, json_object, safe_detail, seconds_of
from evaluator.readers.team.login import AGAIN, Login, normal
from evaluator.settings.places import set_by

REPEATED: Final = ("closing", "overloaded")
"""Refusals of one replica, which another one may not give."""
REPEAT_SECONDS: Final = 0.25
LEAST_SECONDS: Final = 0.5
"""A request that has less time left than this is not repeated."""
LIMITS: Final = httpx2.Limits(max_connections=64, max_keepalive_connections=8, keepalive_expiry=60.0)
OWN = "your team's evaluator"


class LineRefusal(ReaderError):  # noqa: N818 - an answer
    """An answer that is an error. `said` is its kind in the server's words, empty where it names none."""

    def __init__(self, fault: ReaderError, status: int, said: str) -> None:
        self.status = status
        self.said = said
        super().__init__(fault.kind, fault.detail, retryable=fault.retryable, retry_after=fault.retry_after)


class TeamLine:
    """To the server at `url`. `login` is asked before each request and raises ConfigError where there is none.

    `refused`: why nothing may be asked there. `named` is the model that the last answer named. Connections belong to
    the running event loop; after `aclose` the line can be used again, on any loop.
    """

    name = "team"

    def __init__(self, url: str, login: Callable[[], Login], *, refused: str = "") -> None:
        self.named = ""
        self._url = normal(url)
        self._login = login
        self._refused = refused
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def where(self) -> str:
        """The server's host and port, as `place_of` tells it."""
        return place_of(self._url)

    async def ask(
        self, method: str, path: str, seconds: float, body: Callable[[float, float], object] | None = None
    ) -> object:
        """The JSON of a 200. `body` gives what is sent from (seconds left, seconds waited).

        After a lost connection, and where one replica will not, it is asked once more while time is left. Raises
        ReaderError, and Refusal for an answer that is an error.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        end = began + seconds
        try:
            async with asyncio.timeout_at(end):
                for last in (False, True):
                    now = loop.time()
                    sent = None if body is None else body(end - now, now - began)
                    try:
                        return await self._send_team_request(method, path, sent)
                    except ReaderError as fault:
                        refused = fault.said if isinstance(fault, LineRefusal) else ""
                        # A replica that closes is replaced by another at once, whatever it says itself.
                        at_once = fault.retry_after is None or refused == "closing"
                        pause = REPEAT_SECONDS if at_once else fault.retry_after or 0.0
                        late = loop.time() + pause + LEAST_SECONDS > end
                        if last or late or not fault.retryable:
                            raise
                        await asyncio.sleep(pause)
        except TimeoutError as fault:
            raise ReaderError(
                "timeout", f"no answer from {OWN} at {self.where} within {seconds:.3g} s"
            ) from fault
        raise AssertionError("the second request ends the loop")

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def _send_team_request(self, method: str, path: str, sent: object) -> object:
        if self._refused:
            raise ReaderError("refused", self._refused)
        if not self.where:
            way = set_by("evaluator.base_url", "URL")
            raise ReaderError("refused", f"the address of {OWN} is not an http or https address: {way}")
        try:
            token = self._login().token
        except ConfigError as fault:
            raise ReaderError("authentication", safe_detail(str(fault))) from fault
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        content = None
        if sent is not None:
            # What is not valid Unicode is escaped, as JSON can.
            content = json.dumps(sent).encode("ascii")
            headers["Content-Type"] = "application/json"
        try:
            async with self._transport_client().stream(
                method, f"{self._url}{path}", headers=headers, content=content
            ) as response:
                status, found = response.status_code, await bounded(response.aiter_bytes())
                after = seconds_of(response.headers.get("retry-after", ""))
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as fault:
            raise ReaderError("refused", f"the address of {OWN} cannot be used") from fault
        except httpx2.HTTPError as fault:
            said = safe_detail(f"{type(fault).__name__} {fault}", [token])
            raise ReaderError(
                "transport", f"no connection to {OWN} at {self.where}: {said}", retryable=True
            ) from fault
        if status not in (200, 201):
            raise self._transport_refusal(status, found, after, token)
        try:
            return cast(object, json.loads(found))
        except (ValueError, RecursionError) as fault:
            raise ReaderError(
                "invalid", f"the answer from {self.where} is not JSON: is that {OWN}?"
            ) from fault

    def _transport_client(self) -> httpx2.AsyncClient:
        """The client of the running loop: connections cannot be taken from one loop to another."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._loop = loop
            # As for `openai`: no proxy stands between a program and its own machine, and no redirect is followed,
            # which would take token and evidence to a server that nobody chose.
            here = is_of_loopback(self._url)
            plain = self._url.startswith("http://")
            self._client = httpx2.AsyncClient(
                timeout=None,
                trust_env=not here,
                verify=not (here and plain),
                follow_redirects=False,
                limits=LIMITS,
            )
        return self._client

    def _transport_refusal(self, status: int, body: bytes, after: float | None, token: str) -> LineRefusal:
        text = body.decode("utf-8", "replace")
        found = json_object(text)
        said, kind = str(found.get("error", text)), str(found.get("kind", ""))
        detail = f"{status} from {OWN} at {self.where}: {safe_detail(said, [token])}"
        if status == 401:
            shown = f"{self._url.partition('://')[0]}://{self.where}"
            detail = f"{OWN} at {self.where} rejects the token: ask for a new one and {AGAIN.replace('URL', shown)}"
        fault = fault_of_status(status, detail, retry_after=after)
        named: FaultKind = "limit" if kind == "budget" else "timeout" if status == 504 else fault.kind
        # A proxy in front of it answers in words of its own.
        again = kind in REPEATED if kind else status in (502, 503)
        return LineRefusal(ReaderError(named, detail, retryable=again, retry_after=after), status, kind)
