"""The page beside the service's socket: a listener on loopback once it is first asked for, and its links."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from compass.page import PageScope
from evaluator import wire
from evaluator.errors import CompassError
from evaluator.service.credentials import DEFAULT_HOST, LINK_SECONDS, Grants
from evaluator.service.server import Service, environment


class PageSide:
    """One service's page. `beside` opens nothing: the port and what it serves come with the first link."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._grants: Grants[PageScope] = Grants()
        self._port = 0
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()

    async def opened(self, body: bytes) -> bytes:
        """A link for whoever asks on the socket, as JSON: `url` and `seconds`, or the `error`."""
        try:
            cwd, variables = wire.unpack(body, 2)
            url = await self._create_page_link(PageScope(environment(variables), os.fsdecode(cwd)))
        except (CompassError, OSError, ValueError) as error:
            return json.dumps({"error": str(error)}).encode()
        return json.dumps({"url": url, "seconds": LINK_SECONDS}).encode()

    @asynccontextmanager
    async def beside(self) -> AsyncGenerator[None]:
        """Links are given while the block runs; at its end the listener closes."""
        async with self._stack:
            yield

    async def _create_page_link(self, scope: PageScope) -> str:
        async with self._opening:
            if not self._port:
                for name in ("evaluator.service.tcp", "compass.page.app"):
                    # Not on the loop, which hooks wait for.
                    await asyncio.to_thread(importlib.import_module, name)
                from compass.page.app import PageApp
                from evaluator.service import tcp

                line = tcp.listen(DEFAULT_HOST, 0)
                self._stack.callback(line.close)
                port = int(line.getsockname()[1])
                page = PageApp(self._grants, self._service, port)
                await self._stack.enter_async_context(tcp.serving(page, line))
                self._port = port
        return f"http://{DEFAULT_HOST}:{self._port}/#link={self._grants.link(scope)}"
