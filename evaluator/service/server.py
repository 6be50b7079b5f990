"""Answers hooks on a Unix socket. Knows frames, bounds and peers; who judges is passed in.

Silent skips are answered on the loop; everything else runs in worker threads, because a check is synchronous.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from evaluator import wire

WORKERS = 64
QUEUE_MAX = 4096
CONNECTIONS_MAX = 8192
IDLE_SECONDS = 1800.0
FRAME_SECONDS = 10.0
"""A client that began a frame has this long to end it."""
ACCEPTED_AFTER_SECONDS = 0.1
"""Most answers come before it, and spare their client a frame; a client waits much longer for its first."""
LARGE_BYTES = 256 * 1024
"""A longer payload may keep the loop from its timers while it is parsed."""
PAGE_SECONDS = 25.0
"""For a link of the page, whose parts are imported at the first one."""


@dataclass(frozen=True, slots=True)
class Request:
    """One hook call as its client had it. `arrived` is monotonic, in seconds."""

    event: str
    cwd: bytes
    variables: bytes
    payload: bytes
    arrived: float
    accept: Callable[[float], None]
    """Tells the waiting client how many seconds the answer may take from now on. May be called from any thread."""

    gone: Future[None]
    """Done once nobody waits for the answer any more."""


@dataclass(frozen=True, slots=True)
class HookReply:
    """What the hook prints on stdout, and says on stderr. `refused`: why the client has to judge by itself."""

    text: bytes = b""
    complaint: str = ""
    refused: bytes = b""


@dataclass(slots=True)
class Counts:
    """`silent` of the `requests` needed no judge; `refused` and `garbled` were not taken; `broken` got no answer."""

    requests: int = 0
    silent: int = 0
    refused: int = 0
    garbled: int = 0
    broken: int = 0


JudgeCall = Callable[[Request], HookReply]
"""Runs in a worker thread; must not raise."""
Opens = Callable[[bytes], Awaitable[bytes]]
"""Body of a PAGE frame -> what its sender is told; see `compass.page`."""
Silent = Callable[[str, bytes, bytes], bool]
"""(event, payload, variables) -> whether there is nothing to judge or record. Quick: it runs on the loop."""


@dataclass(frozen=True, slots=True)
class Limits:
    workers: int = WORKERS
    queue: int = QUEUE_MAX
    connections: int = CONNECTIONS_MAX
    idle_seconds: float = IDLE_SECONDS
    frame_seconds: float = FRAME_SECONDS


@dataclass(slots=True)
class Service:
    """One service. `install` is (version, root) of this installation; `status` adds to what STATUS tells."""

    install: tuple[str, str]
    judge: JudgeCall
    silent: Silent
    limits: Limits = field(default_factory=Limits)
    status: Callable[[], Mapping[str, object]] = dict
    page: Opens | None = None
    counts: Counts = field(default_factory=Counts)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    open: set[HookConnection] = field(default_factory=set["HookConnection"])
    waiting: int = 0
    last_used: float = field(default_factory=time.monotonic)
    _pool: ThreadPoolExecutor | None = None

    def pool(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.limits.workers, "check")
        return self._pool

    def connection(self) -> HookConnection:
        return HookConnection(self, asyncio.get_running_loop())

    def told(self) -> bytes:
        version, root = self.install
        known = {"version": version, "root": root, "waiting": self.waiting, "connections": len(self.open)}
        return json.dumps({**known, **asdict(self.counts), **self.status()}).encode()

    async def until_closing(self) -> None:
        """Returns once the service is asked to stop, or idle for long enough."""
        while not self.closing.is_set():
            left = self.last_used + self.limits.idle_seconds - time.monotonic()
            if left <= 0 and not self.waiting:
                self.closing.set()
                break
            try:
                async with asyncio.timeout(max(left, 1.0)):
                    await self.closing.wait()
            except TimeoutError:
                continue

    async def drain(self, seconds: float) -> None:
        """Lets the calls that were taken end, at most that long; then closes every connection."""
        end = time.monotonic() + seconds
        while self.waiting and time.monotonic() < end:  # noqa: ASYNC110 - at the end of the process alone
            await asyncio.sleep(0.02)
        for connection in tuple(self.open):
            connection.close()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


class HookConnection(asyncio.Protocol):
    """Frames of one client, one at a time; what it sends meanwhile waits."""

    def __init__(self, service: Service, loop: asyncio.AbstractEventLoop) -> None:
        self._service = service
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._busy = False
        self._gone: Future[None] = Future()
        self._cut: asyncio.TimerHandle | None = None
        self._promise: asyncio.TimerHandle | None = None
        self._seconds = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._service.open.add(self)
        stranger = wire.peer_uid(transport.get_extra_info("socket")) != os.getuid()
        if stranger or len(self._service.open) > self._service.limits.connections:
            self._service.counts.refused += 1
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._gone.set_result(None)
        self._service.open.discard(self)
        self._stop_service_timer()
        self._cancel_service_promise()

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._busy:
            self._serve_next_frame()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _serve_next_frame(self) -> None:
        """Act on the frame that is whole, if one is; and again for those behind it."""
        while not self._busy and self._transport is not None:
            received, head = self._received, wire.HEADER_BYTES
            if len(received) < head:
                self._start_service_timer()
                return
            try:
                kind, length = wire.header(bytes(received[:head]))
            except ValueError:
                self._drop_garbled_request()
                return
            if len(received) < head + length:
                self._start_service_timer()
                return
            self._stop_service_timer()
            body = bytes(received[head : head + length])
            del received[: head + length]
            service = self._service
            service.last_used = time.monotonic()
            if kind == wire.REQUEST:
                self._serve_request(body)
            elif kind in (wire.STATUS, wire.STOP):
                self._send_service_frame(wire.ANSWER, service.told())
                if kind == wire.STOP:
                    service.closing.set()
            elif kind == wire.PAGE and service.page is not None and not service.closing.is_set():
                self._busy = True
                self._send_service_frame(wire.ACCEPTED, b"%d" % (PAGE_SECONDS * 1000))
                opening = asyncio.ensure_future(service.page(body))
                opening.add_done_callback(self._serve_page_result)
            else:
                self._drop_garbled_request()

    def _serve_page_result(self, opening: asyncio.Future[bytes]) -> None:
        self._busy = False
        if opening.cancelled() or opening.exception() is not None:
            self._service.counts.broken += 1
            self.close()
            return
        self._send_service_frame(wire.ANSWER, opening.result())
        self._serve_next_frame()

    def _drop_garbled_request(self) -> None:
        self._service.counts.garbled += 1
        self.close()

    def _serve_request(self, body: bytes) -> None:
        service = self._service
        try:
            install, event, cwd, variables, payload = wire.unpack(body, 5)
        except ValueError:
            self._drop_garbled_request()
            return
        why = self._service_refusal_reason(install)
        if why:
            service.counts.refused += 1
            self._send_service_frame(wire.REFUSED, why)
            return
        name = event.decode("utf-8", "replace")
        service.counts.requests += 1
        if service.silent(name, payload, variables):
            service.counts.silent += 1
            self._send_service_frame(wire.ANSWER, _NOTHING)
            return
        self._busy, self._seconds = True, wire.LONGEST_SECONDS
        service.waiting += 1
        if len(payload) > LARGE_BYTES or service.waiting > service.limits.workers:
            self._send_service_acceptance()
        else:
            self._promise = self._loop.call_later(ACCEPTED_AFTER_SECONDS, self._send_service_acceptance)
        request = Request(
            name, cwd, variables, payload, service.last_used, self._accept_service_call, self._gone
        )
        service.pool().submit(self._run_service_judge, request)

    def _run_service_judge(self, request: Request) -> None:
        """Judges a call in a worker thread. A loop that ended meanwhile has closed the connection."""
        reply: HookReply | None = None
        try:
            reply = self._service.judge(request)
        finally:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._serve_judge_reply, reply)

    def _service_refusal_reason(self, install: bytes) -> bytes:
        service = self._service
        theirs, _, root = install.decode("utf-8", "surrogateescape").partition("\0")
        ours, home = service.install
        if service.closing.is_set():
            return wire.CLOSING
        if theirs != ours:
            # Under one root the client is what is installed there now, be it a step back.
            if root != home and ordinal(theirs) <= ordinal(ours):
                return wire.NEWER
            service.closing.set()
            return wire.OLDER
        if root != home:
            return wire.OTHER
        return wire.BUSY if service.waiting >= service.limits.queue else b""

    def _serve_judge_reply(self, reply: HookReply | None) -> None:
        """The judge's reply to a call; None where the judge broke."""
        service = self._service
        service.waiting -= 1
        service.last_used = time.monotonic()
        self._busy = False
        self._cancel_service_promise()
        if reply is None:
            # The client sees the end of the connection, and judges by itself.
            service.counts.broken += 1
            self.close()
            return
        if reply.refused:
            service.counts.refused += 1
            self._send_service_frame(wire.REFUSED, reply.refused)
        else:
            self._send_service_frame(
                wire.ANSWER, wire.pack(reply.text, reply.complaint.encode("utf-8", "replace"))
            )
        self._serve_next_frame()

    def _accept_service_call(self, seconds: float) -> None:
        """Where the client was not told yet, it is in time: a word to it costs more than most calls."""
        self._seconds = seconds
        if self._promise is None:
            self._loop.call_soon_threadsafe(self._send_service_acceptance)

    def _send_service_acceptance(self) -> None:
        """Says how long the answer may take from now on, unless it was given meanwhile."""
        self._cancel_service_promise()
        if self._busy:
            self._send_service_frame(wire.ACCEPTED, b"%d" % (self._seconds * 1000))

    def _cancel_service_promise(self) -> None:
        if self._promise is not None:
            self._promise.cancel()
            self._promise = None

    def _send_service_frame(self, kind: int, body: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(wire.frame(kind, body))

    def _start_service_timer(self) -> None:
        if self._received and self._cut is None:
            self._cut = self._loop.call_later(self._service.limits.frame_seconds, self.close)

    def _stop_service_timer(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None


def environment(variables: bytes) -> dict[str, str]:
    """The environment of a client, from NAME=value with a NUL between."""
    pairs = (os.fsdecode(pair).partition("=") for pair in variables.split(b"\0") if pair)
    return {name: value for name, _, value in pairs}


def ordinal(version: str) -> tuple[int, ...]:
    """The numbers of a version, for telling which of two is newer: 1.2.dev3, then 1.2.dev4, then 1.2."""
    release, _, development = version.partition("+")[0].partition(".dev")
    before = (-1, _parse_version_part(development)) if development else (0,)
    return *(_parse_version_part(part) for part in release.split(".")), *before


def _parse_version_part(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() else 0


_NOTHING = wire.pack(b"", b"")
