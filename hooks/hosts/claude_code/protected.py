"""Where Claude Code keeps what decides on its hooks: its settings files, its variables, and what else self-protection
guards. Data: each cold call reads it of every host.
"""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

PROJECT_VARIABLE: str = "CLAUDE_PROJECT_DIR"
PREFIXES: tuple[str, ...] = ("CLAUDE_",)
FILES = HostFiles(
    user=(".claude/settings.json", ".claude/settings.local.json"),
    project=(".claude/settings.json", ".claude/settings.local.json"),
    instructions=("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"),
    own_instructions=(".claude/CLAUDE.md",),
    sets=frozenset(
        (
            PROJECT_VARIABLE,
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDE_CODE_SESSION_ATTENDED",
            "CLAUDE_CODE_SESSION_ID",
            "CLAUDECODE",
            "CLAUDE_EFFORT",
            "CLAUDE_PID",
        )
    ),
)
"""2.1.330, tried: the `env` block of the project's settings files is set in the environment of the hooks, over the
user's block and over the shell; of a folder that nobody trusts too. Never are HOME, XDG_*, TMPDIR or CLAUDE_CONFIG_DIR
set from it, and `sets` are set after it."""

PROTECTED = HostProtected(
    files=(
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
        "/mnt/c/Program Files/ClaudeCode/managed-settings.json",
        "/Library/Managed Preferences/com.anthropic.claudecode.plist",
    ),
    keys=("hooks", "disableAllHooks", "env", "compass", "enabledPlugins", "extraKnownMarketplaces"),
    words=(
        ".claude/settings",
        "claude-code/managed-settings",
        "ClaudeCode/managed-settings",
        "com.anthropic.claudecode",
        "PoliciesClaudeCode",
        "disableAllHooks",
    ),
    rare=("settings.local.json", "managed-settings.json"),
    programs=("claude",),
    variables=("CLAUDECODE", r"CLAUDE_(?:CODE_\w+|CONFIG_DIR|PID|PROJECT_DIR|ENV_FILE)"),
    moving=("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE"),
    plugin_variable="CLAUDE_PLUGIN_ROOT",
    placed=(
        ".claude/plugins/installed_plugins.json",
        ".claude/plugins/known_marketplaces.json",
        ".claude/plugins/cache/compass-gate",
        ".claude/plugins/marketplaces/compass-gate",
        ".claude/remote-settings.json",
        "/etc/claude-code/managed-settings.d",
        "/Library/Application Support/ClaudeCode/managed-settings.d",
        "/mnt/c/Program Files/ClaudeCode/managed-settings.d",
    ),
)
"""Managed settings beat all others: the file, the folder of further ones beside it, under WSL those of Windows, and
the copy of what a server sent. `PoliciesClaudeCode` is the registry's key without its backslashes."""
