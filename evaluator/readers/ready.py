"""What hosted backends need of an environment. Looked up without importing the SDK or starting a process."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def find_program(command: str, env: Mapping[str, str]) -> str | None:
    """The absolute path of `command`. What the working directory offers is not taken: a project owns that."""
    found = shutil.which(command, path=env.get("PATH", ""))
    return found if found and Path(found).is_absolute() else None
