"""Whether settings call one of our very commands: only what `compass init` writes counts here, to the letter.

Program, matcher, time and what a failure does; a file of a project may hold anything that looks like an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from hooks.hosts.claude_code.entries import STATUS_MESSAGE, TIMEOUT_SECONDS, is_written_for
from hooks.hosts.claude_code.settings import HOOKS_OFF, fatal_entries


def is_called(settings: Mapping[str, object], event: str, tool: str, commands: frozenset[str]) -> bool:
    """Whether the host, given these settings, runs one of the commands for this tool, and heeds it."""
    if settings.get(HOOKS_OFF) is True or fatal_entries(settings):
        return False
    hooks = cast(dict[str, object], settings.get("hooks"))
    groups = hooks.get(event)
    return isinstance(groups, list) and any(
        _calls(group, tool, commands) for group in cast(list[object], groups)
    )


def _calls(group: object, tool: str, commands: frozenset[str]) -> bool:
    if not isinstance(group, dict):
        return False
    held = cast(dict[str, object], group)
    handlers = held.get("hooks")
    if set(held) - {"matcher", "hooks"} or not isinstance(handlers, list):
        return False
    if not is_written_for(str(held.get("matcher", tool)), tool):
        return False
    return any(_is_whole(handler, commands) for handler in cast(list[object], handlers))


def _is_whole(handler: object, commands: frozenset[str]) -> bool:
    if not isinstance(handler, dict):
        return False
    found = dict(cast(dict[str, object], handler))
    known = found.pop("command", None) in commands and found.pop("type", None) == "command"
    fails = found.pop("onFailure", "continue") in ("block", "continue")
    told = found.pop("statusMessage", STATUS_MESSAGE) == STATUS_MESSAGE
    return known and fails and told and found == {"timeout": TIMEOUT_SECONDS}
