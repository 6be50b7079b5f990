"""OpenCode's tools in Compass's words. Light: a skipped call of a hook imports it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hooks.payloads import renamed

READS: Mapping[str, str] = {
    "read": "Read",
    "glob": "Glob",
    "grep": "Grep",
    "list": "LS",
    "ls": "LS",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
    "codesearch": "WebSearch",
    "todoread": "TodoRead",
    "todowrite": "TodoWrite",
    "lsp": "LSP",
    "skill": "Skill",
    "question": "AskUserQuestion",
    "plan_enter": "EnterPlanMode",
    "plan_exit": "ExitPlanMode",
    "list_mcp_resources": "ListMcpResources",
    "list_mcp_resource_templates": "ListMcpResources",
    "read_mcp_resource": "ReadMcpResource",
    "invalid": "Invalid",
}
"""Tools of the client's own that write nothing: its plugin asks nobody about them."""
WRITES: Mapping[str, str] = {
    "write": "Write",
    "edit": "Edit",
    "multiedit": "MultiEdit",
    "bash": "Bash",
    "apply_patch": "apply_patch",
    "patch": "apply_patch",
}
DELEGATES = "task"
"""Starts an agent, whose calls are hooked themselves; its end is heard."""
_FIELDS: Mapping[str, str] = {
    "filePath": "file_path",
    "oldString": "old_string",
    "newString": "new_string",
    "replaceAll": "replace_all",
    "patchText": "input",
}
_ODD = re.compile(r"[^a-zA-Z0-9_-]")


def name_of(tool: str, servers: Sequence[str]) -> str:
    """A tool's name; that of an MCP server's tool is `mcp__SERVER__TOOL`, any other stays as it is."""
    known = WRITES.get(tool) or READS.get(tool)
    if known or tool == DELEGATES:
        return known or "Task"
    server = max((one for one in servers if tool.startswith(f"{_ODD.sub('_', one)}_")), key=len, default="")
    return f"mcp__{server}__{tool[len(server) + 1 :]}" if server else tool


def input_of(tool: str, args: Mapping[str, object]) -> Mapping[str, object]:
    """The input of a tool of the client's own in Compass's words; any other's is its own."""
    if tool not in WRITES:
        return args
    if tool == "edit":
        args = {name: value for name, value in args.items() if name != "edits"}
    return renamed(args, _FIELDS)
