"""The wheel's `compass/__init__.py` has the version that is built. A checkout's has that of the last release."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATED = re.compile(r'^__version__ = "[^"]*"$', re.MULTILINE)
MODULE = "compass/__init__.py"


class Stamp(BuildHookInterface[Any]):
    """Of the wheel alone: an editable installation runs the checkout's own file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        source = (Path(self.root) / MODULE).read_text(encoding="utf-8")
        text, count = STATED.subn(f'__version__ = "{self.metadata.version}"', source)
        if count != 1:
            raise ValueError(f"{MODULE} states no version")
        self._place = tempfile.TemporaryDirectory(prefix="compass-build-")
        stamped = Path(self._place.name) / "__init__.py"
        stamped.write_text(text, encoding="utf-8")
        build_data["force_include"][str(stamped)] = MODULE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self._place.cleanup()
