"""What `init` and `doctor` ask of Claude Code. Satisfies `hooks.setup.Setup`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from hooks.hosts.claude_code.ancestry import MARKS
from hooks.hosts.claude_code.entries import (
    COMMAND_ONLY,
    MCP_PREFIX,
    STATUS_MESSAGE,
    TIMEOUT_SECONDS,
    WRITE_TOOLS,
    empty_containers,
    entries,
    is_http,
    is_written_for,
    matcher_of,
    merge,
    own_handlers,
    remove,
)
from hooks.hosts.claude_code.events import EVENTS
from hooks.hosts.claude_code.mcp_servers import mcp_servers
from hooks.hosts.claude_code.seen_tools import seen_tools
from hooks.hosts.claude_code.settings import (
    HOOKS_OFF,
    dead_matchers,
    fatal_entries,
    ignored_entries,
    matches,
    read_object,
    settings_files,
    ungated,
    wires,
)

__all__ = [
    "AGENT_MARKS",
    "COMMAND_ONLY",
    "HOOKS_OFF",
    "HTTP_URLS",
    "HTTP_VARIABLES",
    "LOCAL_FILE",
    "MANAGED_ONLY",
    "MCP_PREFIX",
    "OLDEST",
    "PROGRAM",
    "SESSIONS",
    "STATUS_MESSAGE",
    "TIMEOUT_SECONDS",
    "USER_FILE",
    "WRITE_TOOLS",
    "dead_matchers",
    "denies",
    "empty_containers",
    "entries",
    "fatal_entries",
    "ignored_entries",
    "is_http",
    "is_written_for",
    "managed_file",
    "matcher_of",
    "matches",
    "mcp_servers",
    "merge",
    "own_handlers",
    "payload",
    "plugin_enabled",
    "read_object",
    "remove",
    "seen_tools",
    "settings_files",
    "ungated",
    "wires",
]

USER_FILE: str = ".claude/settings.json"
LOCAL_FILE: str = ".claude/settings.local.json"
MANAGED_FILE: str = "/etc/claude-code/managed-settings.json"
SESSIONS: str = "~/.claude/projects"
AGENT_MARKS: tuple[str, ...] = (*MARKS, "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_PID")
PROGRAM: str = "claude"
OLDEST: tuple[int, ...] = (2, 1, 198)
"""The first client that honours onFailure; 2.1.197 lets the tool run when the hook fails."""
MANAGED_ONLY: str = "allowManagedHooksOnly"
HTTP_URLS: str = "allowedHttpHookUrls"
HTTP_VARIABLES: str = "httpHookAllowedEnvVars"


def managed_file() -> str:
    return MANAGED_FILE


def plugin_enabled(settings: Mapping[str, object]) -> bool:
    """--plugin-dir leaves no such trace."""
    plugins = settings.get("enabledPlugins")
    named = cast(dict[str, object], plugins) if isinstance(plugins, dict) else {}
    return any(name.split("@")[0] == "compass" and on is True for name, on in named.items())


def payload(tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
    found = {
        "session_id": session,
        "hook_event_name": EVENTS["pre-tool-use"],
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": session,
        "cwd": project_dir,
    }
    return json.dumps(found).encode()


def denies(answer: Mapping[str, object]) -> bool:
    output = answer.get("hookSpecificOutput")
    return isinstance(output, dict) and cast(dict[str, object], output).get("permissionDecision") == "deny"
