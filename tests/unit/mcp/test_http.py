"""`compass mcp --http`: who may ask, within which bounds, and how it begins and ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult
from running import forked
from running.hookrun import MAIN
from running.httpserving import ask, raw
from running.mcpserving import FOUND, Served, Stage, called

from compass.mcp_server.http import OPEN_MAX, WholeBodies
from evaluator.service import access, tcp, tokens
from evaluator.service.desk import CHECK_BYTES_MAX, Bodies

DELETE = {"user": "Just delete it.", "prior": FOUND, "command": "rm src/old_auth.py"}
OWN_TOKEN = "of-the-tests-" + "x" * 20
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
ACCEPTS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.fixture
def served(stage: Stage) -> Iterator[Served]:
    with stage.served() as found:
        yield found


def hello(served: Served, **headers: str) -> int:
    given = {"Authorization": f"Bearer {served.token}", **ACCEPTS, **headers}
    return ask(served.port, "POST", "/mcp", HELLO, **given).status


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_both_generations_of_clients_use_every_tool_and_resource(served: Served, mode: str) -> None:
    async def asking(client: Client) -> tuple[list[str], dict[str, Any], str]:
        return (
            [tool.name for tool in (await client.list_tools()).tools],
            await called(client, "check_write", None, **DELETE),
            (await client.read_resource("compass://checks")).contents[0].text,
        )

    tools, found, listed = served.ask(asking, mode=mode)
    assert tools == ["check_write", "explain", "pending_questions", "feedback"]
    assert found["verdict"] == "failed" and "on your own account" in found["account"]
    assert json.loads(listed) == []


def test_only_the_bearer_of_the_token_under_the_servers_own_name_is_heard(served: Served) -> None:
    assert hello(served) == 200
    here = f"127.0.0.1:{served.port}"
    refused = {
        401: [
            {"Authorization": "Bearer " + "x" * 43},
            {"Authorization": served.token},
            {"Authorization": ""},
        ],
        421: [{"Host": f"rebound.example:{served.port}"}, {"Host": "127.0.0.1"}, {"Host": f"{here}.example"}],
        403: [{"Origin": f"http://{here}"}, {"Origin": "null"}, {"Origin": "https://example.org"}],
    }
    for status, all_headers in refused.items():
        for headers in all_headers:
            assert hello(served, **headers) == status, headers
    bare = ask(served.port, "POST", "/mcp", HELLO, **ACCEPTS)
    assert bare.status == 401 and bare.headers["www-authenticate"].startswith("Bearer")
    assert "COMPASS_MCP_TOKEN" in bare.json["error"] and "mcp-token" in bare.json["error"]
    for method, path in (("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", "/"), ("GET", "/docs")):
        assert ask(served.port, method, path).status == 401
    assert ask(served.port, "GET", "/healthz").json == {"status": "ok"}
    assert ask(served.port, "GET", "/healthz", Host="rebound.example").status == 421


def test_the_sdks_own_client_is_refused_without_the_token(served: Served) -> None:
    served.token = "x" * 43

    async def asking(client: Client) -> None:
        await client.list_tools()

    for mode in ("legacy", "2026-07-28"):
        with pytest.raises((MCPError, ExceptionGroup)) as refused:
            served.ask(asking, mode=mode)
        assert "401" in repr(refused.value) or refused.group_contains(MCPError)


def test_its_token_and_that_of_the_http_api_are_not_each_others(stage: Stage) -> None:
    path = stage.root / "state/compass/http-token"
    path.parent.mkdir(parents=True)
    path.write_text("of-the-api-" + "y" * 30)
    path.chmod(0o600)
    with stage.served(COMPASS_HTTP_TOKEN="of-the-api-too-" + "z" * 30) as served:
        kept = stage.root / "state/compass/mcp-token"
        assert served.token == kept.read_text().strip() and kept.stat().st_mode & 0o077 == 0
        for token in (path.read_text(), "of-the-api-too-" + "z" * 30):
            assert hello(served, Authorization=f"Bearer {token}") == 401
    with stage.served(COMPASS_MCP_TOKEN=OWN_TOKEN) as served:
        assert hello(served) == 200
        assert hello(served, Authorization=f"Bearer {kept.read_text().strip()}") == 401


def test_a_body_has_bounds_of_size_however_it_is_framed(served: Served) -> None:
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
    ).encode()
    declared = raw(served.port, head + b"Content-Length: %d\r\n\r\n" % (CHECK_BYTES_MAX + 1))
    assert b" 413 " in declared.splitlines()[0]
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    chunked = raw(served.port, head + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 5)
    assert b" 413 " in chunked.splitlines()[0] or not chunked
    assert hello(served) == 200


def test_a_body_that_never_ends_is_cut_and_gives_back_what_it_held() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nothing came whole")

    async def main(framing: bytes, bodies: Bodies) -> bytes:
        line = tcp.listen("127.0.0.1", 0)
        port = line.getsockname()[1]
        rules = access.rules(OWN_TOKEN, "127.0.0.1", port, kept=tokens.MCP)
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {OWN_TOKEN}\r\n".encode()
        )
        guard = access.AccessGuard(WholeBodies(app, bodies), rules, lambda: False)
        async with tcp.serving(guard, line):
            return await asyncio.to_thread(raw, port, head + framing + b"\r\n\r\n", b"5\r\nhello\r\n")

    for framing in (b"Content-Length: 100", b"Transfer-Encoding: chunked"):
        bodies = Bodies(seconds=0.3)
        assert b" 408 " in asyncio.run(main(framing, bodies)).splitlines()[0]
        assert bodies.held == 0


def test_more_requests_at_once_than_there_is_room_for_are_refused_until_there_is(served: Served) -> None:
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n"
        "Content-Length: 10\r\n\r\n"
    ).encode()
    with contextlib.ExitStack() as stack:
        for _ in range(OPEN_MAX):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=60))
            line.sendall(head)
        assert until(lambda: hello(served), 503)
        assert ask(served.port, "GET", "/healthz").status == 200
    assert until(lambda: hello(served), 200)


def until(status: Any, wanted: object) -> bool:
    end = time.monotonic() + 60
    while status() != wanted:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.full
def test_a_signal_ends_it_though_clients_keep_streams_and_questions_open(stage: Stage) -> None:
    errors = stage.root / "stderr"
    with errors.open("w") as file, stage.served(stderr=file) as served:
        told = threading.Event()

        async def person(_context: Any, _given: Any) -> ElicitResult:
            told.set()
            await anyio.sleep(600)
            raise AssertionError("the server had gone")

        async def asking(client: Client) -> None:
            await called(client, "check_write", None, **DELETE, ask=True)

        def wait_for_an_answer() -> None:
            with contextlib.suppress(Exception):
                served.ask(asking, mode="legacy", elicitation_callback=person)

        threading.Thread(target=wait_for_an_answer, daemon=True).start()
        assert told.wait(60)
        served.process.send_signal(signal.SIGTERM)
        # The SDK itself waits some seconds for a client that it tells of the end.
        assert served.process.wait(60) == 0
        assert served.process.stdout is not None and served.process.stdout.read() == ""
    assert "Traceback" not in errors.read_text(), errors.read_text()[-1500:]


def test_ctrl_c_ends_it(stage: Stage) -> None:
    with stage.served() as served:
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(60) == 0


@pytest.mark.full
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_call_on_its_way_is_answered_before_the_end(stage: Stage, api: LoopbackApi, mode: str) -> None:
    api.default = reply(answer(0.95, action="create", target="a.txt"), delay=1.5)
    stage.env |= {"ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789", "ANTHROPIC_BASE_URL": api.url}
    stage.settings({"evaluator": {"backend": "anthropic"}})
    write = {"user": "Create a.txt that says hi", "path": "a.txt", "content": "hi\n"}
    with stage.served() as served, ThreadPoolExecutor() as pool:

        async def asking(client: Client) -> dict[str, Any]:
            return await called(client, "check_write", None, **write)

        waiting = pool.submit(served.ask, asking, mode=mode)
        assert until(lambda: len(api.requests) > 0, True)
        served.process.terminate()
        with contextlib.suppress(ExceptionGroup, MCPError):
            assert waiting.result(60)["verdict"] == "passed"
        assert served.process.wait(30) == 0


def run(stage: Stage, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        forked.command(MAIN, stage.env, "mcp", *words),
        capture_output=True, text=True, env=stage.env, cwd=stage.project, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.mark.full
def test_a_port_in_use_is_told(stage: Stage) -> None:
    with stage.served() as served:
        done = run(stage, "--http", "--port", str(served.port))
        assert hello(served) == 200
    assert done.returncode == 1 and done.stdout == ""
    assert f"127.0.0.1:{served.port}" in done.stderr and "--port takes another" in done.stderr


@pytest.mark.spread(1)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--port", "1"), "--host and --port go with --http"), (("--host", "::1"), "--host and --port go with --http"),
        (("--http", "--port", "70000"), "no port"), (("--http", "--host", "no such name"), "no such name"),
        (("--http", "--project", "none"), "no such folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_told_in_a_line(stage: Stage, words: tuple[str, ...], said: str) -> None:
    done = run(stage, *words)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_a_weak_token_serves_nobody(stage: Stage) -> None:
    stage.env["COMPASS_MCP_TOKEN"] = "short"
    done = run(stage, "--http", "--port", "0")
    assert done.returncode == 1 and "COMPASS_MCP_TOKEN" in done.stderr and "short" not in done.stderr


@pytest.mark.full
def test_beyond_this_machine_it_warns_and_takes_addresses_but_no_names(stage: Stage) -> None:
    with subprocess.Popen(
        forked.command(MAIN, stage.env, "mcp", "--http", "--host", "0.0.0.0", "--port", "0"),
        env={**stage.env, "COMPASS_MCP_TOKEN": OWN_TOKEN}, cwd=stage.project, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        said = process.stdout.readline()
        assert said.startswith("compass mcp: http://0.0.0.0:") and said.endswith(
            "token in COMPASS_MCP_TOKEN\n"
        )
        assert OWN_TOKEN not in said
        assert "not encrypted" in process.stderr.readline()
        served = Served(process, said.split()[2].rstrip(","), OWN_TOKEN)
        assert hello(served, Host=f"192.0.2.7:{served.port}") == 200
        assert hello(served, Host=f"example.org:{served.port}") == 421
        process.terminate()
        assert process.wait(30) == 0
