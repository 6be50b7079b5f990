"""A host's hooks in a home with the gate turned on: called in this process, or wired for one of their own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from running.hookrun import MAIN

from compass.composition.effects import join_programs
from compass.composition.gate import wire
from compass.hook.dispatch import ErrorPolicy, handle
from evaluator.model import PendingWrite
from evaluator.settings.places import entry_words
from hooks.entries import Wiring
from hooks.host import Host

HOLDS = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}


def recorded(path: Path) -> list[dict[str, Any]]:
    """The objects of a fixture, a line each."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class HostClient:
    """A project with two files, a home, and what the host sets for its hooks. In a payload PROJECT is the project."""

    def __init__(self, root: Path, host: Host, **env: str) -> None:
        join_programs()
        self.home, self.project, self.host = root / "home", root / "it's a.project", host
        settings = self.home / ".onlooker" / "compass" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(HOLDS))
        (self.project / "src").mkdir(parents=True)
        for name in ("a", "b"):
            (self.project / "src" / f"{name}.py").write_text("x = 1\n")
        self.env = {"HOME": str(self.home), **{name: self.filled(value) for name, value in env.items()}}

    def wiring(self, *, blocks: bool = True, interpreter: str = sys.executable) -> Wiring:
        """The word of a project's own entry acts without a record of the project."""
        said = entry_words({}, str(self.home), of_project=False, blocks=blocks, host=self.host.NAME)
        said = tuple("closed" if one == "recorded" else one for one in said)
        return Wiring(interpreter, MAIN, blocks, said=said)

    def filled(self, text: str) -> str:
        return text.replace("PROJECT", str(self.project))

    def fire(self, event: str, payload: object, prefix: bytes = b"") -> dict[str, Any] | None:
        """What Compass's `event` is answered; None where nothing is printed."""
        policy = ErrorPolicy(event, self.env, "/", lambda _: None, host=self.host)
        raw = handle(
            event,
            prefix + self.filled(json.dumps(payload)).encode(),
            policy,
            str(self.project),
            lambda: wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host),
        )
        return json.loads(raw) if raw else None

    def pending(self, payload: object) -> PendingWrite:
        return self.host.pending_write(self.host.parse(self.filled(json.dumps(payload)).encode()), self.env)
