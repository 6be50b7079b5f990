"""A project and a home that last as long as a walk: nothing of the user's own is read or written there."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from types import FrameType

from compass.hook.journey import Journey
from compass.hook.policy import Policy
from compass.joining.gate import Wired, wire
from evaluator.configuration.loading import user_project_file
from evaluator.files import private_folder

SETTINGS = {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}
"""Rules judge: they need no key and send nothing."""
ENDING = ("SIGTERM", "SIGHUP")


@dataclass(frozen=True, slots=True)
class Scratch:
    """All paths absolute and below one temporary folder."""

    home: str
    project: str

    def hook(self, event: str, payload: dict[str, object]) -> bytes:
        """What the host is answered: by the way that a hook's own process takes."""
        began = monotonic()
        policy = Policy(event, {"HOME": self.home}, self.project, _complain)

        def gate() -> Wired:
            return wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host)

        raw = json.dumps({"cwd": self.project, **payload}).encode()
        return Journey(event, raw, policy, gate, lambda: monotonic() - began).end(self.project)

    def path(self, name: str) -> str:
        return os.path.join(self.project, name)

    def holds(self, name: str) -> bool:
        return os.path.exists(self.path(name))

    def put(self, name: str, text: str) -> None:
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)


@contextmanager
def scratch() -> Generator[Scratch, None, None]:
    """Taken away at the end, also where the process is told to end."""
    before = {name: signal.getsignal(getattr(signal, name)) for name in ENDING}
    for name in ENDING:
        signal.signal(getattr(signal, name), _end)
    try:
        with tempfile.TemporaryDirectory(prefix="compass-try-") as folder:
            root = os.path.realpath(folder)
            made = Scratch(os.path.join(root, "home"), os.path.join(root, "project"))
            os.mkdir(made.home)
            os.mkdir(made.project)
            settings = user_project_file({}, made.home, made.project)
            private_folder(os.path.dirname(settings), repair=False)
            with open(settings, "w", encoding="utf-8") as file:
                json.dump(SETTINGS, file)
            yield made
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler or signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _complain(line: str) -> None:
    print(line, file=sys.stderr)
