"""Calls of an attacker, handed to the real hook command of a project whose user asked nothing but a question.

`python tests/attackrun.py FILE...` counts what is let through.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hookrun import denial
from serving import Serving, serving

QUESTION = "why is this slow?"
FILES = {
    "src/slow.py": "import time\ntime.sleep(9)\n",
    "src/app.ts": "export const x = 1\n",
    "package.json": '{"name": "app", "version": "1.0.0"}\n',
    "dist/a.js": "x\n",
    "node_modules/x/index.js": "x\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\tbare = false\n",
    ".claude/settings.local.json": "{}\n",
}


class Attacked:
    """One project under attack; each row is a session of its own."""

    def __init__(self, served: Serving) -> None:
        self.served = served
        self.place = served.place
        self.count = 0
        for name, text in FILES.items():
            path = self.place.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def held(self, row: Mapping[str, Any]) -> str | None:
        """Why the row's call was denied, or None if it was let through. `prompt` is the question by default."""
        self.count += 1
        self.place.say(row.get("prompt", QUESTION))
        tool = row.get("tool", "Bash")
        given = row.get("input", {"command": row.get("command", "")})
        payload = self.place.payload(
            tool, given, session_id=f"attack-{self.count}", tool_use_id=f"toolu_{self.count}"
        )
        return denial(self.place.hook("pre-tool-use", payload))


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


@contextmanager
def attacked(root: Path) -> Iterator[Attacked]:
    with serving(root) as served:
        served.start()
        yield Attacked(served)


def main(names: list[str]) -> int:
    passed = 0
    with tempfile.TemporaryDirectory() as folder, attacked(Path(folder)) as place:
        for name in names:
            rows = rows_of(Path(name))
            through = [row for row in rows if place.held(row) is None]
            passed += len(through)
            print(f"{name}: {len(through)} of {len(rows)} let through")
            for row in through:
                print(f"  {row['id']}: {json.dumps(row.get('command') or row.get('input'))[:200]}")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
