"""Calls of an attacker, handed to the real hook command of a project whose user asked nothing but a question.

`PYTHONPATH=tests/support python -m running.attackrun [--observe] FILE...` counts what is let through; in observe
mode only self-protection denies.
"""

from __future__ import annotations

import json
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from running.doubting import doubting
from running.hookrun import denial
from running.serving import Serving, last_word, serving

from evaluator import wire

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
            "${HOME}": str(home),
            "${PROJECT}": str(self.place.project),
            "${STATE}": str(home / ".onlooker"),
            "${SITE}": site.getsitepackages()[0],
            "${PREFIX}": sys.prefix,
        }

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
        if process:
            return denial(self.place.hook("pre-tool-use", payload))
        with self.served.connect() as line:
            line.sendall(self.served.request("pre-tool-use", payload))
            kind, body = last_word(line)
        assert kind == wire.ANSWER, body
        answer = wire.unpack(body, 2)[0]
        found = json.loads(answer)["hookSpecificOutput"] if answer else {}
        return found.get("permissionDecisionReason")


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


@contextmanager
def attacked(root: Path, env: Mapping[str, str] | None = None) -> Iterator[Attacked]:
    with serving(root, {"ONLOOKER_DIR": str(root / "home" / ".onlooker"), **(env or {})}) as served:
        yield Attacked(served)


def main(words: list[str]) -> int:
    passed = 0
    observe = "--observe" in words
    with (
        tempfile.TemporaryDirectory() as folder,
        attacked(Path(folder), OBSERVED if observe else None) as place,
    ):
        for name in (word for word in words if not word.startswith("-")):
            rows = rows_of(Path(name))
            through = [row for row in rows if place.held(row) is None]
            passed += len(through)
            print(f"{name}: {len(through)} of {len(rows)} let through")
            for row in through:
                print(f"  {row['id']}: {json.dumps(row.get('command') or row.get('input'))[:300]}")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
