"""A chat-completions API on loopback that plays a script to OpenCode, and that client on a stage.

The client asks for a title beside each first prompt, in a request that offers no tools: it moves no script on.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from e2e.hosts.install import folder_of
from e2e.hosts.playing import Ended, Stage

Json = dict[str, Any]
MODEL = "scripted"
PATCHING = "gpt-5-scripted"
"""A model of this name is offered `apply_patch` in place of `write` and `edit`."""


@dataclass(frozen=True)
class Says:
    """One answer of the model: words, then calls of tools as (name, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, Json], ...] = ()


def calls(tool: str, /, text: str = "", **arguments: object) -> Says:
    return Says(text, ((tool, arguments),))


@dataclass
class Model:
    """What is left of the script, and each request that took of it."""

    script: list[Says]
    requests: list[Json] = field(default_factory=list[Json])
    lock: threading.Lock = field(default_factory=threading.Lock)
    answered: int = 0

    def next(self, body: Json) -> tuple[int, Says]:
        with self.lock:
            self.answered += 1
            if not body.get("tools"):
                return self.answered, Says("A title")
            self.requests.append(body)
            return self.answered, self.script.pop(0) if self.script else Says("Done.")

    def results(self) -> list[str]:
        """What the newest request tells of the tools' results, oldest first."""
        return [str(one["content"]) for one in self.requests[-1]["messages"] if one["role"] == "tool"]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    model: Model

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        number, said = self.model.next(body)
        named = [
            {
                "index": at,
                "id": f"call_{uuid.uuid4().hex}",
                "type": "function",
                "function": {"name": tool, "arguments": json.dumps(arguments)},
            }
            for at, (tool, arguments) in enumerate(said.calls)
        ]
        delta: Json = {"role": "assistant", "content": said.text or None}
        if named:
            delta["tool_calls"] = named
        chunk = {
            "id": f"chat-{number}",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": MODEL,
        }
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        end = "tool_calls" if named else "stop"
        parts = [
            json.dumps({**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
            json.dumps(
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}
            ),
            "[DONE]",
        ]
        data = "".join(f"data: {part}\n\n" for part in parts).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serving(script: Sequence[Says]) -> Iterator[tuple[Model, str]]:
    """The model, and the address of its API."""
    model = Model([*script])
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": model}))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield model, f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


class OpenCode:
    """A stage on which the client is OpenCode: its own packages lie there, so that it asks no registry for them."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.stage = Stage(root, "opencode", **options)
        self.home, self.project = self.stage.home, self.stage.project
        self.config = self.home / ".config" / "opencode"
        self.config.mkdir(parents=True, exist_ok=True)
        installed = folder_of("opencode") / "node_modules"
        (self.config / "node_modules").mkdir()
        (self.config / "node_modules" / "@opencode-ai").symlink_to(installed / "@opencode-ai")
        version = json.loads((installed / "@opencode-ai" / "plugin" / "package.json").read_text())["version"]
        held = {"dependencies": {"@opencode-ai/plugin": version}}
        (self.config / "package.json").write_text(json.dumps(held))
        packages = {"": held, "node_modules/@opencode-ai/plugin": {"version": version}}
        lock = {"lockfileVersion": 3, "requires": True, "packages": packages}
        (self.config / "package-lock.json").write_text(json.dumps(lock))
        self.stage.environment |= {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "NO_PROXY": "127.0.0.1",
            "npm_config_registry": "http://127.0.0.1:9",
            "npm_config_fetch_retries": "0",
        }

    def configure(self, url: str, **more: object) -> None:
        models = {name: {"name": name, "tool_call": True} for name in (MODEL, PATCHING)}
        options = {"baseURL": url, "apiKey": "not-a-key"}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "Local", "options": options, "models": models}
        settings = {
            "model": f"local/{MODEL}",
            "small_model": f"local/{MODEL}",
            "autoupdate": False,
            "share": "disabled",
            "provider": {"local": provider},
            **more,
        }
        (self.config / "opencode.json").write_text(json.dumps(settings))

    def run(
        self, prompt: str, *script: Says, goes_on: bool = False, words: Sequence[str] = ()
    ) -> tuple[Model, Ended]:
        """`opencode run` with this prompt against this script; `goes_on`: in the session that ran before."""
        with serving(script) as (model, url):
            self.configure(url)
            resumed = ["--continue"] if goes_on else []
            return model, self.stage.run(["run", *resumed, *words, prompt])
