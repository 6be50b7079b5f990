"""A Messages API on the loopback interface for tests: threaded, with a programmable queue of behaviours.

    with LoopbackApi() as api:
        api.queue(status(429, retry_after=1), reply(answer(score=0.9)))
        ...  # point the client at api.url
        assert api.requests[0].body["model"] == "..."

Each request takes the next behaviour of the queue, and `api.default` once it is empty. It answers plain
and streaming requests, and answers through the `StructuredOutput` tool where a request offers that.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

GIVE_UP_SECONDS = 60.0
"""No request is held longer than this, whatever a test forgot."""

USAGE = {"input_tokens": 100, "output_tokens": 20}


@dataclass(frozen=True)
class Behaviour:
    """What one request meets.

    `delay` is in seconds; `until` holds it until the test says so, `together` until that many requests wait.
    """

    text: str = ""
    status: int = 200
    body: bytes | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stop_reason: str = "end_turn"
    usage: Mapping[str, object] = field(default_factory=lambda: USAGE)
    content: Sequence[Mapping[str, object]] | None = None
    delay: float = 0.0
    until: threading.Event | None = None
    together: int = 0
    end: Literal["answer", "hang", "reset", "drip"] = "answer"


def answer(
    score: object = 0.9,
    *,
    action: str = "change",
    target: str = "session.py",
    extent: str = "one_file",
    rival: str | None = None,
    fits: bool = True,
    rationale: str = "named in the request",
    primary_concern: str = "none",
) -> str:
    """A reader's answer as a model would write it."""
    return json.dumps({
        "reading": {"action": action, "target": target, "extent": extent}, "rival": rival, "fits": fits,
        "rationale": rationale, "primary_concern": primary_concern, "score": score,
    })  # fmt: skip


def reply(text: str | None = None, **changes: Any) -> Behaviour:
    """A successful message with that text, by default an answer with score 0.9."""
    return replace(Behaviour(text=answer() if text is None else text), **changes)


def status(code: int, message: str = "scripted", *, retry_after: float | None = None) -> Behaviour:
    """An error in the API's own form."""
    body = json.dumps({"type": "error", "error": {"type": f"error_{code}", "message": message}}).encode()
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    return Behaviour(status=code, body=body, headers=headers)


def garbage(body: bytes = b"<html>not a message</html>", content_type: str = "text/html") -> Behaviour:
    """A 200 whose body is no message."""
    return Behaviour(body=body, content_type=content_type)


def hang() -> Behaviour:
    """Takes the request and never answers, until the server stops."""
    return Behaviour(end="hang")


def reset() -> Behaviour:
    """Takes the request and resets the connection."""
    return Behaviour(end="reset")


def drip(body: bytes = b'{"samples": [') -> Behaviour:
    """A 200 whose body begins and never ends, until the server stops."""
    return Behaviour(body=body, end="drip")


def barrier(count: int, then: Behaviour | None = None) -> Behaviour:
    """Answers only once `count` requests with a barrier wait together."""
    return replace(then or reply(), together=count)


@dataclass(frozen=True)
class Received:
    """One request. Header names are lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any
    at: float
    client: tuple[str, int] = ("", 0)
    method: str = "POST"
    raw: bytes = b""


class LoopbackApi:
    """Starts at `with`, stops at its end and lets go of all that hangs."""

    def __init__(self, *behaviours: Behaviour, default: Behaviour | None = None) -> None:
        self.default = default or reply()
        self.requests: list[Received] = []
        self.gets: list[tuple[str, Mapping[str, str]]] = []
        self.seen = threading.Condition()
        """Of `gets`: path and headers of each GET, which no test has to expect."""
        self.in_flight_max = 0
        self._queue = deque(behaviours)
        self._change = threading.Condition()
        self._in_flight = 0
        self._waiting = 0
        self._stopped = False
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._change:
            self._stopped = True
            self._change.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def queue(self, *behaviours: Behaviour) -> None:
        with self._change:
            self._queue.extend(behaviours)

    def wait_for_requests(self, count: int, seconds: float = 30.0) -> bool:
        """Whether `count` requests came within `seconds`."""
        with self._change:
            return self._change.wait_for(lambda: len(self.requests) >= count, seconds)

    def take(self, received: Received) -> Behaviour:
        with self._change:
            self.requests.append(received)
            self._in_flight += 1
            self.in_flight_max = max(self.in_flight_max, self._in_flight)
            self._change.notify_all()
            return self._queue.popleft() if self._queue else self.default

    def get(self, path: str) -> Behaviour:
        """What a GET meets; it is no request of a reader's."""
        return Behaviour(body=b"{}")

    def broke(self, error: BaseException | None) -> None:
        """A request could not be answered, though its client was still there."""

    def leave(self) -> None:
        with self._change:
            self._in_flight -= 1

    def hold(self, seconds: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._stopped, seconds)

    def meet(self, count: int) -> bool:
        """Whether `count` requests came to wait together."""
        with self._change:
            self._waiting += 1
            self._change.notify_all()
            self._change.wait_for(lambda: self._stopped or self._waiting >= count, GIVE_UP_SECONDS)
            return self._waiting >= count


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    api: LoopbackApi

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):  # a client that hangs up is no news
            self.api.broke(error)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args: Any) -> None:
        """The list of requests is enough."""

    def do_GET(self) -> None:
        api = self.server.api
        with api.seen:
            api.gets.append((self.path, self._lower()))
            api.seen.notify_all()
        found = api.get(self.path)
        self._send(found.status, found.body or b"{}", found.content_type, found.headers)

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(raw) if raw else None
        behaviour = self.server.api.take(
            Received(self.path, self._lower(), body, time.monotonic(), self.client_address, self.command, raw)
        )
        try:
            self._meet(behaviour, body)
        finally:
            self.server.api.leave()

    do_PUT = do_POST  # noqa: N815

    def _lower(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _meet(self, behaviour: Behaviour, body: Any) -> None:
        api = self.server.api
        if behaviour.delay:
            api.hold(behaviour.delay)
        if behaviour.until is not None:
            behaviour.until.wait(GIVE_UP_SECONDS)
        if behaviour.together and not api.meet(behaviour.together):
            behaviour = status(500, "the barrier was not reached")
        if behaviour.end == "hang":
            api.hold(GIVE_UP_SECONDS)
            self.close_connection = True
        elif behaviour.end == "reset":
            # Closed with a zero linger, a connection ends in a reset instead of an orderly end.
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())
        elif behaviour.end == "drip":
            self.close_connection = True
            self._send(200, behaviour.body or b"", missing=1_000_000)
            api.hold(GIVE_UP_SECONDS)
        elif behaviour.body is not None:
            self._send(behaviour.status, behaviour.body, behaviour.content_type, behaviour.headers)
        else:
            self._answer(behaviour, body)

    def _answer(self, behaviour: Behaviour, body: Any) -> None:
        api = self.server.api
        content = [dict(block) for block in behaviour.content or _content(behaviour.text, body)]
        used_tool = any(block.get("type") == "tool_use" for block in content)
        stop = "tool_use" if used_tool else behaviour.stop_reason
        message = {
            "id": f"msg_loopback_{len(api.requests)}", "type": "message", "role": "assistant",
            "model": body.get("model"), "content": content, "stop_reason": stop, "stop_sequence": None,
            "usage": dict(behaviour.usage),
        }  # fmt: skip
        if body.get("stream"):
            self._send(200, _events(message), "text/event-stream", behaviour.headers)
        else:
            self._send(behaviour.status, json.dumps(message).encode(), headers=behaviour.headers)

    def _send(
        self,
        code: int,
        body: bytes,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        missing: int = 0,
    ) -> None:
        self.send_response(code)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body) + missing))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _content(text: str, body: Any) -> list[dict[str, object]]:
    """In the words of the first look, and through the tool, where those are asked for."""
    tools = body.get("tools") or []
    shapes = [tool.get("input_schema") for tool in tools]
    shapes.append((body.get("output_config") or {}).get("format", {}).get("schema"))
    keys = {"score", "primary_concern"}
    first = any(shape and set(shape.get("properties", {})) == keys for shape in shapes)
    given = None
    with suppress(ValueError):
        given = json.loads(text)
    if isinstance(given, dict) and first and keys <= set(given):
        given = {name: given[name] for name in sorted(keys, reverse=True)}
        text = json.dumps(given)
    if isinstance(given, dict) and "StructuredOutput" in [tool.get("name") for tool in tools]:
        return [{"type": "tool_use", "id": "toolu_loopback", "name": "StructuredOutput", "input": given}]
    return [{"type": "text", "text": text}]


def _events(message: dict[str, Any]) -> bytes:
    """The message as server-sent events: one start, delta and stop for each block."""
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    begun = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "tool_use":
            start, delta = {**block, "input": {}}, {"type": "input_json_delta"}
            delta["partial_json"] = json.dumps(block["input"])
        else:
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    events.append({"type": "message_delta", "delta": stop, "usage": message["usage"]})
    events.append({"type": "message_stop"})
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
