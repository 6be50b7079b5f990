"""What `init` and `doctor` ask of Claude Code. Satisfies `hooks.setup.Setup`.

Light on purpose, as `settings` is: a hook asks it where two wirings may judge one call.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from hooks.hosts.claude_code.called import is_called
from hooks.hosts.claude_code.entries import (
    COMMAND_ONLY,
    HEARD_TOOLS,
    MCP_PREFIX,
    TIMEOUT_SECONDS,
    WRITE_TOOLS,
    empty_containers,
    entries,
    is_http,
    matcher_of,
    merge,
    own_handlers,
    remove,
)
from hooks.hosts.claude_code.events import EVENTS
from hooks.hosts.claude_code.marks import AGENT_MARKS
from hooks.hosts.claude_code.settings import (
    HOOKS_OFF,
    dead_matchers,
    fatal_entries,
    ignored_entries,
    matches,
    settings_files,
    ungated,
    wires,
)
from hooks.hosts.claude_code.status_line import has_status_line, with_status_line, without_status_line
from hooks.json_file import read_object
from hooks.promises import Promises

if TYPE_CHECKING:
    from hooks.setup import Advice, Seen
    from hooks.wiring import Wiring

__all__ = [
    "AGENT_MARKS",
    "COMMAND",
    "COMMAND_ONLY",
    "EXECUTABLE",
    "HEARD_TOOLS",
    "HOOKS_OFF",
    "HTTP_URLS",
    "HTTP_VARIABLES",
    "LOCAL_FILE",
    "MANAGED_ONLY",
    "MCP_PREFIX",
    "OLDEST",
    "PROGRAM",
    "PROMISES",
    "SESSIONS",
    "TIMEOUT_SECONDS",
    "USER_FILE",
    "WRITE_TOOLS",
    "dead_matchers",
    "denies",
    "empty_containers",
    "entries",
    "fatal_entries",
    "findings",
    "has_status_line",
    "ignored_entries",
    "is_called",
    "is_http",
    "is_own_file",
    "managed_file",
    "matcher_of",
    "matches",
    "mcp_servers",
    "merge",
    "own_handlers",
    "payload",
    "plugin_enabled",
    "read_object",
    "refuses",
    "remove",
    "seen_tools",
    "sessions_folder",
    "settings_files",
    "silent",
    "ungated",
    "user_file",
    "whole_file",
    "wires",
    "with_status_line",
    "without_status_line",
]

USER_FILE: str = ".claude/settings.json"
LOCAL_FILE: str = ".claude/settings.local.json"
MANAGED_FILE: str = "/etc/claude-code/managed-settings.json"
SESSIONS: str = "~/.claude/projects"
PROGRAM: str = "claude"
OLDEST: tuple[int, ...] = (2, 1, 198)
"""The first client that honours onFailure; 2.1.197 lets the tool run when the hook fails."""
COMMAND: str = "command"
EXECUTABLE: bool = False
PROMISES: Promises = Promises(
    tried="2.1.330",
    gates_writes=True,
    gates_shell=True,
    closed_on=("crash", "exit code", "missing program", "timeout"),
    shows_person="whole, and once",
    sees_request=True,
    sees_prior_turn=True,
    answers_count=True,
)
MANAGED_ONLY: str = "allowManagedHooksOnly"
HTTP_URLS: str = "allowedHttpHookUrls"
HTTP_VARIABLES: str = "httpHookAllowedEnvVars"


def user_file(env: Mapping[str, str], home: str) -> str:
    return os.path.join(home, USER_FILE)


def whole_file(wiring: Wiring) -> str | None:
    return None


def is_own_file(text: str) -> bool:
    return False


def findings(env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
    """What other agents make of these settings."""
    from hooks.hosts.copilot.setup import silent_in_copilot
    from hooks.hosts.cursor.setup import silent_in_cursor

    return (*silent_in_cursor(home), *silent_in_copilot(env, home))


def managed_file() -> str:
    return MANAGED_FILE


def sessions_folder(home: str, project_dir: str) -> str:
    from hooks.hosts.claude_code.seen_tools import sessions_folder as found

    return found(home, project_dir)


def seen_tools(home: str, project_dir: str) -> Mapping[str, Seen]:
    from hooks.hosts.claude_code.seen_tools import seen_tools as found

    return found(home, project_dir)


def mcp_servers(home: str, project_dir: str, settings: Iterable[Mapping[str, object]]) -> list[str]:
    from hooks.hosts.claude_code.mcp_servers import mcp_servers as found

    return found(home, project_dir, settings)


def plugin_enabled(settings: Mapping[str, object]) -> bool | None:
    """--plugin-dir leaves no such trace. 2.1.330, tried: what a project's file says outweighs the user's."""
    plugins = settings.get("enabledPlugins")
    named = cast(dict[str, object], plugins) if isinstance(plugins, dict) else {}
    said = [on is True for name, on in named.items() if name.split("@")[0] == "compass"]
    return any(said) if said else None


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


def refuses(code: int, stdout: bytes, stderr: bytes) -> bool:
    """Any text around the one object counts as none."""
    try:
        found = cast(object, json.loads(stdout))
    except ValueError:
        return False
    return code == 0 and isinstance(found, dict) and denies(cast(dict[str, object], found))


def silent(code: int, stdout: bytes) -> bool:
    return code == 0 and not stdout.strip()
