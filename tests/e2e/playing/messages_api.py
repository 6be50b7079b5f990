"""A Messages API on the loopback interface that plays the agent's model and the readers at once.

The agent's calls stream a script's messages in order; the readers' calls are answered by a plan; all else
(titles, token counts) gets a harmless answer. Every request is kept with its route and its times.
What a hosted API would refuse, and what the script did not foresee, is kept in `faults`.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, cast

from e2e.playing import wire
from e2e.playing.replies import (
    Json,
    Message,
    ReaderAnswer,
    ReaderPlan,
    Refuse,
    Script,
    call,
    every,
    judge,
    say,
)
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]

Route = Literal["agent", "delegate", "reader", "auxiliary", "other"]
SECRETS = frozenset({"x-api-key", "authorization", "cookie"})
MODEL_LATENCY = 0.8
"""Seconds before a model's first byte; what a hook finds on disk depends on it ."""

QUICK = 0.3
"""The same where a test does not turn on it; below some 0.15 s the prompt itself may not be on disk yet."""


@dataclass
class Request:
    """One request. Times are of the monotonic clock, in seconds; `answered` is None until it was."""

    number: int
    route: Route
    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: Json
    arrived: float
    answered: float | None = None
    status: int | None = None


@dataclass
class MessagesApi:
    """The server; a context manager. `latency` in seconds holds for the agent's model only."""

    script: Script
    readers: ReaderPlan = field(default_factory=lambda: every(judge(0.95)))
    latency: float = MODEL_LATENCY

    def __post_init__(self) -> None:
        self.requests: list[Request] = []
        self.faults: list[str] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._said: dict[str, int] = {}
        self._asked = 0
        self._gate = threading.Barrier(self.readers.gather) if self.readers.gather else None
        self._server = _Server(self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def of(self, *routes: Route) -> list[Request]:
        """Requests by route, in order of arrival."""
        with self._lock:
            return [request for request in self.requests if request.route in routes]

    def log(self, path: str, headers: Mapping[str, str], raw: bytes) -> Request:
        """Take a request in and decide who it is for."""
        arrived = time.monotonic()
        try:
            body: object = json.loads(raw) if raw else None
        except ValueError:
            self.fault(f"{path}: the body is not JSON")
            body = None
        known = wire.table(body)
        kept = {key.lower(): value for key, value in headers.items()}
        request = Request(0, self._route(path, known), path, kept, raw, known, arrived)
        with self._lock:
            request.number = len(self.requests)
            self.requests.append(request)
        return request

    def _route(self, path: str, body: Json) -> Route:
        if path.split("?", maxsplit=1)[0] != "/v1/messages":
            return "other"
        if wire.reader_schema(body) is not None:
            return "reader"
        if not body.get("tools"):
            return "auxiliary"
        return "delegate" if self._mark(body) else "agent"

    def _mark(self, body: Json) -> str:
        first = "".join(wire.text_of(message["content"]) for message in wire.messages_of(body)[:1])
        return next((mark for mark in self.script.delegated if mark in first), "")

    def next_message(self, body: Json) -> Message:
        """The script's next message for the agent or the subagent; a short ending when it is used up."""
        mark = self._mark(body)
        messages = self.script.delegated[mark] if mark else self.script.main
        with self._lock:
            at = self._said.get(mark, 0)
            self._said[mark] = at + 1
        return messages[at] if at < len(messages) else say("Done.")

    def reader_answer(self, request: Request) -> ReaderAnswer:
        """The plan's answer, after its latency and once its cohort is complete."""
        refusal = "" if wire.is_by_client(request.body) else wire.complaint(request.headers, request.body)
        if refusal:
            self.fault(refusal)
            return Refuse(400, "invalid_request_error")
        with self._lock:
            number = self._asked
            self._asked += 1
        if self._gate is not None:
            try:
                self._gate.wait(self.readers.gather_seconds)
            except threading.BrokenBarrierError:
                return Refuse(500)
        self.closing.wait(self.readers.latency)
        answer = self.readers.answer(number, request.body)
        if isinstance(answer, Mapping):
            schema = wire.reader_schema(request.body) or {}
            asked = cast(Any, Draft202012Validator(schema, format_checker=FormatChecker()))
            for one in asked.iter_errors(answer):
                self.fault(f"the plan's answer does not fit the schema: {one.json_path}: {one.message}")
        return answer

    def fault(self, text: str) -> None:
        with self._lock:
            self.faults.append(text)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, api: MessagesApi) -> None:
        self.api = api
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):  # a client that is gone is no news
            self.api.fault(f"the server failed: {error!r}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # events are small writes: delayed ACKs would hold back a stream's tail
    timeout = 60

    @property
    def api(self) -> MessagesApi:
        return cast(_Server, self.server).api

    def log_message(self, format: str, *args: object) -> None:
        """Requests are kept by the API itself."""

    def do_POST(self) -> None:
        self._take(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def do_GET(self) -> None:
        self.do_POST()

    def do_HEAD(self) -> None:
        self.do_POST()

    def _take(self, raw: bytes) -> None:
        headers = {key: "redacted" if key.lower() in SECRETS else text for key, text in self.headers.items()}
        request = self.api.log(self.path, headers, raw)
        with suppress(BrokenPipeError, ConnectionResetError):  # a client that gave up is no fault
            self._answer(request)
        request.answered = time.monotonic()

    def _answer(self, request: Request) -> None:
        match request.route:
            case "agent" | "delegate":
                self.api.closing.wait(self.api.latency)
                self._stream(request, self.api.next_message(request.body))
            case "reader":
                self._judge(request)
            case "auxiliary" if request.body.get("stream"):
                self._stream(request, say("OK"))
            case "auxiliary":
                self._json(request, 200, wire.envelope(request.number, "scripted", say("OK").blocks))
            case _ if "count_tokens" in request.path:
                self._json(request, 200, {"input_tokens": 400})
            case _:
                self._error(request, 404, "not_found_error")

    def _judge(self, request: Request) -> None:
        match self.api.reader_answer(request):
            case Refuse(status, kind):
                self._error(request, status, kind)
            case answer if wire.is_by_client(request.body):
                self._stream(request, Message((call(wire.ANSWER_TOOL, **answer),)))
            case answer:
                text = json.dumps(answer)
                self._json(request, 200, wire.structured(request.number, request.body, text))

    def _error(self, request: Request, status: int, kind: str) -> None:
        self._json(request, status, {"type": "error", "error": {"type": kind, "message": "scripted"}})

    def _json(self, request: Request, status: int, value: Json) -> None:
        request.status = status
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, request: Request, message: Message) -> None:
        request.status = 200
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in wire.stream(request.number, str(request.body["model"]), message):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
        self.wfile.write(b"0\r\n\r\n")
