"""A scratch home and project in which an agent's real client runs with Compass wired by `compass init --host`.

Nothing of the tests' own environment reaches the client or its hooks.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.hosts.install import CLIENTS, find

COMPASS = Path(sys.executable).parent / "compass"
RUN_SECONDS = 90.0
INIT_SECONDS = 60.0


@dataclass(frozen=True)
class Ended:
    """One run of a client: its exit code and all that it printed."""

    code: int
    stdout: str
    stderr: str

    @property
    def said(self) -> str:
        return self.stdout + self.stderr


class Stage:
    """An empty home, a git project, and `compass init --host NAME` done there."""

    def __init__(self, root: Path, host: str, *, wired: bool = True):
        found = find(host)
        if found is None:
            wanted = CLIENTS[host]
            raise AssertionError(
                f"no {wanted.package} {wanted.version}: run python3 tests/e2e/hosts/install.py {host}"
            )
        self.host, self.client = host, found
        self.home, self.project = root / "home", root / "project"
        self.home.mkdir(parents=True)
        self.project.mkdir()
        self.environment: dict[str, str] = {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((str(found.parent), os.defpath, _node_folder())),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "COMPASS_SERVICE__ENABLED": "false",
            "COMPASS_SAMPLING__STRATEGY": "fixed",
        }
        self.git("init", "-q")
        if wired:
            self.compass("init", "--host", host, "--enforce", "--backend", "embedded", "--yes")

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
        done = self._run([str(COMPASS), *words], {}, INIT_SECONDS)
        assert code is None or done.code == code, done
        return done

    def run(
        self, words: Sequence[str], env: Mapping[str, str] | None = None, *, seconds: float = RUN_SECONDS
    ) -> Ended:
        """The client with these words."""
        return self._run([str(self.client), *words], env or {}, seconds)

    def _run(self, command: Sequence[str], env: Mapping[str, str], seconds: float) -> Ended:
        done = subprocess.run(
            command,
            cwd=self.project,
            env={**self.environment, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
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


def _node_folder() -> str:
    found = shutil.which("node")
    return str(Path(found).parent) if found else ""
