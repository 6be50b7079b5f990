"""Throughput of the silent skip (a Read) over HTTP, beside a bare echo of the same framework and server.

Both run in processes of their own. A round asks one and then the other, so that a busy machine slows both; the figure
is the median of the rounds' ratios. Each client holds its connection, so what is measured is the service's work. The
bound is on the processes' own time, where the machine tells it: the clock counts the work of others too.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time

import pytest
from running.httpserving import http_process

ROUNDS = 7
REQUESTS = 600
SETTLE_SECONDS = 20.0
MOST = 2.0
"""How often the echo's time, at concurrency 8: at least half of its throughput on a processor of its own."""

ECHO = """
import asyncio, socket, sys
sys.path.insert(0, sys.argv[1])
from fastapi import FastAPI, Request
from fastapi.responses import Response
import uvicorn
app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

@app.post("/echo")
async def echo(request: Request) -> Response:
    return Response(await request.body(), media_type="application/json")

line = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
line.bind(("127.0.0.1", 0))
line.listen(1024)
print(line.getsockname()[1], flush=True)
config = uvicorn.Config(app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False,
                        server_header=False, date_header=False, timeout_keep_alive=60)
uvicorn.Server(config).run([line])
"""


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """{name: (process, port, request)} of the service and of the echo."""
    with http_process(tmp_path_factory.mktemp("http")) as api:
        body = json.dumps(api.place.payload("Read", {"file_path": "src/app.py"})).encode()
        words = [sys.executable, "-I", "-c", ECHO, "."]
        echo = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            port = int(echo.stdout.readline())
            settle(api.serving.process.pid)
            yield {
                "service": (
                    api.serving.process.pid,
                    api.port,
                    _request(api.port, "/v1/hooks/pre-tool-use", api.token, body),
                ),
                "echo": (echo.pid, port, _request(port, "/echo", api.token, body)),
            }
        finally:
            echo.kill()
            echo.communicate()


def _request(port, path, token, body):
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _ask(port, request, times):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for _ in range(times):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
            await reader.readexactly(length)
    finally:
        writer.close()


async def _per_second(port, request, concurrency, requests):
    each = max(1, requests // concurrency)
    began = time.perf_counter()
    await asyncio.gather(*(_ask(port, request, each) for _ in range(concurrency)))
    return each * concurrency / (time.perf_counter() - began)


def processor_seconds(pid):
    """None where the machine does not tell."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settle(pid):
    """Until the service has imported what it prepares in the background, some seconds at most."""
    end = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < end:
        before = processor_seconds(pid)
        time.sleep(0.5)
        if processor_seconds(pid) == before:
            return


def measure(servers, concurrency, requests=REQUESTS, rounds=ROUNDS):
    """Calls a second of each server, medians; the median of the rounds' ratios; that of their own time."""
    found = {name: [] for name in servers}
    for _, port, request in servers.values():
        asyncio.run(_per_second(port, request, concurrency, requests // 4))
    before = {name: processor_seconds(pid) for name, (pid, _, _) in servers.items()}
    for number in range(rounds):
        for name in sorted(servers, reverse=bool(number % 2)):
            _, port, request = servers[name]
            found[name].append(asyncio.run(_per_second(port, request, concurrency, requests)))
    ratio = statistics.median(bare / ours for ours, bare in zip(found["service"], found["echo"], strict=True))
    own = ratio
    if None not in before.values():
        own = (processor_seconds(servers["service"][0]) - before["service"]) / (
            processor_seconds(servers["echo"][0]) - before["echo"]
        )
    medians = {name: statistics.median(each) for name, each in found.items()}
    return medians | {"ratio": ratio, "own": own}


@pytest.mark.benchmark(group="silent skip over HTTP")
@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_silent_skip(benchmark, servers, concurrency):
    found = benchmark.pedantic(measure, (servers, concurrency), rounds=1)
    benchmark.extra_info.update(found)
    print(f"concurrency {concurrency}: {found}")
    if concurrency == 8:
        assert found["own"] <= MOST
