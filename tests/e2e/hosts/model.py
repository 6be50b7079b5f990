"""APIs on the loopback interface that play an agent's model from a script, in the dialects of the other hosts' clients.

    with Model(["Looking.", ["Deleting it.", call("bash", command="rm a")], "Done."]) as model:
        ...  # point the client at model.url, or below it at /v1

A message of the script is its parts, or its one text. A request that offers tools takes the next message, and "Done."
when none is left; every other one (titles, summaries, counts) gets a harmless answer.
"""

import json
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]
Part = str | Json
Message = str | Sequence[Part]
LATENCY = 0.3
"""Seconds before an answer, as a model takes some: what stands on disk at a hook depends on it."""


def call(tool: str, /, **given: object) -> Json:
    return {"name": tool, "arguments": given}


def text_call(tool: str, text: str) -> Json:
    """A call with a bare text, which the dialect of responses has alone."""
    return {"name": tool, "input": text}


class Model(ThreadingHTTPServer):
    """The server; a context manager. `requests` are the bodies of those that took a message of the script, in order."""

    daemon_threads = True

    def __init__(self, script: Sequence[Message] = (), *, latency: float = LATENCY):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.latency = latency
        self.requests: list[Json] = []
        self._lock = threading.Lock()
        self.play(*script)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ):
        self.shutdown()
        self.server_close()

    def play(self, *script: Message):
        """What the model says from now on."""
        with self._lock:
            self._left = [[one] if isinstance(one, str) else list(one) for one in script]

    @property
    def told(self) -> list[str]:
        """What the agent was told of its calls, in order, as its last request has it; not in Gemini's dialect."""
        last = self.requests[-1] if self.requests else {}
        chat = [one["content"] for one in last.get("messages", []) if one["role"] == "tool"]
        spoken = [one["output"] for one in last.get("input", []) if str(one.get("type")).endswith("_output")]
        found = (*chat, *spoken)
        return [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in found]

    def next(self, body: Json) -> list[Part]:
        with self._lock:
            self.requests.append(body)
            parts = self._left.pop(0) if self._left else ["Done."]
        time.sleep(self.latency)
        return parts


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Model

    def log_message(self, format: str, *args: object):
        """Requests are kept by the model."""

    def do_GET(self):
        self._send(json.dumps({"object": "list", "data": []}))

    def do_POST(self):
        body = json.loads(self._body() or b"{}")
        path = self.path.split("?")[0]
        if "countTokens" in path:
            self._send(json.dumps({"totalTokens": 100}))
        elif ":" in path:
            parts = self.server.next(body) if _offers_writing(body) else ["{}"]
            text = json.dumps(_gemini(parts))
            self._send(f"data: {text}\r\n\r\n" if ":stream" in path else text, stream=":stream" in path)
        else:
            offers = body.get("tools") or '"additional_tools"' in json.dumps(body)
            parts = self.server.next(body) if offers else ["OK."]
            said = _responses if path.endswith("/responses") else _chat
            self._send("".join(said(parts, str(body.get("model")))), stream=True)

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        found = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _send(self, text: str, *, stream: bool = False):
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if stream else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _name(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex}"


def _chat(parts: Sequence[Part], model: str) -> Iterator[str]:
    functions = [one | {"arguments": json.dumps(one["arguments"])} for one in parts if isinstance(one, dict)]
    calls = [
        {"index": at, "id": _name("call"), "type": "function", "function": one}
        for at, one in enumerate(functions)
    ]
    text = "".join(one for one in parts if isinstance(one, str))
    base = {"id": _name("chat"), "object": "chat.completion.chunk", "created": 1, "model": model}
    delta = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    for choice, more in (
        ({"index": 0, "delta": delta, "finish_reason": None}, {}),
        ({"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}, {"usage": usage}),
    ):
        yield f"data: {json.dumps({**base, 'choices': [choice], **more})}\n\n"
    yield "data: [DONE]\n\n"


def _responses(parts: Sequence[Part], model: str) -> Iterator[str]:
    items = [_item(one) for one in parts]
    base = {"id": _name("resp"), "object": "response", "created_at": 1, "model": model}
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    final = {**base, "status": "completed", "output": items, "usage": usage}
    events: list[Json] = [
        {"type": "response.created", "response": {**base, "status": "in_progress", "output": []}}
    ]
    for at, item in enumerate(items):
        events += (
            {"type": kind, "output_index": at, "item": item}
            for kind in ("response.output_item.added", "response.output_item.done")
        )
    for event in (*events, {"type": "response.completed", "response": final}):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _item(part: Part) -> Json:
    if isinstance(part, str):
        content = [{"type": "output_text", "text": part, "annotations": []}]
        message = {"type": "message", "role": "assistant", "status": "completed"}
        return {**message, "id": _name("msg"), "content": content}
    called = {"id": _name("it"), "call_id": _name("call"), **part}
    if "input" in part:
        return {"type": "custom_tool_call", **called}
    return {"type": "function_call", **called, "arguments": json.dumps(part["arguments"])}


def _offers_writing(body: Json) -> bool:
    tools = body.get("tools") or []
    declared = [one for tool in tools for one in tool.get("functionDeclarations", [])]
    return any(one.get("name") == "write_file" for one in declared)


def _gemini(parts: Sequence[Part]) -> Json:
    content = [
        {"text": part}
        if isinstance(part, str)
        else {"functionCall": {"name": part["name"], "args": part["arguments"]}}
        for part in parts
    ]
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": content}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": "scripted",
    }
