"""A scratch home and project in which an agent's real client runs with Compass wired, and the API that plays its model.

Nothing of the tests' own environment reaches the client or its hooks.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from e2e.install_client import HOSTS, find_host

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
    """An API on the loopback interface that plays an agent's model from a script, in each client's dialect.

    A message of the script is its parts, or its one text. A request that offers tools takes the next message, and
    "Done." when none is left; every other one (titles, summaries, counts) gets a harmless answer. `requests` are the
    bodies of those that took a message, in order. A context manager.
    """

    daemon_threads = True

    def __init__(self, script: Sequence[Message] = (), *, latency: float = LATENCY):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.latency = latency
        self._lock = threading.Lock()
        self.play(*script)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object):
        self.shutdown()
        self.server_close()

    def play(self, *script: Message):
        """What the model says from now on."""
        with self._lock:
            self.requests: list[Json] = []
            self._left = [[one] if isinstance(one, str) else list(one) for one in script]

    @property
    def told(self) -> list[str]:
        """What the agent was told of its calls, oldest first, by its last request; in Gemini's dialect their errors."""
        last = self.requests[-1] if self.requests else {}
        chat = [one["content"] for one in last.get("messages", []) if one["role"] == "tool"]
        spoken = [one["output"] for one in last.get("input", []) if str(one.get("type")).endswith("_output")]
        parts = [part for content in last.get("contents", []) for part in content["parts"]]
        ended = [one["functionResponse"]["response"] for one in parts if "functionResponse" in one]
        errors = [one.get("error", "") for one in ended]
        found = (*chat, *spoken, *errors)
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
    begun = {**base, "status": "in_progress", "output": []}
    events: list[Json] = [{"type": "response.created", "response": begun}]
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
    called = (
        {"name": one["name"], "args": one["arguments"]} if isinstance(one, dict) else one for one in parts
    )
    content = [{"text": one} if isinstance(one, str) else {"functionCall": one} for one in called]
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": content}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": "scripted",
    }


COMPASS = Path(sys.executable).parent / "compass"
RUN_SECONDS = 90.0


@dataclass(frozen=True)
class Ended:
    """One run of a client: its exit code, all that it printed, and what its agent was told of its calls."""

    code: int
    stdout: str
    stderr: str
    told: Sequence[str] = ()

    @property
    def said(self) -> str:
        return self.stdout + self.stderr


class Stage:
    """An empty home, a git project with two files, and `compass init --host NAME` done there."""

    FILES = ("a.txt", "b.txt")

    def __init__(self, root: Path, host: str, model: Model, *, wired: bool = True):
        found = find_host(host)
        install = f"run python3 tests/e2e/install_client.py --host {host}"
        assert found is not None, f"no {HOSTS[host].package} {HOSTS[host].version}: {install}"
        self.host, self.client, self.model = host, found, model
        self.home, self.project = root / "home", root / "project"
        self.home.mkdir(parents=True)
        self._begun = False
        self.environment: dict[str, str] = {
            "HOME": str(self.home),
            "PATH": f"{found.parent}:{os.defpath}:{os.path.dirname(shutil.which('node') or '')}",
            "LANG": "C.UTF-8", "TERM": "dumb", "NO_PROXY": "127.0.0.1", "COMPASS_SERVICE__ENABLED": "false",
            "COMPASS_SAMPLING__STRATEGY": "fixed",
        }  # fmt: skip
        for name in self.FILES:
            self.file(name, f"{name}\n")
        self.git("init", "-q")
        if wired:
            self.init()

    def init(self):
        self.compass("init", "--host", self.host, "--enforce", "--backend", "embedded", "--yes")

    def say(self, prompt: str, *script: Message) -> Ended:
        """A run of the client with this prompt, in the session that ran before."""
        self.model.play(*script)
        words = self.words(prompt, resumed=self._begun)
        self._begun = True
        return self.run(words)

    def words(self, prompt: str, *, resumed: bool) -> Sequence[str]:
        """How the client is asked to run this prompt."""
        raise NotImplementedError

    def look(self) -> Ended:
        """The agent names both files."""
        return self.say("Which files are unused?", f"I found two unused files: {' and '.join(self.FILES)}.")

    def hold(self, *script: Message) -> Ended:
        """An order that leaves open which of the two, and is not done."""
        self.look()
        said = self.say("Just delete it.", *script, "It was held back.")
        assert self.has(self.FILES[0]) and self.has(self.FILES[1])
        return said

    def git(self, *words: str):
        subprocess.run(["git", *words], cwd=self.project, env=self.environment, check=True)

    def file(self, name: str, text: str = "x = 1\n") -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def has(self, name: str) -> bool:
        return (self.project / name).exists()

    def compass(self, *words: str, code: int | None = 0) -> Ended:
        """A command of Compass's, in the project. `code` None: any will do."""
        done = self._run([str(COMPASS), *words], 60.0)
        assert code is None or done.code == code, done
        return done

    def run(self, words: Sequence[str]) -> Ended:
        """The client with these words."""
        return replace(self._run([str(self.client), *words], RUN_SECONDS), told=self.model.told)

    def _run(self, command: Sequence[str], seconds: float) -> Ended:
        how: Json = {"cwd": self.project, "env": self.environment, "stdin": subprocess.DEVNULL, "text": True}
        done = subprocess.run(
            command, capture_output=True, check=False, errors="replace", timeout=seconds, **how
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def checks(self) -> list[dict[str, Any]]:
        """The checks of this project, oldest first, as `compass log --json` tells them."""
        done = self.compass("log", "--json", "-n", "100")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def events(self) -> list[dict[str, Any]]:
        """The public events, oldest first."""
        path = self.home / ".onlooker" / "logs" / "onlooker-events.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
