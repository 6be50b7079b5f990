"""A real service for a test: `compass serve` in a place of its own, ended with the test."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from running import forked, hookrun
from running.processes import end_services, processor_seconds, until

from compass import INSTALLATION
from evaluator import wire
from evaluator.service import lifecycle

START_SECONDS = 60.0


class Serving:
    """A place whose hooks may use a service. The runtime folder is short: a socket's address is."""

    def __init__(self, root: Path, run: Path, env: dict[str, str] | None = None) -> None:
        own = {"XDG_RUNTIME_DIR": str(run), "COMPASS_SERVICE__ENABLED": "true"}
        self.place: Any = hookrun.Place(root, {**own, **(env or {})})
        self.at = lifecycle.RuntimeFolder(str(run / "compass"))
        self.process: subprocess.Popen[str] | None = None

    def start(self, *words: str) -> str:
        """What it says before it tells of its process: where it listens for HTTP, if it does."""
        env, given = self.place.environment(), words or ("--idle", "600")
        own = [sys.executable, "-I", hookrun.MAIN, "serve", *given]
        self.process = subprocess.Popen(
            forked.command(hookrun.MAIN, env, "serve", *given) if self.place.forked else own,
            env=env, cwd=self.place.project, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        said = ""
        while "process" not in (line := self.process.stdout.readline()):
            assert line, said
            said += line
        return said

    def status(self) -> dict[str, Any]:
        """What `compass serve --status` says."""
        found: dict[str, Any] = json.loads(self.place.command("serve", "--status", "--json").stdout)
        return found

    def counts(self) -> dict[str, Any]:
        """The same over the socket, without a process."""
        with self.connect() as line:
            line.sendall(wire.frame(wire.STATUS))
            found: dict[str, Any] = json.loads(receive(line)[1])
        return found

    def connect(self) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(60)
        try:
            line.connect(self.at.socket)
        except OSError:
            line.close()
            raise
        return line

    def request(
        self, event: str, payload: object, *, who: bytes | None = None, place: Any | None = None
    ) -> bytes:
        """A hook call as the client sends it; of another place that shares the service, if one is given."""
        place = self.place if place is None else place
        variables = "\0".join(f"{name}={value}" for name, value in place.environment().items())
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        fields = (INSTALLATION if who is None else who, event.encode(), os.fsencode(place.project))
        return wire.frame(wire.REQUEST, wire.pack(*fields, os.fsencode(variables), raw))

    def hook(
        self, event: str, payload: object, place: Any | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """What the hook's process would print, asked of the service on its socket, which has to answer."""
        with self.connect() as line:
            line.sendall(self.request(event, payload, place=place))
            kind, body = last_word(line)
        assert kind == wire.ANSWER, (kind, body)
        text, complaint = wire.unpack(body, 2)
        if text.startswith(wire.REFUSAL):
            return subprocess.CompletedProcess([], 2, b"", text.removeprefix(wire.REFUSAL))
        return subprocess.CompletedProcess([], 0, text, complaint)

    def wait_for(self, pid: int | None = None) -> dict[str, Any]:
        """The counts of the service that a hook started; of another one than `pid`."""
        found: dict[str, Any] = {}

        def came() -> bool:
            with suppress(OSError):
                found.update(self.counts())
            return bool(found) and found["pid"] != pid

        until(came, START_SECONDS)
        return found

    def settle(self) -> int:
        """Waits until the service has loaded what it loads by itself; its process."""
        pid = int(self.counts()["pid"])

        def rests() -> bool:
            before = processor_seconds(pid)
            time.sleep(0.3)
            return processor_seconds(pid) - before < 0.005

        until(rests, START_SECONDS)
        return pid

    def end(self) -> None:
        pid = lifecycle.holder(self.at)
        if pid is not None:
            os.kill(pid, signal.SIGCONT)
            os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.kill()
            self.process.communicate()


@contextmanager
def serving(root: Path, env: dict[str, str] | None = None) -> Iterator[Serving]:
    """Not started yet; whatever service stands at the end is killed."""
    run = Path(tempfile.mkdtemp(prefix="cps"))
    found = Serving(root, run, env)
    try:
        yield found
    finally:
        found.end()
        end_services(run)
        shutil.rmtree(run, ignore_errors=True)


def receive(line: socket.socket) -> tuple[int, bytes]:
    """The next frame. Raises EOFError where the other side ends."""
    kind, size = wire.header(exactly(line, wire.HEADER_BYTES))
    return kind, exactly(line, size)


def last_word(line: socket.socket) -> tuple[int, bytes]:
    kind, body = receive(line)
    while kind == wire.ACCEPTED:
        kind, body = receive(line)
    return kind, body


def exactly(line: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = line.recv(size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return parts


# Many calls at a Unix socket from one process: for load tests and throughput.

Answer = tuple[int, bytes]


async def hammer(path: str, frames: Sequence[bytes], concurrency: int) -> list[Answer]:
    """The last word on each frame, in the order of the frames; `concurrency` connections share them."""
    answers: list[Answer] = [(0, b"")] * len(frames)
    todo = iter(range(len(frames)))

    async def client() -> None:
        reader, writer = await asyncio.open_unix_connection(path)
        try:
            for number in todo:
                writer.write(frames[number])
                answers[number] = await last_read(reader)
        finally:
            writer.close()
            await writer.wait_closed()

    await asyncio.gather(*(client() for _ in range(concurrency)))
    return answers


async def last_read(reader: asyncio.StreamReader) -> Answer:
    while True:
        kind, size = wire.header(await reader.readexactly(wire.HEADER_BYTES))
        body = await reader.readexactly(size)
        if kind != wire.ACCEPTED:
            return kind, body
