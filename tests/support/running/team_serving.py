"""`compass serve --team` as a process over a real PostgreSQL, whose readers are a scripted API on loopback."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apis.backends import MODEL
from running import forked, hookrun
from running.hookrun import KEY
from running.httpserving import Answer, ask
from running.processes import finished
from samples.team_requests import REQUEST

from evaluator.readers.team.wire import EvaluationRequest, request_document

START_SECONDS = 60.0


class TeamProcess:
    """One replica; it may be started again. `log` is its standard error, whole once it has ended."""

    process: subprocess.Popen[str]
    address: str

    def __init__(self, place: TeamPlace, *words: str) -> None:
        self._place, self._words = place, words
        self.log = place.root / f"replica-{secrets.token_hex(6)}.log"
        self.port = 0

    def start(self) -> None:
        """Returns once it answers, on the port that it had before if it had one."""
        env, words = self._place.environment(), ("serve", "--team", "--port", str(self.port), *self._words)
        with self.log.open("a") as errors:
            self.process = subprocess.Popen(
                self._place.started(env, *words), env=env, cwd=self._place.root,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        with self.process.stdout as said:
            found = re.search(r"(https?://\S+:(\d+))$", said.readline().strip())
        assert found is not None, self.log.read_text()
        self.address, self.port = found[1], int(found[2])

    def ask(self, token: str | None, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        own = {} if token is None else {"Authorization": f"Bearer {token}"}
        return ask(self.port, method, path, body, **own, **headers)

    def evaluate(self, token: str, request: EvaluationRequest = REQUEST) -> Answer:
        return self.ask(token, "POST", "/v1/evaluations", request_document(request))

    def told(self) -> list[dict[str, Any]]:
        """What it logged so far."""
        lines = self.log.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(START_SECONDS)


@dataclass
class TeamPlace:
    """Where replicas run: an empty home, the database and the readers' address."""

    root: Path
    database_url: str
    api_url: str
    env: dict[str, str] = field(default_factory=dict[str, str])
    forked: bool = True
    """Whether a process may be forked (see `forked`); where not, an interpreter starts for it."""

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.root), "LANG": "C.UTF-8",
            "ANTHROPIC_API_KEY": KEY, "COMPASS_DATABASE": self.database_url,
            "COMPASS_EVALUATOR__BACKEND": "anthropic", "COMPASS_EVALUATOR__BASE_URL": self.api_url,
            "COMPASS_EVALUATOR__MODEL": MODEL, "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2", **self.env,
        }  # fmt: skip

    def command(
        self, *words: str, stdin: str = "", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        whole = {**self.environment(), **(env or {})}
        how = {"env": whole, "cwd": self.root, "text": True, "timeout": START_SECONDS}
        return finished(self.started(whole, *words), stdin, **how)

    def make_team(self, name: str) -> str:
        """Its first administrator's token."""
        done = self.command("serve", "--team", "--init", "--name", name)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def started(self, env: Mapping[str, str], *words: str) -> list[str]:
        own = [sys.executable, "-I", hookrun.MAIN, *words]
        return forked.command(hookrun.MAIN, env, *words) if self.forked else own

    @contextmanager
    def replica(self, *words: str) -> Iterator[TeamProcess]:
        found = TeamProcess(self, *words)
        try:
            found.start()
            yield found
        finally:
            found.end(signal.SIGKILL)


def token_from(replica: TeamProcess, admin: str, person: str, *scopes: str, seconds: float = 3600.0) -> str:
    wanted = {"person": person, "scopes": list(scopes or ("evaluate",)), "seconds": seconds}
    found = replica.ask(admin, "POST", "/v1/tokens", wanted)
    assert found.status == 201, found.body
    token: str = found.json["token"]
    return token
