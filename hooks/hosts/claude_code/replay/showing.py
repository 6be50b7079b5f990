"""What Claude Code 2.1 makes of a hook's answer: what the person sees, what the agent is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from hooks.hosts.claude_code.setup import denies
from hooks.recorded import answered
from hooks.sessions import Shown


def shown(answer: bytes) -> Shown:
    """A `systemMessage` is shown whole, a denial's reason by its first line. Raises ValueError for no JSON object."""
    value = answered(answer)
    output = value.get("hookSpecificOutput")
    inner = cast(dict[str, object], output) if isinstance(output, dict) else {}
    denied, stops = denies(value), value.get("continue") is False or value.get("decision") == "block"
    reason = _text(inner, "permissionDecisionReason")
    stop = (_text(value, "stopReason") or _text(value, "reason")) if stops and not denied else ""
    person = _text(value, "systemMessage") or stop or reason.partition("\n")[0]
    return Shown(denied, stops, person, reason or _text(inner, "additionalContext"))


def _text(value: Mapping[str, object], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
