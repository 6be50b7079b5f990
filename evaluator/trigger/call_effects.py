"""What a tool call would do, from its name and input alone, and what is at stake at the place that it touches.

The file system is asked through what the caller passes in.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Protocol

from evaluator.effects import EXCUSABLE, WRITE_CLASS_TOOLS, edits_of, effect, folded, is_named, text_of
from evaluator.model import Effect, Effects, Operation, PendingWrite, Stakes
from evaluator.record import replace
from evaluator.trigger.exemptions import FILES, is_live_git


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
            _adjust_effect_to_disk(replace(one, target=resolved[one.target]), exists) if one.target else one
            for one in found.each
        )
        if each == found.each or not each:
            return found
        return folded(each, opaque=found.verdict == "unknown", command=found.command, lines=found.lines)
    field = "notebook_path" if name == "NotebookEdit" else "file_path"
    path = text_of(given, field) or text_of(given, "file_path")
    target = resolve(os.path.join(pending.cwd, path)) if path else ""
    if name == "Write":
        operation: Operation = "overwrite" if target and exists(target) else "create"
        lines = _count_text_lines(text_of(given, "content"))
    elif name == "NotebookEdit":
        operation = "delete" if given.get("edit_mode") == "delete" else "edit"
        lines = _count_text_lines(text_of(given, "new_source"))
    else:
        operation = "edit"
        lines = sum(max(_count_text_lines(old), _count_text_lines(new)) for old, new in edits_of(given))
    return folded([effect(operation, target)], lines=lines)


def _adjust_effect_to_disk(one: Effect, exists: Callable[[str], bool]) -> Effect:
    """A plain write of a file that is not there creates it; what is there is not created (`mkdir -p`, `touch`)."""
    if one.operation == "overwrite" and one.excusable and not exists(one.target):
        return effect("create", one.target, identity=one.identity)
    if one.operation == "create" and exists(one.target):
        return effect("append", one.target, excusable=one.excusable, identity=one.identity)
    return one


def _count_text_lines(text: str) -> int:
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


TEMPORARY = re.compile(
    r"(?:/private)?(?:/tmp|/var/tmp|/var/folders/[^/]+/[^/]+|/dev/shm)/(?P<below>.+)", re.DOTALL
)
TEMPORARY_BY_CUSTOM = re.compile(r"\$\{?(?:TMPDIR|TMP|TEMP|RUNNER_TEMP)\}?/(?P<below>.+)", re.DOTALL)
EXPANDED = re.compile(r"[$`]|/\.\.(?:/|\Z)")
"""What may lead elsewhere once it is known."""
PATTERN = re.compile(r"[*?]")
BUILD_OUTPUTS = FILES.words("build_outputs")
"""Names of folders that builds and tests fill; one is own only where the repository ignores it as well."""
OBJECTS = re.compile(
    r"\.(?:py[co]|o|obj|class|tsbuildinfo|gcno|gcda|prof|coverprofile|test)\Z|\A\.coverage\Z"
)


class Ground(Protocol):
    """What is known of the place. Paths are absolute, links resolved."""

    @property
    def root(self) -> str:
        """Of the work tree that the project lies in, or the project's own folder."""
        ...

    def exists(self, path: str) -> bool: ...

    def is_held(self, path: str) -> bool:
        """Whether the version control system holds the file, or a file below the folder."""
        ...

    def is_ignored(self, path: str) -> bool:
        """Whether the version control system was told to leave it out."""
        ...


def with_stakes(effects: Effects, ground: Ground) -> Effects:
    """The effects, each with the stakes that its place gives it."""
    links = any(one.operation in EXCUSABLE and not one.excusable for one in effects.each)
    each = ((one, stakes_of(one, ground, links=links)) for one in effects.each)
    placed = (one if found == one.stakes else replace(one, stakes=found) for one, found in each)
    return replace(effects, each=tuple(placed))


def stakes_of(one: Effect, ground: Ground, *, links: bool = False) -> Stakes:
    """`links`: the call makes something that may lead elsewhere, so that a path says little of the place."""
    if not one.target or one.kind:
        return one.stakes
    if not links and (is_temporary(one.target, ground.root) or is_build_output(one.target, ground)):
        return "own"
    if one.operation in ("overwrite", "move") and is_named(one.target):
        kept = not ground.exists(one.target) or ground.is_held(one.target)
        return "reversible" if kept else "lossy"
    return one.stakes


def is_temporary(path: str, root: str) -> bool:
    """Whether a path names something in a temporary folder, which is neither the folder whole nor the project."""
    found = TEMPORARY.match(path) or TEMPORARY_BY_CUSTOM.match(path)
    if found is None or EXPANDED.search(found["below"]) or PATTERN.search(found["below"].split("/")[0]):
        return False
    folder = f"{path.rstrip('/')}/"
    return not folder.startswith(f"{root}/") and not f"{root}/".startswith(folder)


def has_build_name(path: str) -> bool:
    """Whether a part of it is the name of a folder of build outputs, or its end that of a compiler's or a test's."""
    parts = path.strip("/").split("/")
    return not BUILD_OUTPUTS.isdisjoint(parts) or OBJECTS.search(parts[-1]) is not None


def is_build_output(path: str, ground: Ground) -> bool:
    """Whether a path lies in the project, under a name that builds use, ignored and not held."""
    folder = ground.root.rstrip("/") + "/"
    if not path.startswith(folder) or EXPANDED.search(path):
        return False
    parts = path[len(folder) :].rstrip("/").split("/")
    at = next((at for at, part in enumerate(parts) if part in BUILD_OUTPUTS), None)
    if at is None and not OBJECTS.search(parts[-1]):
        return False
    whole = posixpath.join(ground.root, *(parts if at is None else parts[: at + 1]))
    known = not is_live_git(posixpath.join(*parts)) and not PATTERN.search(whole)
    return known and ground.is_ignored(whole) and not ground.is_held(whole)
