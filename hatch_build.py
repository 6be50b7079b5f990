"""What a build adds: the version in the wheel's `compass/__init__.py`, and JSON of each data file that is TOML."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATED = re.compile(r'^__version__ = "[^"]*"$', re.MULTILINE)
MODULE = "compass/__init__.py"
PACKAGES = ("compass", "evaluator", "calibration", "hooks")


class Build(BuildHookInterface[Any]):
    """A wheel holds the JSON in place of the TOML (`exclude` in pyproject.toml). An editable installation runs the
    checkout's own files, so the JSON is written beside the source there; git ignores it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version != "standard":
            write_tables(root, root)
            return
        self._place = tempfile.TemporaryDirectory(prefix="compass-build-")
        place = Path(self._place.name)
        built = {stamp(root, place, self.metadata.version): MODULE, **write_tables(root, place)}
        build_data["force_include"].update({str(path): name for path, name in built.items()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self._place.cleanup()


def stamp(root: Path, place: Path, version: str) -> Path:
    text, count = STATED.subn(f'__version__ = "{version}"', (root / MODULE).read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{MODULE} states no version")
    stamped = place / "__init__.py"
    stamped.write_text(text, encoding="utf-8")
    return stamped


def write_tables(root: Path, place: Path) -> dict[Path, str]:
    """The JSON of each table that was written below `place`, and its name in a wheel; where tables have programs, an
    index of these too.
    """
    written: dict[Path, str] = {}
    indices: dict[Path, dict[str, str]] = {}
    for source in (path for package in PACKAGES for path in sorted((root / package).rglob("*.toml"))):
        name = source.relative_to(root).with_suffix(".json")
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        data = tomllib.loads(source.read_text(encoding="utf-8"))
        (place / name).write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        written[place / name] = name.as_posix()
        for key in data.get("programs", ()):
            index = indices.setdefault(name.with_name("index.json"), {})
            index.update(dict.fromkeys(key.split(", "), name.stem))
    for name, index in indices.items():
        (place / name).write_text(json.dumps(index), encoding="utf-8")
        written[place / name] = name.as_posix()
    return written
