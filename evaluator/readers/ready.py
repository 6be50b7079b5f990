"""Could a hosted backend answer here? Looked up without importing the SDK or starting a process."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def missing_for_anthropic(env: Mapping[str, str], base_url: str | None = None) -> str | None:
    """What the `anthropic` backend lacks, or None. A server at a `base_url` of one's own may need no key."""
    if base_url or any(env.get(name, "").strip() for name in CREDENTIALS):
        return None
    return f"no credential: neither {CREDENTIALS[0]} nor {CREDENTIALS[1]} is set"


def missing_for_claude_cli(env: Mapping[str, str], command: str = "claude") -> str | None:
    """What the `claude-cli` backend lacks, or None if its program is on the PATH of `env`."""
    return None if find_program(command, env) else f"no program {command!r} on the PATH"


def find_program(command: str, env: Mapping[str, str]) -> str | None:
    """The absolute path of `command`. What the working directory offers is not taken: a project owns that."""
    found = shutil.which(command, path=env.get("PATH", ""))
    return found if found and Path(found).is_absolute() else None
