"""A chat API on the loopback interface that plays the model of Copilot CLI by a script.

    with CopilotModel([["Deleting it.", call("bash", command="rm a")], "Done."]) as model:
        ...  # COPILOT_PROVIDER_BASE_URL=model.url

It speaks two dialects: chat completions, and responses, in which a call may be a bare text (`patch`). Each request that
offers tools takes the next message of the script. All requests are kept.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

Json = dict[str, Any]
Part = str | Json
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def call(tool: str, **given: object) -> Json:
    return {"name": tool, "arguments": json.dumps(given)}


def shell(command: str) -> Json:
    return call("bash", command=command, description="x")


def patch(text: str) -> Json:
    """In the dialect of responses alone."""
    return {"name": "apply_patch", "input": text}


class CopilotModel:
    """A context manager. `script` has a message each: its parts, or its one text. What is said beyond it is "Done."."""

    def __init__(self, script: Sequence[str | Sequence[Part]], latency: float) -> None:
        self._left = [[one] if isinstance(one, str) else list(one) for one in script]
        self._latency = latency
        self._lock = threading.Lock()
        self.requests: list[Json] = []

    def __enter__(self) -> Self:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                raw = (
                    self._chunks()
                    if "chunked" in self.headers.get("transfer-encoding", "")
                    else self.rfile.read(size)
                )
                parts = model.answer(cast(Json, json.loads(raw)))
                spoken = _responses(parts) if self.path.endswith("/responses") else _chat(parts)
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                self.wfile.write("".join(spoken).encode())

            def do_GET(self) -> None:
                self.send_error(404)

            def _chunks(self) -> bytes:
                found = b""
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    found += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return found

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, body: Json) -> list[Part]:
        if not body.get("tools"):
            return ["OK."]
        with self._lock:
            self.requests.append(body)
            parts = self._left.pop(0) if self._left else ["Done."]
        time.sleep(self._latency)
        return parts

    @property
    def told(self) -> list[str]:
        """What the agent was told of its calls, in order, as its last request has it."""
        last = self.requests[-1] if self.requests else {}
        chat = [one["content"] for one in last.get("messages", []) if one["role"] == "tool"]
        spoken = [one["output"] for one in last.get("input", []) if str(one.get("type")).endswith("_output")]
        return [one if isinstance(one, str) else json.dumps(one) for one in (*chat, *spoken)]


def _chat(parts: Sequence[Part]) -> Iterator[str]:
    calls = [
        {"index": n, "id": f"call_{uuid.uuid4().hex[:12]}", "type": "function", "function": one}
        for n, one in enumerate(one for one in parts if not isinstance(one, str))
    ]
    text = "".join(one for one in parts if isinstance(one, str))
    base = {
        "id": f"chat-{uuid.uuid4().hex[:12]}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
    }
    delta = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    stop = "tool_calls" if calls else "stop"
    for choice, more in (
        ({"index": 0, "delta": delta, "finish_reason": None}, {}),
        ({"index": 0, "delta": {}, "finish_reason": stop}, {"usage": USAGE}),
    ):
        yield f"data: {json.dumps({**base, 'choices': [choice], **more})}\n\n"
    yield "data: [DONE]\n\n"


def _responses(parts: Sequence[Part]) -> Iterator[str]:
    items = [_item(one, uuid.uuid4().hex[:12]) for one in parts]
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    final = {
        "id": f"resp_{uuid.uuid4().hex[:12]}",
        "object": "response",
        "created_at": 1,
        "model": "scripted",
    }
    yield _event("response.created", response={**final, "status": "in_progress", "output": []})
    for index, item in enumerate(items):
        for kind in ("response.output_item.added", "response.output_item.done"):
            yield _event(kind, output_index=index, item=item)
    yield _event(
        "response.completed", response={**final, "status": "completed", "output": items, "usage": usage}
    )


def _item(part: Part, tag: str) -> Json:
    if isinstance(part, str):
        content = [{"type": "output_text", "text": part, "annotations": []}]
        return {
            "type": "message",
            "role": "assistant",
            "id": f"m_{tag}",
            "status": "completed",
            "content": content,
        }
    kind = "custom_tool_call" if "input" in part else "function_call"
    return {"type": kind, "id": f"c_{tag}", "call_id": f"call_{tag}", **part}


def _event(kind: str, **fields: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"
