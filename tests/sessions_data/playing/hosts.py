"""The players of all hosts but Claude Code, and a call of Bash or Write as a host tells its hook."""

from __future__ import annotations

import json

from sessions_data.playing.documented_hosts import ASKED_LATER, ChibiSession, CursorSession, OpenCodeSession
from sessions_data.playing.host_session import HostSession
from sessions_data.playing.recorded_hosts import CodexSession, CopilotSession, GeminiSession

from hooks import registry

SESSIONS: dict[str, type[HostSession]] = {
    kind.NAME: kind
    for kind in (ChibiSession, CodexSession, CopilotSession, CursorSession, GeminiSession, OpenCodeSession)
}
TOLD = {"tool_name": "tool_input", "toolName": "toolArgs", "tool": "args"}
"""Where hosts tell a call's tool, and its input."""


def payload_of(name: str, tool: str, given: dict[str, str], project: str, session: str) -> bytes:
    told = json.loads(registry.host_of(name).setup().trial(project, session))
    known = SESSIONS[name].TOOLS if name in SESSIONS else {}
    own, fields = known.get(tool, (tool, {}))
    said = {fields.get(key, key): value for key, value in given.items()}
    if name == "codex" and tool == "Write":
        added = f"*** Add File: {given['file_path']}\n+{given['content']}\n"
        own, said = "apply_patch", {"command": f"*** Begin Patch\n{added}*** End Patch\n"}
    if name == "chibi":
        call = {"hook": ASKED_LATER[own], "data": {"tool_name": own, **said}}
    else:
        field = next(one for one in TOLD if one in told)
        call = {field: own, TOLD[field]: said}
    return json.dumps(told | call).encode()
