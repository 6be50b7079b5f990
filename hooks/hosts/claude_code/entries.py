"""The hook entries that Compass puts into a host's settings: built, merged, taken out.

Pure functions over settings as plain JSON values; files, text and git live elsewhere. What an entry may
hold, and what the client does when a hook fails, is in Claude Code's hook protocol: one invalid entry
makes the client drop the whole settings file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from evaluator.errors import ConfigError
from evaluator.service.tokens import HOOKS_PATH, PROJECT_HEADER, TOKEN_VARIABLE, WIRED_HEADER, hook_url
from evaluator.trigger.tools import CLIENT_TOOLS
from hooks.hosts.claude_code import events
from hooks.wiring import HttpWiring, Wiring, hook_command, program_of

EVENTS: Mapping[str, str] = {name: word for word, name in events.EVENTS.items()}
"""{the host's event: Compass's word}."""
WRITE_TOOLS: tuple[str, ...] = ("Write", "Edit", "MultiEdit", "NotebookEdit", "Bash")
ANSWER_TOOLS = ("AskUserQuestion", "ExitPlanMode")
AGENT_TOOLS = ("Agent", "Task")
"""They end where a person can be told what a subagent's call was told; the second is an older client's name."""
HEARD_TOOLS: tuple[str, ...] = (*ANSWER_TOOLS, *AGENT_TOOLS)
TIMEOUT_SECONDS: int = 30
STATUS_MESSAGE: str = "Compass reads the request"
COMMAND_ONLY: tuple[str, ...] = ("SessionStart",)
"""The host leaves an http hook of these out, with a line in its debug log alone (seen with 2.1.330)."""

MCP_PREFIX: str = "mcp__"
# Names outside of this set cannot be names of tools, and one would be read as part of the regex.
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]+")
_WRITTEN = re.compile(r"\^\(([A-Za-z0-9_-]+(?:\|[A-Za-z0-9_-]+)*)\|mcp__\.\*\)\$")


def entries(wiring: Wiring) -> dict[str, dict[str, object]]:
    """One matcher group per event name, in the form of Claude Code's settings."""
    return {name: _group(name, wiring) for name in EVENTS}


def matcher_of(event: str, mcp_tools: Sequence[str] = ()) -> str | None:
    """A regex of the tools that an event is wired for, or None for an event without tools.

    Every tool of an MCP server is: what a server is called, and so its tools' names, is its user's choice, and a row
    that is added to `gate.mcp_tools` counts at once.
    """
    if event not in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        return None
    further = (name for name in mcp_tools if _TOOL_NAME.fullmatch(name) and not name.startswith(MCP_PREFIX))
    names = [*WRITE_TOOLS, *CLIENT_TOOLS, *further]
    if event != "PreToolUse":
        names += HEARD_TOOLS
    return f"^({'|'.join(dict.fromkeys(names))}|{MCP_PREFIX}.*)$"


def is_written_for(matcher: str, tool_name: str) -> bool:
    """Whether a matcher in the form of `matcher_of`, or of exact names as 0.1.0 wrote, is for this tool.

    No other regex counts: one that the host reads in another way than this process could make a call go unjudged.
    """
    written = _WRITTEN.fullmatch(matcher)
    if written is None:
        return tool_name in matcher.split("|")
    is_mcp = tool_name.startswith(MCP_PREFIX) and _TOOL_NAME.fullmatch(tool_name) is not None
    return is_mcp or tool_name in written[1].split("|")


def is_own(handler: object) -> bool:
    """Whether a hook handler is one that this module writes, by whatever interpreter."""
    if not isinstance(handler, dict):
        return False
    found = cast(dict[str, object], handler)
    if is_http(found):
        return _is_own_url(found.get("url"))
    command = found.get("command")
    return isinstance(command, str) and program_of(command) is not None


def is_http(handler: Mapping[str, object]) -> bool:
    return handler.get("type") == "http"


def _is_own_url(url: object) -> bool:
    if not isinstance(url, str):
        return False
    _, path, event = url.partition(HOOKS_PATH)
    return bool(path) and event in EVENTS.values()


def merge(settings: Mapping[str, object], wanted: Mapping[str, dict[str, object]]) -> dict[str, object]:
    """`settings` with the wanted groups: stale own entries are replaced in place, all else is kept.

    Idempotent. Raises ConfigError where `hooks`, or an event in it, has a form that no client accepts.
    """
    hooks = _object(settings.get("hooks", {}), "hooks")
    merged = _stripped(hooks, [f"hooks.{name}" for name in wanted])
    for name, group in wanted.items():
        groups = hooks.get(name, [])
        if not isinstance(groups, list):
            raise ConfigError(f"hooks.{name} must be a list; correct it, or remove it, and run init again")
        merged[name] = _placed(cast(list[object], groups), group)
    return {**settings, "hooks": merged}


def remove(settings: Mapping[str, object], keep: Sequence[str] = ()) -> dict[str, object]:
    """`settings` without own entries, and without the containers that are empty for it.

    `keep` names containers that stood empty before they were merged into (see empty_containers).
    """
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return dict(settings)
    left = _stripped(cast(dict[str, object], hooks), keep)
    if left or left == hooks or "hooks" in keep:
        return {**settings, "hooks": left}
    return {key: value for key, value in settings.items() if key != "hooks"}


def empty_containers(settings: Mapping[str, object]) -> tuple[str, ...]:
    """`hooks` and `hooks.EVENT` where they stand and are empty; remove() leaves these in place."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return ()
    named = cast(dict[str, object], hooks)
    found = tuple(f"hooks.{name}" for name, groups in named.items() if groups == [])
    return found if named else ("hooks",)


def own_handlers(settings: Mapping[str, object]) -> list[tuple[str, object, dict[str, object]]]:
    """(event name, matcher, handler) of every own entry, in file order."""
    found: list[tuple[str, object, dict[str, object]]] = []
    hooks = settings.get("hooks")
    named = cast(dict[str, object], hooks) if isinstance(hooks, dict) else {}
    for event, groups in named.items():
        for group in cast(list[object], groups) if isinstance(groups, list) else []:
            for handler in filter(is_own, _handlers(group)):
                matcher = cast(dict[str, object], group).get("matcher")
                found.append((event, matcher, cast(dict[str, object], handler)))
    return found


def _group(event: str, wiring: Wiring) -> dict[str, object]:
    handler: dict[str, object]
    if wiring.http is not None and event not in COMMAND_ONLY:
        handler = _http_handler(EVENTS[event], wiring.http, wiring.said)
    else:
        handler = {
            "type": "command",
            "command": hook_command(wiring.interpreter, wiring.script, EVENTS[event], wiring.said),
        }
    handler["timeout"] = TIMEOUT_SECONDS
    if event == "PreToolUse":
        handler["onFailure"] = "block" if wiring.blocks else "continue"
        handler["statusMessage"] = STATUS_MESSAGE
    matcher = matcher_of(event, wiring.mcp_tools)
    return {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}


def _http_handler(event: str, http: HttpWiring, said: Sequence[str]) -> dict[str, object]:
    """The host puts a variable into a header only if `allowedEnvVars` names it.

    Where state lies is the service's matter, so of what the entry says the first word is enough.
    """
    from urllib.parse import quote

    project = quote(http.project_dir.encode("utf-8", "surrogateescape"))
    headers = {"Authorization": f"Bearer ${TOKEN_VARIABLE}", PROJECT_HEADER: project}
    if said:
        headers[WIRED_HEADER] = said[1]
    return {
        "type": "http",
        "url": hook_url(http.port, event),
        "headers": headers,
        "allowedEnvVars": [TOKEN_VARIABLE],
    }


def _placed(groups: Sequence[object], wanted: dict[str, object]) -> list[object]:
    """`groups` with exactly one own handler: in the first group that can hold it, else at the end."""
    placed: list[object] = []
    done = False
    for group in groups:
        handlers = _handlers(group)
        foreign = [item for item in handlers if not is_own(item)]
        if len(foreign) == len(handlers):
            placed.append(group)
            continue
        held = cast(dict[str, object], group)
        if not done and not foreign:
            placed.append(wanted)
            done = True
        elif not done and held.get("matcher") == wanted.get("matcher"):
            placed.append({**held, "hooks": _swapped(handlers, _handlers(wanted)[0])})
            done = True
        elif foreign:
            placed.append({**held, "hooks": foreign})
    return placed if done else [*placed, wanted]


def _swapped(handlers: Sequence[object], own: object) -> list[object]:
    first = next(index for index, item in enumerate(handlers) if is_own(item))
    rest = [item for item in handlers[first:] if not is_own(item)]
    return [*handlers[:first], own, *rest]


def _stripped(hooks: Mapping[str, object], keep: Sequence[str] = ()) -> dict[str, object]:
    """`hooks` without own entries; an event that is empty for it goes too, unless `keep` names it."""
    left: dict[str, object] = {}
    for name, groups in hooks.items():
        rest = _without_own(cast(list[object], groups)) if isinstance(groups, list) else groups
        if rest or rest == groups or f"hooks.{name}" in keep:
            left[name] = rest
    return left


def _without_own(groups: Sequence[object]) -> list[object]:
    rest: list[object] = []
    for group in groups:
        handlers = _handlers(group)
        foreign = [item for item in handlers if not is_own(item)]
        if len(foreign) == len(handlers):
            rest.append(group)
        elif foreign:
            rest.append({**cast(dict[str, object], group), "hooks": foreign})
    return rest


def _handlers(group: object) -> list[object]:
    hooks = cast(dict[str, object], group).get("hooks") if isinstance(group, dict) else None
    return cast(list[object], hooks) if isinstance(hooks, list) else []


def _object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"{name} must be an object; correct it, or remove it, and run init again")
    return cast(dict[str, object], value)
