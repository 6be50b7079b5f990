"""A call of Bash or Write as a host tells its hook, by the names that the host's player uses."""

from __future__ import annotations

import json

from played.hosts import chibi, copilot, cursor, gemini, opencode

from hooks import registry

TOLD = {"tool_name": "tool_input", "toolName": "toolArgs", "tool": "args"}
"""Where hosts tell a call's tool, and its input."""
OWN = {
    "chibi": chibi.TOOLS,
    "copilot": copilot.TOOLS,
    "cursor": cursor.TOOLS,
    "gemini": gemini.TOOLS,
    "opencode": opencode.TOOLS,
}


def payload_of(name: str, tool: str, given: dict[str, str], project: str, session: str) -> bytes:
    told = json.loads(registry.host_of(name).setup().trial(project, session))
    own, fields = OWN[name][tool] if name in OWN else (tool, {})
    said = {fields.get(key, key): value for key, value in given.items()}
    if name == "codex" and tool == "Write":
        added = f"*** Add File: {given['file_path']}\n+{given['content']}\n"
        own, said = "apply_patch", {"command": f"*** Begin Patch\n{added}*** End Patch\n"}
    if name == "chibi":
        call = {"hook": chibi.ASKED_LATER[own], "data": {"tool_name": own, **said}}
    else:
        field = next(one for one in TOLD if one in told)
        call = {field: own, TOLD[field]: said}
    return json.dumps(told | call).encode()
