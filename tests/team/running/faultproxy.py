"""A TCP forwarder on loopback that can be cut, on a loop in a thread of its own.

with FaultProxy("127.0.0.1", 5432) as proxy:
    ...  # the client is pointed at proxy.port
    proxy.cut()      # every connection ends, new ones are reset
    proxy.heal()
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

CHUNK = 65536


class FaultProxy:
    """Started at `with`, ended at its end. Each order holds when the method returns."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> FaultProxy:
        self._thread.start()
        self._server: asyncio.Server = self._do(asyncio.start_server(self._connection, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    def cut(self) -> None:
        self._do(self._turn(is_cut=True))

    def heal(self) -> None:
        self._do(self._turn(is_cut=False))

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _turn(self, *, is_cut: bool) -> None:
        self._is_cut = is_cut
        for writer in list(self._open) if is_cut else ():
            _reset(writer)

    async def _end(self) -> None:
        """What still waits for its other side ends, too."""
        self._server.close()
        await self._turn(is_cut=True)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_writer: asyncio.StreamWriter | None = None
        with suppress(OSError):
            if not self._is_cut:
                there, there_writer = await asyncio.open_connection(*self._target)
        if there_writer is None:
            _reset(writer)
            return
        both = {writer, there_writer}
        self._open |= both
        await asyncio.gather(self._pass(reader, there_writer), self._pass(there, writer))
        self._open -= both

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                writer.write(data)
                await writer.drain()
        writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Closed with a zero linger, a connection ends in a reset, at once."""
    line = writer.get_extra_info("socket")
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
