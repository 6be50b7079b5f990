"""A Gemini API on the loopback interface that plays the agent's model by a script.

    with GeminiModel([["Deleting it.", call("run_shell_command", command="rm a")], "Done."]) as model:
        ...  # GOOGLE_GEMINI_BASE_URL=model.url

A request that offers tools that write takes the next message of the script; every other one (titles, summaries) gets
a harmless answer. All requests are kept.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

Json = dict[str, Any]
Part = str | Json
LATENCY = 0.3
"""Seconds before an answer: a model's first word takes longer, and what stands on disk at a hook depends on it."""


def call(tool: str, **given: object) -> Json:
    return {"functionCall": {"name": tool, "args": given}}


class GeminiModel:
    """A context manager. `script` has a message each: its parts, or its one text. What is said beyond it is "Done."."""

    def __init__(self, script: Sequence[str | Sequence[Part]], latency: float = LATENCY) -> None:
        self._left = [[one] if isinstance(one, str) else list(one) for one in script]
        self._latency = latency
        self._lock = threading.Lock()
        self.requests: list[Json] = []
        """The bodies of those that took a message of the script, in order."""

    def __enter__(self) -> Self:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = cast(
                    Json, json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                )
                answer = model.answer(self.path, body)
                text = json.dumps(answer)
                stream = ":stream" in self.path
                raw = f"data: {text}\r\n\r\n".encode() if stream else text.encode()
                self.send_response(200)
                self.send_header("content-type", "text/event-stream" if stream else "application/json")
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def do_GET(self) -> None:
                self.send_error(404)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
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
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, path: str, body: Json) -> Json:
        if "countTokens" in path:
            return {"totalTokens": 100}
        if not _offers_writing(body):
            return _message(["{}"])
        with self._lock:
            self.requests.append(body)
            parts = self._left.pop(0) if self._left else ["Done."]
        time.sleep(self._latency)
        return _message(parts)

    @property
    def results(self) -> list[Json]:
        """What the agent was told of its calls, in order, as its last request has it."""
        return [
            cast(Json, part["functionResponse"]["response"])
            for content in (self.requests[-1]["contents"] if self.requests else [])
            for part in content["parts"]
            if "functionResponse" in part
        ]

    @property
    def prompts(self) -> list[str]:
        """The texts that the last request gave as the user's, in order."""
        return [
            str(part["text"])
            for content in (self.requests[-1]["contents"] if self.requests else [])
            if content["role"] == "user"
            for part in content["parts"]
            if "text" in part
        ]


def _offers_writing(body: Mapping[str, Any]) -> bool:
    tools = body.get("tools") or []
    return any(
        one.get("name") == "write_file" for tool in tools for one in tool.get("functionDeclarations", [])
    )


def _message(parts: Sequence[Part]) -> Json:
    content = [{"text": part} if isinstance(part, str) else part for part in parts]
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": content}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": "scripted",
    }
