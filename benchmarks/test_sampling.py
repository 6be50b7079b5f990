"""What five readers cost over the slowest needed one, with a warm backend against a loopback API."""

import json
import os
import subprocess
import sys
import time
from statistics import median

import pytest
from apis.loopback_api import answer

from compass.joining.clock import SystemClock
from evaluator.configuration.settings import Settings
from evaluator.egress.evidence import build_evidence
from evaluator.model import Effects, Exchange, PendingWrite, Subject, Thresholds
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.kinds.kind import usual_sampling
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.readers.warm import ReaderLoop, WarmReaders
from evaluator.verdict.convergence import certain_block, score_of

MODEL = "claude-haiku-4-5-20251001"
ENV = {"ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789"}
REQUEST = Exchange(("Create notes.txt in this project with a line that says hello to whoever reads it",), "")
PENDING = PendingWrite("case", "s", "Write", {"file_path": "/p/notes.txt"}, cwd="/p", project_dir="/p")
EFFECT = Effects("write", "create", "additive", ("/p/notes.txt",), lines=1)


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
    server = await asyncio.get_running_loop().create_server(Api, "127.0.0.1", 0)
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


@pytest.mark.parametrize("milliseconds", [0, 200, 800])
def test_five_readers(beside, benchmark, milliseconds):
    """The reference is the wait alone; `overhead_ms` is the time of a check over its slowest answer's at the API."""
    settings, thresholds = Settings(), Thresholds(0.65, 0.2)
    subject = Subject(PENDING, EFFECT, REQUEST, build_evidence(PENDING, EFFECT, REQUEST, settings))
    api = Api(milliseconds / 1000)
    loop = ReaderLoop()
    readers = WarmReaders(
        SampledReaders(
            loop.backend("benchmark", lambda: AnthropicBackend(MODEL, ENV, base_url=api.url)),
            SamplingPlan.of(settings, *usual_sampling(settings)),
            settled=lambda valid, left: certain_block([score_of(s) for s in valid], left, thresholds),
            clock=SystemClock(),
            nonce=lambda: os.urandom(6).hex(),
        ),
        loop,
        "benchmark",
    )
    samples = beside(
        lambda: readers.collect(subject, 15.0), lambda: time.sleep(max(milliseconds, 1) / 1000), rounds=15
    )
    loop.close()
    spent = api.end()
    assert [sample.score for sample in samples] == [0.9] * 5
    if benchmark.stats is not None:
        checks = benchmark.stats.stats.data
        slowest = [max(spent[first : first + 5]) for first in range(0, len(spent), 5)][-len(checks) :]
        over = [check - sample for check, sample in zip(checks, slowest, strict=True)]
        benchmark.extra_info["overhead_ms"] = median(over) * 1000
