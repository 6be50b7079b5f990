"""What a tool call would do, from its name and input alone: file tools, the shell, and what `trigger.tools` knows.

The file system is asked through the two functions that the caller passes in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from evaluator.effects import WRITE_CLASS_TOOLS, edits_of, effect, folded, text_of
from evaluator.model import Effect, Effects, Operation, PendingWrite
from evaluator.record import replace


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
        each = tuple(
            _as_found(replace(one, target=resolved[one.target]), exists) if one.target else one
            for one in found.each
        )
        if each == found.each or not each:
            return found
        return folded(each, opaque=found.verdict == "unknown", command=found.command, lines=found.lines)
    field = "notebook_path" if name == "NotebookEdit" else "file_path"
    path = text_of(given, field) or text_of(given, "file_path")
    target = resolve(os.path.join(pending.cwd, path)) if path else ""
    operation = _file_operation(name, given, bool(target) and exists(target))
    return folded([effect(operation, target)], lines=_lines(name, given))


def _as_found(one: Effect, exists: Callable[[str], bool]) -> Effect:
    """A plain write of a file that is not there creates it; what is there is not created (`mkdir -p`, `touch`)."""
    if one.operation == "overwrite" and one.excusable and not exists(one.target):
        return effect("create", one.target, identity=one.identity)
    if one.operation == "create" and exists(one.target):
        return effect("append", one.target, excusable=one.excusable, identity=one.identity)
    return one


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
