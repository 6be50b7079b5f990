"""`compass mcp --http`: the same server for several clients, under the rules of the HTTP API and a token of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from compass.composition.settings import home_of
from compass.mcp_server.server import http_app
from evaluator.service import access, lifecycle, tcp, tokens
from evaluator.service.access import App, AsgiScope, Receive, Send
from evaluator.service.desk import CHECK_BYTES_MAX, Bodies, BodyError
from evaluator.service.tokens import MCP_PATH
from evaluator.settings.places import state_dir

OPEN_MAX = 256
"""Requests at once. A client may keep one open for what the server tells it."""
DRAIN_SECONDS = 5.0
HEALTHY = b'{"status":"ok"}'


@dataclass(slots=True)
class WholeBodies:
    """An ASGI app around another that is given each body whole, read within the bounds of the HTTP API.

    `running` are the calls that are on their way; streams that clients keep open are none.
    """

    app: App
    bodies: Bodies = field(default_factory=Bodies)
    running: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["path"] == access.OPEN_PATH:
            headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(HEALTHY))]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": HEALTHY})
            return
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), None)
        try:
            body = await self.bodies.read(
                receive, declared.decode("latin-1") if declared is not None else None, CHECK_BYTES_MAX
            )
        except BodyError as error:
            await access.refuse(send, error.status, error.cause)
            return
        unread: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body}]

        async def given() -> MutableMapping[str, Any]:
            return unread.pop() if unread else await receive()

        try:
            await self._call(scope, given, send)
        finally:
            self.bodies.release(len(body))

    async def drain(self, seconds: float) -> None:
        """Returns once no call is on its way, or after so long: a user may have yet to answer."""
        if self.running:
            await asyncio.wait(self.running, timeout=seconds)

    def cut(self) -> None:
        """Ends the answers of calls that did not come to an end."""
        for task in self.running:
            task.cancel()

    async def _call(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        begun = ended = False

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal begun, ended
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        async def run() -> None:
            await self.app(scope, receive, noted)

        task = asyncio.create_task(run())
        if scope["method"] == "POST":
            self.running.add(task)
            task.add_done_callback(self.running.discard)
        try:
            await asyncio.wait((task,))
        finally:
            task.cancel()
        if not task.cancelled():
            task.result()
        elif begun and not ended:
            await send({"type": "http.response.body", "body": b""})
        elif not begun:
            await access.refuse(send, 503, "the service is on its way out")


def serve_http(project: str | None, host: str, port: int, env: Mapping[str, str], *, as_json: bool) -> int:
    """Until SIGINT or SIGTERM; then 0. Raises ListenError and TokenError."""
    folder = state_dir(env, home_of(env))
    given = env.get(tokens.MCP.variable)
    token = tokens.token(folder, given, tokens.MCP)
    line = tcp.listen(host, port)
    port = int(line.getsockname()[1])
    lifecycle.raise_file_limit()
    rules = access.rules(token, host, port, kept=tokens.MCP, open_max=OPEN_MAX)
    url = access.address_of(host, port) + MCP_PATH
    kept = tokens.MCP.variable if given else tokens.token_path(folder, tokens.MCP)

    def ready() -> None:
        said = {"pid": os.getpid(), "url": url, "token": kept}
        print(json.dumps(said) if as_json else f"compass mcp: {url}, token in {kept}", flush=True)
        if warning := access.exposure(host):
            print(f"compass mcp: {warning}", file=sys.stderr, flush=True)

    with line:
        asyncio.run(_serve(project, rules, line, ready))
    return 0


async def _serve(
    project: str | None, rules: access.AccessRules, line: socket.socket, ready: Callable[[], None]
) -> None:
    closing = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, closing.set)
    app, sessions = http_app(project, MCP_PATH)
    calls = WholeBodies(app)
    guard = access.AccessGuard(calls, rules, closing.is_set)
    async with AsyncExitStack() as stack:
        # Left in the other order: streams that clients keep open end with their sessions, and then the server.
        begun = asyncio.Event()

        async def once_begun(scope: AsgiScope, receive: Receive, send: Send) -> None:
            await begun.wait()
            await guard(scope, receive, send)

        await stack.enter_async_context(tcp.serving(once_begun, line))
        stack.callback(calls.cut)
        await stack.enter_async_context(sessions())
        begun.set()
        ready()
        await closing.wait()
        await calls.drain(DRAIN_SECONDS)
