"""Gemini CLI's tools in Compass's words, as its 0.61.0 names them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from evaluator.effects import digest, text_of

NAMES: Mapping[str, str] = {
    "write_file": "Write",
    "replace": "Edit",
    "run_shell_command": "Bash",
    "read_file": "Read",
    "read_many_files": "Read",
    "read_background_output": "Read",
    "list_background_processes": "LS",
    "list_directory": "LS",
    "glob": "Glob",
    "grep_search": "Grep",
    "search_file_content": "Grep",
    "get_internal_docs": "Read",
    "google_web_search": "WebSearch",
    "web_fetch": "WebFetch",
    "write_todos": "TodoWrite",
    "list_mcp_resources": "ListMcpResources",
    "read_mcp_resource": "ReadMcpResource",
}
"""{the host's name: Compass's}. A tool that has no row keeps its name."""
NEVER_WRITES: frozenset[str] = frozenset(
    (
        "Read",
        "LS",
        "Glob",
        "Grep",
        "WebSearch",
        "WebFetch",
        "TodoWrite",
        "ListMcpResources",
        "ReadMcpResource",
    )
)
LEFT_ALONE: frozenset[str] = frozenset(
    (
        "activate_skill",
        "ask_user",
        "cli_help",
        "codebase_investigator",
        "complete_task",
        "enter_plan_mode",
        "exit_plan_mode",
        "generalist",
        "invoke_agent",
        "take_snapshot",
        "tracker_add_dependency",
        "tracker_create_task",
        "tracker_get_task",
        "tracker_list_tasks",
        "tracker_update_task",
        "tracker_visualize",
        "update_topic",
    )
)
"""They ask, keep the agent's own list, or start agents whose calls are hooked themselves."""

_EDITS = ("file_path", "old_string", "new_string")
_MCP = "mcp_"
_DISCOVERED = "discovered_tool_"
"""A tool that a command of the user's settings offers: nobody says what it does but its name."""


def translated(payload: Mapping[str, object]) -> tuple[str, object]:
    """(tool_name, tool_input) of a payload in Compass's words; the input as it is where it is no object."""
    name, given = text_of(payload, "tool_name"), payload.get("tool_input")
    known = NAMES.get(name) or _served(name, payload.get("mcp_context"))
    if not isinstance(given, dict):
        return known, given
    found = cast(dict[str, object], given)
    if known == "Edit":
        kept = {key: value for key, value in found.items() if key in _EDITS}
        return known, {**kept, "replace_all": found.get("allow_multiple") is True}
    return known, found


def call_id(session: str, name: str, given: object) -> str:
    """The host gives calls no id: what is called is the same before and after it ran."""
    return digest("gemini", session, name, json.dumps(given, sort_keys=True))


def _served(name: str, context: object) -> str:
    """Tools of MCP servers as `mcp__SERVER__TOOL`; others as they are."""
    if name.startswith(_DISCOVERED):
        return f"mcp__discovered__{name.removeprefix(_DISCOVERED)}"
    if not name.startswith(_MCP) or name.startswith("mcp__"):
        return name
    if isinstance(context, dict):
        said = cast(dict[str, object], context)
        server, tool = text_of(said, "server_name"), text_of(said, "tool_name")
        if server and tool:
            return f"mcp__{server}__{tool}"
    return _split(name.removeprefix(_MCP))


def _split(name: str) -> str:
    """SERVER_TOOL without a word on where the server's name ends: at a tool that is known to write, else at once."""
    from evaluator.settings.mcp_writers import MCP_WRITERS

    known = {row.removeprefix("mcp__*__") for row, _ in MCP_WRITERS}
    places = [at for at, sign in enumerate(name) if sign == "_" and 0 < at < len(name) - 1]
    at = next((at for at in places if name[at + 1 :] in known), places[0] if places else None)
    return f"mcp__{name}" if at is None else f"mcp__{name[:at]}__{name[at + 1 :]}"
