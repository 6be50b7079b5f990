"""Copilot CLI's tools in Compass's words, as its 1.0.102 names them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

from evaluator.effects import digest, text_of
from hooks.payloads import renamed

NAMES: Mapping[str, str] = {
    "create": "Write",
    "edit": "Edit",
    "bash": "Bash",
    "powershell": "PowerShell",
    "write_bash": "REPL",
    "write_powershell": "REPL",
    "view": "Read",
    "grep": "Grep",
    "rg": "Grep",
    "glob": "Glob",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
}
"""{the host's name: Compass's}. A tool that has no row keeps its name. What types into a running shell is a REPL: no
other hook sees what it starts."""
NEVER_WRITES: frozenset[str] = frozenset(
    (
        "Read",
        "Grep",
        "Glob",
        "WebFetch",
        "WebSearch",
        "read_bash",
        "list_bash",
        "read_powershell",
        "list_powershell",
        "read_agent",
        "list_agents",
        "session_store_sql",
        "fetch_copilot_cli_documentation",
        "report_intent",
    )
)
LEFT_ALONE: frozenset[str] = frozenset(
    (
        "ask_user",
        "exit_plan_mode",
        "skill",
        "sql",
        "stop_bash",
        "stop_powershell",
        "store_memory",
        "task",
        "task_complete",
        "update_todo",
        "write_agent",
    )
)
"""They ask, keep the session's own list (`sql`), or start agents whose calls are hooked themselves."""
_FIELDS: Mapping[str, Mapping[str, str]] = {
    "Write": {"path": "file_path", "file_text": "content"},
    "Edit": {"path": "file_path", "old_str": "old_string", "new_str": "new_string"},
    "Read": {"path": "file_path"},
}
_PATCH = "*** Begin Patch"
_FAILED = re.compile(r"<shellId: [^\n>]* completed with exit code -?0*[1-9]\d*>\s*\Z")


def translated(name: str, given: object) -> tuple[str, object]:
    """(tool_name, tool_input) in Compass's words; an input that is neither an object nor a text stays as it is."""
    if isinstance(given, str):
        if name == "apply_patch" or given.lstrip().startswith(_PATCH):
            return "apply_patch", {"input": given}
        parsed = _parsed(given)
        given = parsed if parsed is not None else {"command" if name in ("bash", "Bash") else "input": given}
    known = NAMES.get(name) or _served(name)
    if not isinstance(given, dict):
        return known, given
    found = cast(dict[str, object], given)
    fields = _FIELDS.get(known, {})
    if known == "Edit":
        found = {key: value for key, value in found.items() if key != "edits"}
    return known, renamed(found, fields)


def call_id(session: str, agent: str, name: str, given: object) -> str:
    """The host gives a hook no id of the call: what is called is the same before and after it ran."""
    return digest("copilot", session, agent, name, json.dumps(given, sort_keys=True))


def failed(result: object) -> bool:
    """By what is told of a call that ended: a command's exit code stands in the last line alone."""
    if not isinstance(result, dict):
        return False
    found = cast(Mapping[str, object], result)
    kind = text_of(found, "resultType")
    return (
        kind not in ("", "success") or _FAILED.search(text_of(found, "textResultForLlm")[-200:]) is not None
    )


def _parsed(text: str) -> dict[str, object] | None:
    try:
        found = cast(object, json.loads(text))
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, object], found) if isinstance(found, dict) else None


def _served(name: str) -> str:
    """SERVER-TOOL of an MCP server; both may hold a dash. A tool that is known to write tells where they part."""
    if "-" not in name.strip("-"):
        return name
    from evaluator.settings.mcp_writers import MCP_WRITERS

    known = {pattern.rpartition("__")[2] for pattern, _ in MCP_WRITERS}
    places = [at for at in range(1, len(name) - 1) if name[at] == "-"]
    at = next((place for place in places if name[place + 1 :] in known), places[-1])
    return f"mcp__{name[:at]}__{name[at + 1 :]}"
