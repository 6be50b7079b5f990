"""The HTTP side of `compass serve --http`: its address and token, and the app beside the socket."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from compass import __version__
from compass.joining.surroundings import home_of
from evaluator.configuration.places import state_dir
from evaluator.service import tokens
from evaluator.service.address import DEFAULT_HOST

if TYPE_CHECKING:
    from compass.daemon.judge import Judge
    from evaluator.service.access import App
    from evaluator.service.server import Service


PAGE_HOSTS = (DEFAULT_HOST, "localhost")
"""Where a link of the page leads to."""


class Page(Protocol):
    """The page of a service, see `compass.page.side`."""

    def beside(self) -> AbstractAsyncContextManager[None]: ...

    def over(self, api: App, port: int) -> App: ...

    async def opened(self, body: bytes) -> bytes: ...


class HttpSide:
    """Bound to its address at once, so that a taken port is told before anything else happens.

    `env` is the environment of its calls: whole, as its starter had it. Raises ListenError and TokenError.
    """

    def __init__(self, host: str, port: int, env: Mapping[str, str]) -> None:
        from evaluator.service import access, tcp

        self._env = dict(env)
        folder = state_dir(self._env, home_of(self._env))
        given = self._env.get(tokens.VARIABLE)
        self._token = tokens.token(folder, given)
        self.token_source = tokens.VARIABLE if given else tokens.token_path(folder)
        self._line: socket.socket = tcp.listen(host, port)
        self._host = host
        self._port = int(self._line.getsockname()[1])
        self.address = access.address_of(host, self._port)
        self._warning = access.exposure(host)

    @asynccontextmanager
    async def beside(self, service: Service, judge: Judge, page: Page | None = None) -> AsyncGenerator[None]:
        """Answers while the block runs. The page is there, too, where this machine alone can ask for it."""
        from compass.daemon.http_calls import HttpCalls
        from evaluator.service import access, tcp
        from evaluator.service.api import make_app

        rules = access.rules(self._token, self._host, self._port)
        api: App = make_app(service, HttpCalls(judge, self._env).calls(), rules, __version__)
        app = page.over(api, self._port) if page is not None and self._host in PAGE_HOSTS else api
        async with tcp.serving(app, self._line):
            print(f"compass serve: {self.address}, token in {self.token_source}", flush=True)
            if self._warning:
                print(f"compass serve: {self._warning}", file=sys.stderr, flush=True)
            yield

    def close(self) -> None:
        self._line.close()
