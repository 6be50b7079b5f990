"""Claude Code's settings files around a project, and which of them really wire Compass. Reads only.

Light on purpose: the plugin's run asks it inside the hook, so that one call is not judged twice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import cast

from evaluator.settings.repository import project_root, work_trees
from hooks.hosts.claude_code.entries import own_handlers
from hooks.json_file import read_object

HANDLER_TYPES = {
    "command": "command",
    "prompt": "prompt",
    "agent": "prompt",
    "http": "url",
    "mcp_tool": "tool",
}
"""Each type of handler and a field of it that must be a string."""
HOOKS_OFF: str = "disableAllHooks"
FATAL_EVENTS = frozenset(("PreToolUse", "PermissionRequest"))
"""One bad entry of these drops the whole file; of any other event, itself alone (seen with 2.1.330)."""
_EXACT_NAMES = re.compile(r"[a-zA-Z0-9_|, -]*")


def settings_files(home: str, project_dir: str) -> tuple[str, ...]:
    """In the client's order, without repeats (home may be the project)."""
    paths = (
        os.path.join(home, ".claude", "settings.json"),
        os.path.join(project_dir, ".claude", "settings.json"),
        os.path.join(project_dir, ".claude", "settings.local.json"),
    )
    return tuple(dict.fromkeys(paths))


def wires(settings: object, event: str) -> bool:
    """Whether the client, given these settings, would run Compass at this event."""
    if not isinstance(settings, dict):
        return False
    held = cast(dict[str, object], settings)
    own = any(name == event for name, _, _ in own_handlers(held))
    return own and not fatal_entries(held) and held.get(HOOKS_OFF) is not True


def ungated(home: str, project_dir: str, *, plugin: bool = False) -> tuple[str, ...]:
    """The other work trees of the project's repository in which no settings file calls Compass."""
    event = "PreToolUse"
    if plugin or wires(read_object(os.path.join(home, ".claude", "settings.json")), event):
        return ()
    others = (tree for tree in work_trees(project_dir) if tree != project_root(project_dir))
    return tuple(
        tree
        for tree in others
        if not any(wires(read_object(path), event) for path in settings_files(home, tree))
    )


def fatal_entries(settings: Mapping[str, object]) -> list[str]:
    """What makes the client drop the whole file, one line each."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        return ["hooks: must be an object"]
    named = cast(dict[str, object], hooks)
    return _faults({event: groups for event, groups in named.items() if event in FATAL_EVENTS})


def ignored_entries(settings: Mapping[str, object]) -> list[str]:
    """Entries that the client leaves out, with the rest of the file in force, one line each."""
    hooks = settings.get("hooks", {})
    named = cast(dict[str, object], hooks) if isinstance(hooks, dict) else {}
    return _faults({event: groups for event, groups in named.items() if event not in FATAL_EVENTS})


def dead_matchers(settings: Mapping[str, object]) -> list[str]:
    """Matchers that no tool can match, because they are not a regex; the client says nothing of them."""
    hooks = settings.get("hooks", {})
    found: list[str] = []
    for event, groups in cast(dict[str, object], hooks).items() if isinstance(hooks, dict) else ():
        for group in cast(list[object], groups) if isinstance(groups, list) else ():
            matcher = cast(dict[str, object], group).get("matcher") if isinstance(group, dict) else None
            if isinstance(matcher, str) and not _compiles(matcher):
                found.append(f"hooks.{event}: matcher {matcher[:60]!r} is no valid regex and matches nothing")
    return found


def matches(matcher: object, tool_name: str) -> bool:
    """Whether the client runs a hook with this matcher for a tool: exact names, or a regex (seen with 2.1.330)."""
    if matcher in (None, "", "*"):
        return True
    if not isinstance(matcher, str):
        return False
    if _EXACT_NAMES.fullmatch(matcher):
        return tool_name in {name.strip() for name in matcher.replace(",", "|").split("|")}
    try:
        return re.search(matcher, tool_name) is not None
    except re.error:
        return False


def _faults(hooks: Mapping[str, object]) -> list[str]:
    return [
        f"hooks.{event}{place}: {wrong}"
        for event, groups in hooks.items()
        for place, wrong in _event_faults(groups)
    ]


def _event_faults(groups: object) -> list[tuple[str, str]]:
    if not isinstance(groups, list):
        return [("", "must be a list")]
    found: list[tuple[str, str]] = []
    for number, group in enumerate(cast(list[object], groups)):
        if not isinstance(group, dict):
            found.append((f"[{number}]", "must be an object"))
            continue
        held = cast(dict[str, object], group)
        if not isinstance(held.get("matcher", ""), str):
            found.append((f"[{number}].matcher", "must be a string"))
        handlers = held.get("hooks")
        if not isinstance(handlers, list):
            found.append((f"[{number}].hooks", "must be a list"))
            continue
        for place, handler in enumerate(cast(list[object], handlers)):
            found += [(f"[{number}].hooks[{place}]", wrong) for wrong in _handler_faults(handler)]
    return found


def _handler_faults(handler: object) -> list[str]:
    if not isinstance(handler, dict):
        return ["must be an object"]
    held = cast(dict[str, object], handler)
    needed = HANDLER_TYPES.get(str(held.get("type")))
    if needed is None:
        return [f"unknown type {str(held.get('type'))[:40]!r}"]
    found: list[str] = []
    if not isinstance(held.get(needed), str):
        found.append(f"{needed} must be a string")
    timeout = held.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        found.append(f"timeout must be a positive number of seconds, not {timeout!r}")
    if held.get("onFailure", "block") not in ("block", "continue"):
        found.append("onFailure must be block or continue")
    return found


def _compiles(matcher: str) -> bool:
    if _EXACT_NAMES.fullmatch(matcher) or matcher == "*":
        return True
    try:
        re.compile(matcher)
    except re.error:
        return False
    return True
