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
