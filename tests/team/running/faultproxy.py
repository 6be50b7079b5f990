"""A TCP forwarder on loopback that can be cut, in a process of its own.

with FaultProxy("127.0.0.1", 5432) as proxy:
    ...  # the client is pointed at proxy.port
    proxy.cut()      # every connection ends, new ones are reset
    proxy.heal()
"""

from __future__ import annotations

import asyncio
import socket
import struct
import subprocess
import sys
from contextlib import suppress

CHUNK = 65536


class FaultProxy:
    """Started at `with`, ended at its end. Each order holds when the method returns."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)

    def __enter__(self) -> FaultProxy:
        self.process = subprocess.Popen(
            [sys.executable, "-I", __file__, self._target[0], str(self._target[1])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        self.port = int(self._said())
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)

    def cut(self) -> None:
        self._order("cut")

    def heal(self) -> None:
        self._order("heal")

    def _order(self, state: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{state}\n")
        assert self._said() == state

    def _said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


class _Proxy:
    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False

    def turn(self, state: str) -> None:
        self._is_cut = state == "cut"
        for writer in list(self._open) if self._is_cut else ():
            _reset(writer)

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            _reset(writer)
            return
        try:
            there, there_writer = await asyncio.open_connection(*self._target)
        except OSError:
            _reset(writer)
            return
        self._open |= {writer, there_writer}
        await asyncio.gather(self._pass(reader, there_writer), self._pass(there, writer))
        self._open -= {writer, there_writer}

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


async def _main(host: str, port: int) -> None:
    proxy = _Proxy(host, port)
    server = await asyncio.start_server(proxy.connection, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        proxy.turn(line.strip())
        print(line.strip(), flush=True)
    # What still waits for its other side ends with the process.
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()


if __name__ == "__main__":
    with suppress(asyncio.CancelledError):
        asyncio.run(_main(sys.argv[1], int(sys.argv[2])))
