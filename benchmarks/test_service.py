"""The service over its socket: round trips and throughput, in turns with a bare echo of the same frames."""

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from running.processes import processor_seconds
from running.serving import hammer

from evaluator import wire

CALLS = 1024
ROOT = str(Path(__file__).parent.parent)
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


@pytest.fixture(scope="module")
def echo():
    with tempfile.TemporaryDirectory(prefix="cps") as folder:
        path = f"{folder}/echo.sock"
        start = f"import sys; sys.path.insert(0, {ROOT!r})\n{ECHO}"
        with subprocess.Popen([sys.executable, "-I", "-c", start, path], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"ready\n"
            yield path
            process.kill()


@pytest.fixture
def lap(beside, benchmark, served, echo):
    def measure(frames, concurrency):
        answers = beside(
            lambda: asyncio.run(hammer(served.at.socket, frames, concurrency)),
            lambda: asyncio.run(hammer(echo, frames, concurrency)),
            rounds=7,
        )
        assert {kind for kind, _ in answers} == {wire.ANSWER}
        benchmark.extra_info["calls"] = len(frames)

    return measure


def read_frame(served):
    return served.request("pre-tool-use", served.place.payload("Read", {"file_path": "src/app.py"}))


@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_silent_skip(lap, served, concurrency):
    lap([read_frame(served)] * CALLS, concurrency)


@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_recorded_skip(lap, served, concurrency):
    lap(recorded_frames(served), concurrency)


def test_processor_time_of_a_recorded_skip(spent_beside, yardstick, served):
    """What the service takes for one, beside the yardstick."""
    frames = recorded_frames(served)[:256]
    served.place.say("Create notes.txt in this project with a line that says hello to whoever reads it")
    service = served.settle()

    def skip():
        before = processor_seconds(service)
        answers = asyncio.run(hammer(served.at.socket, frames, 1))
        assert {kind for kind, _ in answers} == {wire.ANSWER}
        return (processor_seconds(service) - before) / len(frames)

    spent_beside(skip, yardstick)


def recorded_frames(served):
    given = {"file_path": str(served.place.project / "poetry.lock"), "content": "x"}
    return [
        served.request(
            "pre-tool-use", served.place.payload(given=given, session_id=f"s{n % 50}", tool_use_id=f"t{n}")
        )
        for n in range(CALLS)
    ]
