"""The tag is the version: of what would be built, of the plugin, of a tree without git, and it has its changelog.

    python .github/release_version.py v1.2.3

Ends with 1 and a line for each that is another.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path


def stated(root: Path) -> dict[str, str]:
    """Where a version is stated, and which."""
    words = [sys.executable, "-m", "hatchling", "version"]
    built = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True).stdout.strip()
    project = tomllib.loads((root / "pyproject.toml").read_text())
    program = re.search(r'__version__ = "(.+)"', (root / "compass/__init__.py").read_text())
    return {
        "the build": built,
        "pyproject.toml, fallback-version": project["tool"]["hatch"]["version"]["fallback-version"],
        "compass/__init__.py": program.group(1) if program else "none",
        ".claude-plugin/plugin.json": json.loads((root / ".claude-plugin/plugin.json").read_text())[
            "version"
        ],
    }


def problems(root: Path, tag: str) -> list[str]:
    """A line for each place that does not have the tag's version."""
    version = tag.removeprefix("v")
    found = [
        f"{where} says {said}, the tag {version}" for where, said in stated(root).items() if said != version
    ]
    if f"\n## [{version}]" not in (root / "CHANGELOG.md").read_text():
        found.append(f"CHANGELOG.md has no section [{version}]")
    return found


def main() -> int:
    found = problems(Path(__file__).parents[1], sys.argv[1])
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
