"""What of Gemini CLI self-protection guards, in addition to its settings files, and which those are."""

from __future__ import annotations

from evaluator.protection.hosts import HostProtected
from evaluator.settings.places import HostFiles

FILES = HostFiles(
    user=(".gemini/settings.json",),
    project=(".gemini/settings.json",),
    env_blocks=False,
    dotenv=(".gemini/.env", ".env"),
    instructions=("GEMINI.md", "AGENTS.md"),
    own_instructions=(".gemini/GEMINI.md",),
)
"""0.61.0, tried: variables of the nearest file of variables in or above the working folder are set for hooks, where the
environment has them not."""
PREFIXES: tuple[str, ...] = ("GEMINI_",)
PROTECTED = HostProtected(
    homes=(("GEMINI_CLI_HOME", ""),),
    files=(
        "/etc/gemini-cli/settings.json",
        "/etc/gemini-cli/system-defaults.json",
        "/Library/Application Support/GeminiCli/settings.json",
        "/Library/Application Support/GeminiCli/system-defaults.json",
        "/mnt/c/ProgramData/gemini-cli/settings.json",
        "/mnt/c/ProgramData/gemini-cli/system-defaults.json",
    ),
    keys=("hooks", "hooksConfig", "security", "tools", "mcp", "mcpServers", "advanced", "admin", "compass"),
    words=(
        ".gemini/settings",
        ".gemini/trustedFolders",
        ".gemini/trusted_hooks",
        ".gemini/policies",
        "gemini-cli/settings",
    ),
    placed=(".gemini/trustedFolders.json", ".gemini/trusted_hooks.json", ".gemini/policies"),
    rare=("trustedFolders.json", "trusted_hooks.json"),
    programs=("gemini",),
    moving=("GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"),
    variables=(
        "GEMINI_CLI",
        r"GEMINI_(?:CLI_\w+|PROJECT_DIR|CWD|SESSION_ID|PLANS_DIR|RESTRICTED_MODE|YOLO_MODE)",
    ),
)
"""`tools` and `security` lift confirmations and the folder's trust, `advanced` names what of an .env file counts."""
