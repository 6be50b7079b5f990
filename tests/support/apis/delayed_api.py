"""A Messages API that answers after a stated time, in a process of its own: its work is not the readers'."""

from __future__ import annotations

import json
import subprocess
import sys

from apis.loopback_api import answer

MODEL = "claude-haiku-4-5-20251001"

API = """
import asyncio, json, sys, threading, time

DELAY, spent = float(sys.argv[1]), []
BODY = sys.argv[2].encode()
ANSWER = b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(BODY) + BODY

class Api(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.received = transport, b""
    def data_received(self, data):
        self.received += data
        head, found, body = self.received.partition(b"\\r\\n\\r\\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\\r")[0]
        if found and len(body) >= int(length or 0):
            self.received = b""
            asyncio.get_running_loop().call_later(DELAY, self.answer, time.monotonic())
    def answer(self, since):
        self.transport.write(ANSWER)
        spent.append(time.monotonic() - since)

async def main():
    server = await asyncio.get_running_loop().create_server(Api, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
print(json.dumps(spent))
"""
MESSAGE = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "stop_reason": "end_turn",
    "stop_sequence": None, "content": [{"type": "text", "text": answer()}],
    "usage": {"input_tokens": 100, "output_tokens": 20},
}  # fmt: skip


class Api:
    """A Messages API that answers after that time, in a process of its own: its work is not the readers'."""

    def __init__(self, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", API, str(seconds), json.dumps(MESSAGE)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{self._process.stdout.readline().strip()}"

    def end(self) -> list[float]:
        """How long each answer took, in seconds, from the whole request to the answer."""
        found: list[float] = json.loads(self._process.communicate()[0])
        return found
