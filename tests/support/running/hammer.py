"""Many calls at a Unix socket from one process: for load tests and throughput."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from evaluator import wire

Answer = tuple[int, bytes]


async def hammer(path: str, frames: Sequence[bytes], concurrency: int) -> list[Answer]:
    """The last word on each frame, in the order of the frames; `concurrency` connections share them."""
    answers: list[Answer] = [(0, b"")] * len(frames)
    todo = iter(range(len(frames)))

    async def client() -> None:
        reader, writer = await asyncio.open_unix_connection(path)
        try:
            for number in todo:
                writer.write(frames[number])
                answers[number] = await last_word(reader)
        finally:
            writer.close()
            await writer.wait_closed()

    await asyncio.gather(*(client() for _ in range(concurrency)))
    return answers


async def last_word(reader: asyncio.StreamReader) -> Answer:
    while True:
        kind, size = wire.header(await reader.readexactly(wire.HEADER_BYTES))
        body = await reader.readexactly(size)
        if kind != wire.ACCEPTED:
            return kind, body


ECHO = """
import asyncio, sys
from evaluator import wire

class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.received = transport, bytearray()
    def data_received(self, data):
        self.received += data
        while len(self.received) >= wire.HEADER_BYTES:
            kind, length = wire.header(bytes(self.received[:wire.HEADER_BYTES]))
            end = wire.HEADER_BYTES + length
            if len(self.received) < end:
                return
            body = bytes(self.received[wire.HEADER_BYTES:end])
            del self.received[:end]
            self.transport.write(wire.frame(wire.ANSWER, body))

async def main():
    server = await asyncio.get_running_loop().create_unix_server(Echo, sys.argv[1], backlog=4096)
    print("ready", flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
"""The least that a service of this kind can do: frames in, the same frames out. `python -c ECHO PATH`."""
