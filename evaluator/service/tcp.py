"""Serves an ASGI app on a TCP socket, on the loop that runs already. The only importer of uvicorn and h11.

uvicorn 0.54 bounds how long a kept connection idles, and nothing else: a client that never ends its headers, or
never reads its answer, would stay for ever. Both are cut here; a slow body is the app's (`http_calls`).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from evaluator.errors import CompassError
from evaluator.service.http_access import App

CONNECTIONS_MAX = 4096
HEAD_SECONDS = 10.0
"""From the first byte of a request, or from the connection, to the end of the headers."""
STALLED_SECONDS = 30.0
"""For a client that does not read what it is answered."""
IDLE_SECONDS = 60
GRACE_SECONDS = 5
BACKLOG = 1024
PORT_MAX = 65535


class ListenError(CompassError):
    """The address cannot be listened at."""


def listen(host: str, port: int) -> socket.socket:
    """A listening TCP socket; `port` 0 for a free one. Raises ListenError."""
    if not 0 <= port <= PORT_MAX:
        raise ListenError(f"{port}: not a port; --port takes 0 to {PORT_MAX}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)[0]
        # asyncio turns Nagle's algorithm off only where the protocol is named, and headers and body are two writes:
        # with it each answer on a kept connection would wait some 40 ms for the client's acknowledgement.
        line = socket.socket(found[0], socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, UnicodeError) as error:
        raise ListenError(f"{host[:60]!r}: {error}") from error
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if found[0] == socket.AF_INET6:
            line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        line.bind(found[4])
        line.listen(BACKLOG)
    except OSError as error:
        line.close()
        raise ListenError(f"{host}:{port}: {error}; choose another with --port") from error
    line.setblocking(False)
    return line


class HttpConnection(H11Protocol):
    """One client's connection, with the cuts that the server lacks."""

    _head_cut: asyncio.TimerHandle | None = None
    _write_cut: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        if len(self.connections) > CONNECTIONS_MAX:
            self.transport.abort()
        self._watch_tcp_request_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_tcp_request_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_tcp_timer(self._head_cut)
        self._cancel_tcp_timer(self._write_cut)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_cut = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_tcp_timer(self._write_cut)

    def _watch_tcp_request_head(self) -> None:
        """Time runs while the headers of a request are awaited, and no answer is."""
        if self.conn.their_state is not h11.IDLE:
            self._cancel_tcp_timer(self._head_cut)
            self._head_cut = None
        elif self._head_cut is None:
            self._head_cut = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    @staticmethod
    def _cancel_tcp_timer(cut: asyncio.TimerHandle | None) -> None:
        if cut is not None:
            cut.cancel()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leaves the signals to whoever owns the process."""
        yield


@asynccontextmanager
async def serving(app: App, line: socket.socket, tls: ssl.SSLContext | None = None) -> AsyncGenerator[None]:
    """Answers while the block runs, over `tls` where it is given; at its end lets answers on their way arrive."""
    config = uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType] - an ASGI 3 app by every means but its exact types
        http=HttpConnection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_context_factory=None if tls is None else lambda _config, _usual: tls,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve([line]))
    try:
        yield
    finally:
        server.should_exit = True
        await running
