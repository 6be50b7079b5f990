"""Which settings files of Copilot CLI decide on its hooks, and what else of it self-protection guards."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

OWN_FILE: str = ".copilot/hooks/compass.json"
"""Relative to the home."""
REPOSITORY_FILES: tuple[str, ...] = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
)
"""1.0.102, tried: `disableAllHooks` in one of these, of a folder that is trusted, turns off the user's own hooks."""
FILES = HostFiles(
    user=(),
    project=REPOSITORY_FILES[:2],
    env_blocks=False,
    instructions=(".github/copilot-instructions.md", "AGENTS.md"),
)
"""The user's own are JSON with comments, so none holds Compass's settings."""
PROJECT_VARIABLE: str = "COPILOT_PROJECT_DIR"
PREFIXES: tuple[str, ...] = ("COPILOT_",)
PROTECTED = HostProtected(
    within=(".github/hooks",),
    homes=(("COPILOT_HOME", ".copilot"),),
    placed=(".copilot/hooks", ".copilot/settings.json", ".copilot/config.json"),
    keys=("hooks", "disableAllHooks", "compass"),
    words=(".copilot/hooks", ".copilot/settings", ".copilot/config.json", ".github/copilot/settings"),
    programs=("copilot",),
    moving=("COPILOT_HOME",),
    variables=(r"COPILOT_(?:HOME|ALLOW_ALL|CLI\w*|HOOK_DIR|PROJECT_DIR)",),
)
