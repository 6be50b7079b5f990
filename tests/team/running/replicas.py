"""Replicas of a team's evaluator as processes: started, asked whether they are ready, ended by their id."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from running import hookrun
from running.haproxy import free_port
from running.httpserving import ask

READY_SECONDS = 60.0


@dataclass
class Replica:
    env: Mapping[str, str]
    log: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Does not wait; `ready` does."""
        with self.log.open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-I", hookrun.MAIN, "serve", "--team", "--port", str(self.port)],
                env=dict(self.env), cwd=self.env["HOME"], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            )  # fmt: skip

    def ask(self, path: str, token: str = "", timeout: float = 10.0) -> tuple[int, bytes]:
        """A GET of this one replica. Raises OSError, HTTPException."""
        own = {"Authorization": f"Bearer {token}"} if token else {}
        found = ask(self.port, "GET", path, timeout=timeout, **own)
        return found.status, found.body

    def is_ready(self) -> bool:
        try:
            return self.ask("/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def ready(self, seconds: float = READY_SECONDS) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process is not None and self.process.poll() is None, self.log.read_text()
            if self.is_ready():
                return
            time.sleep(0.05)
        raise AssertionError(f"not ready: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """At once, as a machine that fails."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def end(self, seconds: float = 60.0) -> int:
        """Gracefully; its exit code. Killed where it does not end in that time."""
        assert self.process is not None
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@dataclass
class Replicas:
    """`count` of them over one database; all ready at `with`, all ended at its end."""

    folder: Path
    env: Mapping[str, str]
    count: int = 3
    each: list[Replica] = field(default_factory=list[Replica])

    def __enter__(self) -> Replicas:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.each = [
            Replica(self.env, self.folder / f"replica{number}.log") for number in range(1, self.count + 1)
        ]
        for one in self.each:
            one.start()
        for one in self.each:
            one.ready()
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.each:
            if one.process is not None and one.process.poll() is None:
                one.process.terminate()
        for one in self.each:
            if one.process is not None:
                try:
                    one.process.wait(30)
                except subprocess.TimeoutExpired:
                    one.kill()

    @property
    def ports(self) -> list[int]:
        return [one.port for one in self.each]
