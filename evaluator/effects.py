"""What a tool call would do: operation, class and targets, from its name and input alone.

The file system is asked through the two functions that the caller passes in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from evaluator.model import (
    SEVERITY,
    Effect,
    EffectKind,
    Effects,
    Operation,
    OperationClass,
    PendingWrite,
    VerdictOfEffects,
)
from evaluator.record import replace

FILE_TOOLS = ("Write", "Edit", "MultiEdit", "NotebookEdit")
WRITE_CLASS_TOOLS = (*FILE_TOOLS, "Bash")

CLASS_OF: dict[Operation, OperationClass] = {
    "read": "additive",
    "create": "additive",
    "append": "additive",
    "edit": "modifying",
    "overwrite": "modifying",
    "permissions": "modifying",
    "vcs": "modifying",
    "install": "modifying",
    "network": "modifying",
    "run": "modifying",
    "delete": "destructive",
    "move": "destructive",
    "unknown": "destructive",
}

EXCUSABLE: frozenset[Operation] = frozenset(("create", "append", "edit", "overwrite"))
"""What an excuse may cover: writes of named files, nothing else."""


def effect(
    operation: Operation,
    target: str = "",
    *,
    severity: OperationClass | None = None,
    identity: str = "",
    excusable: bool = True,
    kind: EffectKind = "",
) -> Effect:
    """`excusable` False keeps what looks like an ordinary write from being excused (a link, for example)."""
    operation_class = severity or CLASS_OF[operation]
    named = operation in EXCUSABLE and operation_class != "destructive" and is_named(target)
    return Effect(operation, operation_class, target, excusable and named, identity, kind)


def is_named(target: str) -> bool:
    """Whether a target is one file, and not a pattern that was left unexpanded.

    A bracket does not count as a pattern: `[id].tsx` is an ordinary file name in web projects.
    """
    return target.startswith("/") and "*" not in target and "?" not in target


def folded(
    each: Sequence[Effect], *, opaque: bool = False, command: str = "", lines: int | None = None
) -> Effects:
    """What the effects come to: the operation of the first of the severest. `opaque`: one of them cannot be read."""
    worst = max(each, key=lambda one: SEVERITY[one.operation_class])
    targets = dict.fromkeys(one.target for one in each if one.target)
    verdict: VerdictOfEffects = "unknown" if opaque else "write"
    return Effects(
        verdict, worst.operation, worst.operation_class, tuple(targets), command, lines, tuple(each)
    )


def narrowed(whole: Effects, left: Sequence[Effect]) -> Effects:
    """The same call with only `left`, some of its effects."""
    if len(left) == len(whole.each):
        return whole
    return folded(left, opaque=whole.verdict == "unknown", command=whole.command, lines=whole.lines)


def is_excusable(whole: Effects) -> bool:
    """Whether each of its effects is."""
    return bool(whole.each) and all(one.excusable for one in whole.each)


def digest(*words: str) -> str:
    import hashlib

    return hashlib.sha256("\x1f".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def effects_of(
    pending: PendingWrite,
    *,
    classify: Callable[[str, str], Effects],
    mcp_tools: Sequence[tuple[str, str]],
    exists: Callable[[str], bool],
    resolve: Callable[[str], str],
) -> Effects | None:
    """The call's effect, or None for a tool that is not write-class.

    `classify(command, cwd)` reads shell commands; `exists(path)` and `resolve(path)` (links and `..`) ask
    the file system. `mcp_tools` are rows as `evaluator.trigger.tools` reads them.
    """
    if pending.tool_name not in WRITE_CLASS_TOOLS:
        from evaluator.trigger.tools import in_own_terms, tool_effects

        pending = in_own_terms(pending, mcp_tools)
        if pending.tool_name not in WRITE_CLASS_TOOLS:
            return tool_effects(pending, mcp_tools, exists=exists, resolve=resolve)
    name, given = pending.tool_name, pending.tool_input
    if name == "Bash":
        found = classify(text_of(given, "command"), pending.cwd)
        resolved = {target: resolve(target) if os.path.isabs(target) else target for target in found.targets}
        return replace(
            found,
            targets=tuple(dict.fromkeys(resolved.values())),
            each=tuple(
                replace(one, target=resolved[one.target]) if one.target else one for one in found.each
            ),
        )
    field = "notebook_path" if name == "NotebookEdit" else "file_path"
    path = text_of(given, field) or text_of(given, "file_path")
    target = resolve(os.path.join(pending.cwd, path)) if path else ""
    operation = _file_operation(name, given, bool(target) and exists(target))
    return folded([effect(operation, target)], lines=_lines(name, given))


def text_of(given: Mapping[str, object], field: str) -> str:
    """The field if it is a string, else empty: tool input is the host's and may hold anything."""
    value = given.get(field)
    return value if isinstance(value, str) else ""


def edits_of(given: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """(old, new) texts of an Edit or MultiEdit."""
    listed = given.get("edits")
    if isinstance(listed, list):
        edits = [
            cast(Mapping[str, object], item) for item in cast(list[object], listed) if isinstance(item, dict)
        ]
        return tuple((text_of(item, "old_string"), text_of(item, "new_string")) for item in edits)
    return ((text_of(given, "old_string"), text_of(given, "new_string")),)


def _file_operation(name: str, given: Mapping[str, object], present: bool) -> Operation:
    if name == "Write":
        return "overwrite" if present else "create"
    if name == "NotebookEdit" and given.get("edit_mode") == "delete":
        return "delete"
    return "edit"


def _lines(name: str, given: Mapping[str, object]) -> int:
    if name == "Write":
        return _count(text_of(given, "content"))
    if name == "NotebookEdit":
        return _count(text_of(given, "new_source"))
    return sum(max(_count(old), _count(new)) for old, new in edits_of(given))


def _count(text: str) -> int:
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)
