"""The bounds of the HTTP API over real connections: time, size, number, and what becomes of a judge that hangs."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import pytest
from corpora import corpus
from running.httpserving import ask, raw
from running.processes import until

from evaluator.errors import AbandonedError
from evaluator.service import api as http_api
from evaluator.service import http_access, tcp
from evaluator.service.api import make_app
from evaluator.service.http_calls import Bodies, JudgeCalls
from evaluator.service.server import HookReply, JudgeCall, Limits, Service

TOKEN = "a-token-of-the-tests-0123456789"
HOOK = "/v1/hooks/pre-tool-use"


@dataclass
class HttpThread:
    """The app and the server on a loop in a thread."""

    judge: JudgeCall
    limits: Limits = field(default_factory=Limits)
    bodies: Bodies = field(default_factory=Bodies)
    open_max: int = 1000
    late: HookReply = field(default_factory=HookReply)
    check: Callable[..., Mapping[str, object]] = lambda *_: {}
    said: list[str] = field(default_factory=list[str])

    def __enter__(self):
        self._line = tcp.listen("127.0.0.1", 0)
        self.port = int(self._line.getsockname()[1])
        begun = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(begun)))
        self._thread.start()
        assert begun.wait(60)
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self.service.closing.set)
        self._thread.join(30)
        assert not self._thread.is_alive()

    def later(self, seconds):
        """Moves the clock of the server's loop ahead, and returns once what was due by then has run."""
        ran = threading.Event()
        moved, self._loop.time = self._loop.time, lambda: moved() + seconds
        # The first turn with that clock gathers what is due, and the second one has run it.
        self._loop.call_soon_threadsafe(self._loop.call_soon, self._loop.call_soon, ran.set)
        assert ran.wait(60)

    def ask(self, method, path, body=None, **headers):
        return ask(self.port, method, path, body, **{"Authorization": f"Bearer {TOKEN}", **headers})

    def head(self, method="POST", path="/v1/hooks/pre-tool-use", *more):
        lines = f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Authorization: Bearer {TOKEN}"
        return "\r\n".join((*lines, *more, "", "")).encode()

    async def _run(self, begun):
        self._loop = asyncio.get_running_loop()
        self.service = Service(("0", "/"), self.judge, lambda _, given, __: given == b"silent", self.limits)
        calls = JudgeCalls({"pre-tool-use"}, b"", lambda *_: self.late, self.check, self.said.append)
        rules = replace(http_access.rules(TOKEN, "127.0.0.1", self.port), open_max=self.open_max)
        async with tcp.serving(make_app(self.service, calls, rules, "0", self.bodies), self._line):
            begun.set()
            await self.service.closing.wait()
            await self.service.drain(5)


def healthy(line):
    """Reads one answer of /healthz off a connection that stays."""
    found = b""
    while not found.endswith(b'{"status":"ok"}'):
        part = line.recv(4096)
        assert part
        found += part
    return found.startswith(b"HTTP/1.1 200")


def echo(request):
    return HookReply(b'{"said": "%d"}' % len(request.payload))


class Held:
    """A judge that answers once it is let."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds
        self.let = threading.Event()
        self.asked = threading.Semaphore(0)
        self.gone = None

    def __call__(self, request):
        if self.seconds:
            request.accept(self.seconds)
        self.asked.release()
        self.let.wait(60)
        self.gone = request.gone.done()
        return HookReply(b'{"late": "yes"}')


def test_headers_that_never_end_are_cut(monkeypatch):
    with HttpThread(echo) as api:
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", api.port)) as line:
            line.settimeout(60)
            line.sendall(api.head("GET", "/healthz"))
            assert healthy(line)
            monkeypatch.setattr(tcp, "HEAD_SECONDS", 0.3)
            with pytest.raises((ConnectionResetError, BrokenPipeError)):
                for _ in range(1000):  # a byte now and then does not help
                    line.sendall(b"G")
                    time.sleep(0.05)
        assert raw(api.port) == b""
        assert raw(api.port, b"POST / HTTP/1.1\r\nX-A: ") == b""
        assert time.monotonic() - began < 60
        monkeypatch.undo()
        assert api.ask("GET", "/healthz").status == 200


def test_a_connection_between_two_requests_is_not_cut_by_it():
    with HttpThread(echo) as api, socket.create_connection(("127.0.0.1", api.port)) as line:
        line.settimeout(60)
        for _ in range(2):
            line.sendall(api.head("GET", "/healthz"))
            assert healthy(line)
            api.later(tcp.HEAD_SECONDS + 1)


def test_a_check_may_take_longer_than_headers_may():
    held = Held()
    with HttpThread(held) as api, ThreadPoolExecutor() as pool:
        waiting = pool.submit(api.ask, "POST", HOOK, b"x")
        held.asked.acquire(timeout=60)
        api.later(tcp.HEAD_SECONDS + 1)
        held.let.set()
        assert waiting.result().json == {"late": "yes"}


def test_a_body_that_never_ends_is_cut():
    with HttpThread(echo, bodies=Bodies(seconds=0.3)) as api:
        for framing in ("Content-Length: 100", "Transfer-Encoding: chunked"):
            found = raw(api.port, api.head("POST", HOOK, framing), b"5\r\nhello\r\n")
            assert b" 408 " in found.splitlines()[0]
        assert api.bodies.held == 0


def test_bodies_that_hold_too_much_memory_together_are_refused_until_they_end():
    with HttpThread(echo, bodies=Bodies(held_bytes_max=1000)) as api:
        with socket.create_connection(("127.0.0.1", api.port)) as line:
            line.sendall(api.head("POST", HOOK, "Content-Length: 901", "Connection: close") + b"x" * 900)
            until(lambda: api.bodies.held >= 900)
            assert api.ask("POST", HOOK, b"y" * 200).status == 503
            line.sendall(b"x")
            with line.makefile("rb") as answer:
                assert answer.read().endswith(b'{"said": "901"}')
        assert api.ask("POST", HOOK, b"y" * 200).json == {"said": "200"}
        assert api.bodies.held == 0


@corpus(
    "head",
    [
        b"POST /v1/hooks/pre-tool-use HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /v1/hooks/pre-tool-use HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 70_000 + b"\r\n\r\n",
    ],
    ids=["two hosts", "no host", "TLS", "huge header"],
)
def test_what_is_no_proper_request_is_refused(head, caplog):
    with HttpThread(echo) as api:
        found = raw(api.port, head)
        assert found.split(b" ")[1] in (b"400", b"421")
        # Read in two ways.
        for more in ("Transfer-Encoding: chunked", "Authorization: Bearer another"):
            twofold = api.head("POST", HOOK, "Content-Length: 2", more)
            assert raw(api.port, twofold + b"{}").startswith(b"HTTP/1.1 400")
        assert api.ask("POST", HOOK, b"x").status == 200


def test_too_many_waiting_calls_are_refused_clearly_and_reads_still_pass():
    held = Held()
    with HttpThread(held, limits=Limits(workers=1, queue=2)) as api, ThreadPoolExecutor() as pool:
        waiting = [pool.submit(api.ask, "POST", HOOK, b"x") for _ in range(2)]
        until(lambda: api.service.waiting == 2)
        refused = api.ask("POST", HOOK, b"x")
        assert (refused.status, refused.headers["retry-after"]) == (503, "1")
        assert "try again" in refused.json["error"]
        assert api.ask("POST", "/v1/checks", b"{}").status == 503
        assert api.ask("GET", "/healthz").status == 200
        held.let.set()
        assert [found.result().status for found in waiting] == [200, 200]


def test_too_many_requests_at_once_are_refused_clearly():
    held = Held()
    with HttpThread(held, open_max=3) as api, ThreadPoolExecutor() as pool:
        waiting = [pool.submit(api.ask, "POST", HOOK, b"x") for _ in range(3)]
        for _ in waiting:
            held.asked.acquire(timeout=60)
        assert api.ask("POST", HOOK, b"silent").status == 503
        assert ask(api.port, "GET", "/healthz").status == 200
        held.let.set()
        assert [found.result().status for found in waiting] == [200] * 3
        assert api.ask("POST", HOOK, b"silent").json == {}


def test_a_judge_that_hangs_is_answered_for_by_policy_at_the_deadline():
    held = Held(seconds=0.3)
    with HttpThread(held, late=HookReply(b'{"by": "policy"}', "it hung")) as api:
        assert api.ask("POST", HOOK, b"x").json == {"by": "policy"}
        assert api.said == ["it hung"]
        assert api.service.waiting == 1
        held.let.set()
        until(lambda: not api.service.waiting)
        assert held.gone is True


def test_what_the_service_cannot_judge_is_no_answer():
    with HttpThread(lambda _: HookReply(refused=b"other")) as api:
        found = api.ask("POST", HOOK, b"x")
        assert (found.status, set(found.json)) == (503, {"error"})


def test_a_call_that_was_taken_is_answered_while_the_service_ends():
    held = Held()
    with ThreadPoolExecutor() as pool:
        with HttpThread(held) as api:
            waiting = pool.submit(api.ask, "POST", HOOK, b"x")
            held.asked.acquire(timeout=60)
            pool.submit(lambda: (time.sleep(0.3), held.let.set()))
        assert waiting.result().json == {"late": "yes"}


def test_connections_have_a_bound(monkeypatch):
    monkeypatch.setattr(tcp, "CONNECTIONS_MAX", 30)
    with HttpThread(echo) as api, ExitStack() as stack:
        for _ in range(30):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", api.port)))
            line.sendall(api.head("GET", "/healthz"))
            assert healthy(line)
        with pytest.raises((ConnectionError, OSError)):
            api.ask("GET", "/healthz")
    with HttpThread(echo) as api:
        assert api.ask("GET", "/healthz").status == 200


@pytest.mark.parametrize(
    ("bound", "host", "known"),
    [
        ("0.0.0.0", b"192.0.2.7:8000", True),
        ("::", b"[2001:db8::7]:8000", True),
        ("0.0.0.0", b"192.0.2.7:8001", False),
        ("0.0.0.0", b"192.0.2.7", False),
        ("0.0.0.0", b"rebound.example:8000", False),
        ("127.0.0.1", b"192.0.2.7:8000", False),
        ("192.0.2.7", b"192.0.2.7:8000", True),
        ("0.0.0.0", b"LOCALHOST:8000", True),
        ("0.0.0.0", None, False),
    ],
)
def test_a_host_is_known_by_name_or_where_any_may_be_meant_by_its_address(bound, host, known):
    assert http_access.rules(TOKEN, bound, 8000).knows(host) is known


def test_past_its_time_a_check_is_abandoned(monkeypatch):
    monkeypatch.setattr(http_api, "CHECK_SECONDS", 0.3)
    ended = []

    def check(*given):
        try:
            given[-1].result(30)
        except LateError:
            return {}
        ended.append(time.monotonic())
        raise AbandonedError

    with HttpThread(lambda _: HookReply(), check=check) as api:
        began = time.monotonic()
        assert api.ask("POST", "/v1/checks", b"{}").status == 504
        until(lambda: api.service.waiting == 0, 1.0)
    assert len(ended) == 1 and ended[0] - began < 5
