"""What decides on Codex CLI's hooks, and so is guarded. Data: each cold call reads it of every host."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

PROJECT_VARIABLE: str = ""
PREFIXES: tuple[str, ...] = ("CODEX_",)
FILES = HostFiles(user=(), project=(), env_blocks=False, own_instructions=(".codex/AGENTS.md",))
"""None of its own files holds settings of Compass."""
PROTECTED = HostProtected(
    homes=(("CODEX_HOME", ".codex"),),
    files=(
        "/etc/codex/config.toml",
        "/etc/codex/hooks.json",
        "/etc/codex/requirements.toml",
        "/etc/codex/managed_config.toml",
    ),
    keys=("hooks", "features", "projects", "profile", "profiles"),
    words=(".codex/hooks", ".codex/config", ".codex/sessions"),
    rare=("managed_config.toml",),
    programs=("codex",),
    variables=(r"CODEX_\w+",),
    moving=("CODEX_HOME",),
    beside=(".codex/hooks.json", ".codex/config.toml"),
    placed=(".codex/sessions", ".codex/archived_sessions"),
)
"""0.169.0, tried: `features.hooks = false` in the config.toml of a trusted project turns the user's own hooks off, too;
`hooks.state` of the user's holds which hooks are trusted. Session files tell what the person said."""
