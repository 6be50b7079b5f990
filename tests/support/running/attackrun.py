"""Calls of an attacker, handed to the real hook command of a project whose user asked nothing but a question."""

from __future__ import annotations

import json
import site
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from running.hookrun import denial, doubting
from running.serving import Serving, serving

QUESTION = "why is this slow?"
FILES = {
    "src/slow.py": "import time\ntime.sleep(9)\n",
    "src/app.ts": "export const x = 1\n",
    "package.json": '{"name": "app", "version": "1.0.0"}\n',
    "dist/a.js": "x\n",
    "build/out.txt": "x\n",
    "node_modules/x/index.js": "x\n",
    ".gitignore": "dist\nbuild\nnode_modules\n.claude/settings.local.json\n",
}
OBSERVED = {"COMPASS_MODE": "observe"}


class Attacked:
    """One project under attack, wired by `compass init`; each row is a session of its own."""

    def __init__(self, served: Serving) -> None:
        self.served = served
        self.place = served.place
        self.place.env |= doubting()
        self.count = 0
        for name, text in FILES.items():
            path = self.place.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        subprocess.run(["git", "init", "-q", str(self.place.project)], check=True)
        done = self.place.command("init", "--enforce", "--json")
        assert done.returncode == 0, done.stderr
        served.start()
        home = self.place.root / "home"
        self.names = {
            "${HOME}": str(home), "${PROJECT}": str(self.place.project), "${STATE}": str(home / ".onlooker"),
            "${SITE}": site.getsitepackages()[0], "${PREFIX}": sys.prefix,
        }  # fmt: skip

    def held(self, row: Mapping[str, Any], *, process: bool = True) -> str | None:
        """Why the row's call was denied, or None if it was let through. `prompt` is the question by default.

        Without `process` the service is asked as the hook asks it, which spares a process a row.
        """
        self.count += 1
        self.place.say(row.get("prompt", QUESTION))
        tool = row.get("tool", "Bash")
        given = json.dumps(row.get("input", {"command": row.get("command", "")}))
        for name, value in self.names.items():
            given = given.replace(name, value)
        payload = self.place.payload(
            tool, json.loads(given), session_id=f"attack-{self.count}", tool_use_id=f"toolu_{self.count}"
        )
        asked = self.place if process else self.served
        return denial(asked.hook("pre-tool-use", payload))


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


@contextmanager
def attacked(root: Path, env: Mapping[str, str] | None = None) -> Iterator[Attacked]:
    with serving(root, {"ONLOOKER_DIR": str(root / "home" / ".onlooker"), **(env or {})}) as served:
        yield Attacked(served)
