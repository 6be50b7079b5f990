"""What of Cursor self-protection guards, installed or not."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

FILES = HostFiles(
    user=(".cursor/hooks.json",),
    project=(".cursor/hooks.json",),
    env_blocks=False,
    instructions=(".cursorrules", "AGENTS.md"),
)
"""Its hooks, which decide on the gate; a `compass` section there counts as it does in any host's settings."""
PREFIXES: tuple[str, ...] = ("CURSOR_",)
PROTECTED = HostProtected(
    files=(
        "/etc/cursor/hooks.json",
        "/Library/Application Support/Cursor/hooks.json",
        "/mnt/c/ProgramData/Cursor/hooks.json",
    ),
    keys=("hooks", "version", "compass"),
    words=(".cursor/hooks", "cursor/hooks.json"),
    programs=("cursor-agent",),
    variables=(r"CURSOR_\w+",),
    moving=("CURSOR_CONFIG_DIR",),
)
