"""What of Claude Code self-protection guards, in addition to its settings files."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected

PROTECTED = HostProtected(
    files=(
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ),
    keys=("hooks", "disableAllHooks", "env", "compass"),
    words=(".claude/settings", "claude-code/managed-settings"),
    rare=("settings.local.json", "managed-settings.json"),
    programs=("claude",),
    variables=("CLAUDECODE", r"CLAUDE_(?:CODE_\w+|CONFIG_DIR|PID|PROJECT_DIR|ENV_FILE)"),
    plugin_variable="CLAUDE_PLUGIN_ROOT",
)
