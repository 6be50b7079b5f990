"""Claude Code's settings: the entries that Compass puts there, and which of them the client would run. Reads only.

What an entry may hold, and what the client does when a hook fails, is in Claude Code's hook protocol: one invalid entry
makes the client drop the whole settings file. Light on purpose: a hook asks where two wirings may judge one call.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from evaluator.errors import ConfigError
from evaluator.trigger.tools import CLIENT_TOOLS
from hooks.entries import hook_command, invocation_of
from hooks.host import host_table
from hooks.json_lines import is_array, mapping, mappings, sequence
from hooks.setup import TIMEOUT_SECONDS, Settings, Setup

if TYPE_CHECKING:
    from hooks.entries import Wiring
    from hooks.host import Host

_TABLE = host_table("claude-code")
_EVENTS: Mapping[str, str] = _TABLE["events"]
HOOKS_OFF: str = _TABLE["setup"]["hooks_off"]
STATUS_MESSAGE = "Compass reads the request"
HANDLER_TYPES = {
    "command": "command",
    "prompt": "prompt",
    "agent": "prompt",
    "http": "url",
    "mcp_tool": "tool",
}
"""Each type of handler and a field of it that must be a string."""
FATAL_EVENTS = frozenset(("PreToolUse", "PermissionRequest"))
"""One bad entry of these drops the whole file; of any other event, itself alone (seen with 2.1.330)."""
KEY = "statusLine"
COMMAND = "statusline"
# Names outside of this set cannot be names of tools, and one would be read as part of the regex.
_TOOL_NAME = r"[A-Za-z0-9_-]+"
_WRITTEN = r"\^\(([A-Za-z0-9_-]+(?:\|[A-Za-z0-9_-]+)*)\|mcp__\.\*\)\$"
_EXACT_NAMES = r"[a-zA-Z0-9_|, -]*"


class ClaudeSetup(Setup):
    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.entry, self.is_own, self.matcher_of, self.matches = entry, is_own, matcher_of, matches

    def fatal_entries(self, settings: Settings) -> list[str]:
        hooks = settings.get("hooks", {})
        if not isinstance(hooks, dict):
            return ["hooks: must be an object"]
        return [
            f"hooks.{event}[{place}] is not an entry that Claude Code can read"
            for event, groups in mapping(cast(object, hooks)).items()
            if event in FATAL_EVENTS
            for place, group in enumerate(sequence(groups) if is_array(groups) else (None,))
            if not _is_valid_hook_group(group)
        ]

    def settings_files(self, home: str, project_dir: str) -> tuple[str, ...]:
        """In the client's order, without repeats (home may be the project)."""
        user, names = os.path.join(home, ".claude", "settings.json"), ("settings.json", "settings.local.json")
        return tuple(dict.fromkeys((user, *(os.path.join(project_dir, ".claude", name) for name in names))))

    def wires(self, settings: object, event: str) -> bool:
        off = mapping(settings).get(HOOKS_OFF) is True
        return super().wires(settings, event) and not off and not self.fatal_entries(mapping(settings))

    def plugin_enabled(self, settings: Settings) -> bool | None:
        """--plugin-dir leaves no such trace. 2.1.330, tried: what a project's file says outweighs the user's."""
        named = mapping(settings.get("enabledPlugins"))
        said = [on is True for name, on in named.items() if name.split("@")[0] == "compass"]
        return any(said) if said else None

    def is_called(self, settings: Settings, event: str, tool: str, commands: frozenset[str]) -> bool:
        """Only what `compass init` writes counts here, to the letter: program, matcher, time and what a failure does;
        a file of a project may hold anything that looks like an entry."""
        if settings.get(HOOKS_OFF) is True or self.fatal_entries(settings):
            return False
        return any(
            _is_whole_hook_handler(handler, commands)
            for group in mappings(mapping(settings.get("hooks")).get(event))
            if {"matcher", "hooks"}.issuperset(group)
            and is_written_for(str(group.get("matcher", tool)), tool)
            for handler in mappings(group.get("hooks"))
        )

    FILLS_STATUS_LINE = True

    def with_status_line(
        self, settings: Settings, wiring: Wiring, hidden: Sequence[Settings]
    ) -> dict[str, object]:
        if not self.has_status_line(settings) and any(
            KEY in one and not self.has_status_line(one) for one in (settings, *hidden)
        ):
            raise ConfigError(
                f"your own {KEY} is already set: have its command call `compass statusline`, or remove it"
            )
        line = shlex.join((wiring.interpreter, "-I", "-S", wiring.script, COMMAND, *wiring.said))
        return {**settings, KEY: {**mapping(settings.get(KEY)), "type": "command", "command": line}}

    def without_status_line(self, settings: Settings) -> dict[str, object]:
        own = self.has_status_line(settings)
        return {name: value for name, value in settings.items() if name != KEY or not own}

    def has_status_line(self, settings: Settings) -> bool:
        command = mapping(settings.get(KEY)).get("command")
        try:
            words = shlex.split(command) if isinstance(command, str) else []
        except ValueError:
            return False
        at = words.index(COMMAND) if COMMAND in words[1:] else 0
        return at > 0 and PurePath(words[at - 1]).parts[-2:] == ("compass", "__main__.py")


def entry(event: str, wiring: Wiring) -> dict[str, object]:
    """A matcher group for an event (Compass's word)."""
    name = _EVENTS[event]
    command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
    handler: dict[str, object] = {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}
    if name == "PreToolUse":
        handler["onFailure"] = "block" if wiring.blocks else "continue"
        handler["statusMessage"] = STATUS_MESSAGE
    matcher = matcher_of(name, wiring.mcp_tools)
    return {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}


def matcher_of(event: str, mcp_tools: Sequence[str] = ()) -> str | None:
    """A regex of the tools that an event is wired for, or None for an event without tools.

    Every tool of an MCP server is: what a server is called, and so its tools' names, is its user's choice, and a row
    that is added to `gate.mcp_tools` counts at once.
    """
    if event not in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        return None
    further = (name for name in mcp_tools if re.fullmatch(_TOOL_NAME, name) and not name.startswith("mcp__"))
    heard = () if event == "PreToolUse" else _TABLE["setup"]["heard_tools"]
    names = (*_TABLE["setup"]["write_tools"], *CLIENT_TOOLS, *further, *heard)
    return f"^({'|'.join(dict.fromkeys(names))}|mcp__.*)$"


def is_written_for(matcher: str, tool_name: str) -> bool:
    """Whether a matcher in the form of `matcher_of`, or of exact names as 0.1.0 wrote, is for this tool.

    No other regex counts: one that the host reads in another way than this process could make a call go unjudged.
    """
    written = re.fullmatch(_WRITTEN, matcher)
    if written is None:
        return tool_name in matcher.split("|")
    is_mcp = tool_name.startswith("mcp__") and re.fullmatch(_TOOL_NAME, tool_name) is not None
    return is_mcp or tool_name in written[1].split("|")


def is_own(handler: object) -> bool:
    """Whether a hook handler is one that this module writes, by whatever interpreter."""
    command = mapping(handler).get("command")
    return isinstance(command, str) and invocation_of(command) is not None


def matches(matcher: object, tool_name: str) -> bool:
    """Whether the client runs a hook with this matcher for a tool: exact names, or a regex (seen with 2.1.330)."""
    if matcher in (None, "", "*"):
        return True
    if not isinstance(matcher, str):
        return False
    if re.fullmatch(_EXACT_NAMES, matcher):
        return tool_name in {name.strip() for name in matcher.replace(",", "|").split("|")}
    try:
        return re.search(matcher, tool_name) is not None
    except re.error:
        return False


def _is_valid_hook_group(group: object) -> bool:
    held = mapping(group)
    handlers = held.get("hooks")
    return (
        isinstance(held.get("matcher", ""), str)
        and isinstance(handlers, list)
        and all(map(_is_valid_hook_handler, cast("list[object]", handlers)))
    )


def _is_valid_hook_handler(handler: object) -> bool:
    held = mapping(handler)
    kind, timeout = str(held.get("type")), held.get("timeout", 1)
    return (
        kind in HANDLER_TYPES
        and isinstance(held.get(HANDLER_TYPES[kind]), str)
        and type(timeout) in (int, float)
        and float(str(timeout)) > 0
        and held.get("onFailure", "block") in ("block", "continue")
    )


def _is_whole_hook_handler(handler: Mapping[str, object], commands: frozenset[str]) -> bool:
    found = dict(handler)
    known = found.pop("command", None) in commands and found.pop("type", None) == "command"
    fails = found.pop("onFailure", "continue") in ("block", "continue")
    told = found.pop("statusMessage", STATUS_MESSAGE) == STATUS_MESSAGE
    return known and fails and told and found == {"timeout": TIMEOUT_SECONDS}
