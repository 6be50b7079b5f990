"""What a tool call would do: operation, class and targets, from its name and input alone.

The file system is asked through the two functions that the caller passes in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from evaluator.model import Effect, Operation, OperationClass, PendingWrite
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


def effect_of(
    pending: PendingWrite,
    *,
    classify: Callable[[str, str], Effect],
    mcp_tools: Sequence[tuple[str, str]],
    exists: Callable[[str], bool],
    resolve: Callable[[str], str],
) -> Effect | None:
    """The call's effect, or None for a tool that is not write-class.

    `classify(command, cwd)` reads shell commands; `exists(path)` and `resolve(path)` (links and `..`) ask
    the file system.
    """
    name, given = pending.tool_name, pending.tool_input
    if name == "Bash":
        found = classify(text_of(given, "command"), pending.cwd)
        resolved = (resolve(target) if os.path.isabs(target) else target for target in found.targets)
        return replace(found, targets=tuple(dict.fromkeys(resolved)))
    if name in FILE_TOOLS:
        field = "notebook_path" if name == "NotebookEdit" else "file_path"
        path = text_of(given, field) or text_of(given, "file_path")
        target = resolve(os.path.join(pending.cwd, path)) if path else ""
        operation = _file_operation(name, given, bool(target) and exists(target))
        return Effect(
            verdict="write",
            operation=operation,
            operation_class=CLASS_OF[operation],
            targets=(target,) if target else (),
            lines=_lines(name, given),
        )
    for tool, field in mcp_tools:
        if name == tool:
            path = text_of(given, field)
            return Effect(
                "write", "run", CLASS_OF["run"], (resolve(os.path.join(pending.cwd, path)),) if path else ()
            )
    return None


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
