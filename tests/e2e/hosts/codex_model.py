"""A Responses API on the loopback interface that plays Codex's model from a script. Standard library alone.

A turn of the script is the items of one reply: `say`, `call` and `patch` make them. A request that offers tools takes
the next turn, and "Done." when none is left; one without tools (titles) is answered apart.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Item = dict[str, Any]
LATENCY = 0.2
"""Seconds before a reply, as a model takes some."""


def say(text: str) -> Item:
    return {"type": "message", "role": "assistant", "status": "completed", "text": text}


def call(name: str, **arguments: object) -> Item:
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments)}


def shell(command: str, **more: object) -> Item:
    return call("exec_command", cmd=command, **more)


def patch(*lines: str) -> Item:
    """A call of apply_patch with these lines between the marks of a patch."""
    text = "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))
    return {"type": "custom_tool_call", "name": "apply_patch", "input": text}


class Model(ThreadingHTTPServer):
    """The server; a context manager. `asked` holds the body of every request that offered tools."""

    daemon_threads = True

    def __init__(self, turns: Sequence[Sequence[Item]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self._left = [list(turn) for turn in turns]
        self._serial = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self.server_close()

    def play(self, *turns: Sequence[Item]) -> None:
        """What the model says from now on."""
        with self._lock:
            self._left = [list(turn) for turn in turns]

    def told(self) -> list[str]:
        """What came back of the calls, as the model's last request holds it."""
        found: list[str] = []
        for item in self.asked[-1]["input"] if self.asked else ():
            if str(item.get("type", "")).endswith("_output"):
                output = item["output"]
                found.append(output if isinstance(output, str) else json.dumps(output, ensure_ascii=False))
        return found

    def reply(self, body: dict[str, Any]) -> tuple[int, list[Item]]:
        with self._lock:
            self._serial += 1
            if not (body.get("tools") or '"additional_tools"' in json.dumps(body)):
                return self._serial, [say("OK.")]
            self.asked.append(body)
            return self._serial, self._left.pop(0) if self._left else [say("Done.")]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Model

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send(200, "application/json", json.dumps({"object": "list", "data": []}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        if not self.path.split("?")[0].endswith("/responses"):
            self._send(404, "application/json", b"{}")
            return
        time.sleep(LATENCY)
        serial, turn = self.server.reply(body)
        items = [_numbered(item, serial, place) for place, item in enumerate(turn)]
        base = {
            "id": f"resp_{serial}",
            "object": "response",
            "created_at": int(time.time()),
            "model": body["model"],
        }
        usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
        final = {**base, "status": "completed", "output": items, "usage": usage}
        events: list[Item] = [
            {"type": "response.created", "response": {**base, "status": "in_progress", "output": []}}
        ]
        for place, item in enumerate(items):
            events += (
                {"type": kind, "output_index": place, "item": item}
                for kind in ("response.output_item.added", "response.output_item.done")
            )
        events.append({"type": "response.completed", "response": final})
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._send(200, "text/event-stream", text.encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _numbered(item: Item, serial: int, place: int) -> Item:
    number = f"{serial}_{place}"
    if item["type"] == "message":
        content = [{"type": "output_text", "text": item["text"], "annotations": []}]
        return {
            "type": "message",
            "role": "assistant",
            "id": f"msg_{number}",
            "status": "completed",
            "content": content,
        }
    return {**item, "id": f"it_{number}", "call_id": f"call_{number}"}
