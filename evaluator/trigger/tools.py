"""Tools beside the client's file tools and its shell: what a call of one would do. Pure.

Each has a row, `OPERATION:FIELD,FIELD`: those of `gate.mcp_tools`, and of the client's own tools below. OPERATION is
one of the gate's operations, or

- `write`: creates the file, or overwrites it;
- `shell`: the field is a command line, judged as one;
- `sql`: the field is statements, judged as the shell's database clients are;
- `patch`: the field is a patch, whose files are the targets; one that is not wholly understood is `unknown` too;
- `types`: the field comes back as a prompt, or as keys in a terminal: `unknown`;
- `read`: not write-class.

FIELD names where a target stands, the first that is there, or each with `move`; `files[].path` is one in each object
of a list. A row without an operation, or with one that is not known, is `run`.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from evaluator import effects, patches
from evaluator.model import Effect, Effects, Operation, PendingWrite
from evaluator.patches import Patch
from evaluator.record import Record, replace
from evaluator.text import speaks_to_compass, table

Rows = Sequence[tuple[str, str]]

TARGETS_MAX = 500
_WORDS = frozenset(("write", "shell", "sql", "patch", "types", *effects.CLASS_OF))
_FILES = frozenset(("write", "create", "append", "edit", "overwrite", "permissions", "delete", "move"))
"""Operations whose targets are files of this machine, unless the input names a repository of a forge."""
_TABLE = table("trigger/tools")
_CONTENT, _OLD, _NEW, _FOLDERS, _DESTROYS = (
    cast(str, _TABLE[key]).split() for key in ("content", "old", "new", "folders", "destroys")
)
_OWN_LOOP = re.compile(r"<<[\w-]+>>")
"""What the client itself puts in for when a loop wakes up."""


class ToolRow(Record):
    """A row that depends on what one field says; `otherwise` where it says something else, or nothing."""

    field: str
    rows: Mapping[str, str]
    otherwise: str


CLIENT_TOOLS: dict[str, str | ToolRow] = {
    name: row
    if isinstance(row, str)
    else ToolRow(
        row["field"], dict.fromkeys(row["reads"].split(), "read:") | row.get("rows", {}), row["otherwise"]
    )
    for name, row in cast("dict[str, Any]", _TABLE["client"]).items()
}


def in_own_terms(pending: PendingWrite, rows: Rows) -> PendingWrite:
    """The same call as one of Bash, Write or MultiEdit, where it is one by another name; else as it is."""
    if pending.tool_name in effects.WRITE_CLASS_TOOLS:
        return pending
    operation, fields = row_of(pending, rows) or ("read", ())
    given = pending.tool_input
    if operation == "shell":
        command = "\n".join(_tool_field_texts(given, fields))
        cwd = os.path.normpath(os.path.join(pending.cwd, next(_tool_field_texts(given, _FOLDERS), "")))
        bash = replace(pending, tool_name="Bash", tool_input={"command": command}, cwd=cwd)
        return bash if command else pending
    if operation == "patch":
        return _as_file_tool(pending, patches.parsed("\n".join(_tool_field_texts(given, fields))))
    writes = operation in ("write", "edit") and not _is_remote_tool_call(given)
    targets = _tool_field_targets(given, fields) if writes else []
    if len(targets) != 1:
        return pending
    path = _local_tool_path(targets[0])
    contents = list(_tool_field_texts(given, _CONTENT))
    if operation == "write" and contents:
        return replace(pending, tool_name="Write", tool_input={"file_path": path, "content": contents[0]})
    if operation == "edit" and (edits := _edits_of_tool_call(given)):
        changed = {"file_path": path, "edits": edits, "replace_all": given.get("replace_all")}
        return replace(pending, tool_name="MultiEdit", tool_input={**changed, effects.ROUGHLY: True})
    return pending


def _as_file_tool(pending: PendingWrite, patch: Patch) -> PendingWrite:
    """A patch that only writes one file, or only edits one, as the file tool's call that it is."""
    if not patch.whole or len(patch.files) != 1 or patch.size is None:
        return pending
    file = patch.files[0]
    path = _local_tool_path(file.path)
    if file.does == "write":
        content = file.parts[0][1] if file.parts else ""
        return replace(pending, tool_name="Write", tool_input={"file_path": path, "content": content})
    if file.does == "edit" and file.parts:
        edits = [{"old_string": old, "new_string": new} for old, new in file.parts]
        edited = {"file_path": path, "edits": edits, effects.ROUGHLY: True}
        return replace(pending, tool_name="MultiEdit", tool_input=edited)
    return pending


def tool_effects(
    pending: PendingWrite, rows: Rows, *, exists: Callable[[str], bool], resolve: Callable[[str], str]
) -> Effects | None:
    """What a call that `in_own_terms` left as it is would do; None where it is not write-class."""
    operation, fields = row_of(pending, rows) or ("read", ())
    given = pending.tool_input
    if operation == "read":
        return None
    identity = effects.digest(pending.tool_name, repr(sorted(given.items())))
    if operation in ("unknown", "types", "shell"):
        return effects.folded([effects.effect("unknown", identity=identity, kind="keyboard")], opaque=True)
    if operation == "sql":
        return _effects_of_sql_tool("\n;\n".join(_tool_field_texts(given, fields)), identity)

    def place(target: str) -> str:
        return resolve(os.path.join(pending.cwd, _local_tool_path(target)))

    def of_file(does: str, target: str) -> Effect:
        if does == "write":
            return effects.effect("overwrite" if not target or exists(target) else "create", target)
        return effects.effect(cast(Operation, does), target, identity="" if target else identity)

    if operation == "patch":
        patch = patches.parsed("\n".join(_tool_field_texts(given, fields)))
        each = [of_file(does, place(path)) for does, path in patch.named]
        unread = [] if patch.whole else [effects.effect("unknown", identity=identity)]
        return effects.folded([*each, *unread], opaque=not patch.whole, lines=patch.size)
    targets = _tool_field_targets(given, fields, every=operation == "move") or [""]
    if operation in _FILES and not _is_remote_tool_call(given):
        return effects.folded([of_file(operation, one and place(one)) for one in targets])
    writes = operation in ("write", "edit", "create", "append")
    plain: Operation = "network" if writes else cast(Operation, operation)
    here = plain in ("run", "vcs", "install") and not _is_remote_tool_call(given)
    hard = given.get("mode") == "hard" or any(given.get(flag) is True for flag in _DESTROYS)
    told = partial(
        effects.effect,
        plain,
        severity="destructive" if hard else effects.CLASS_OF[plain],
        identity=identity,
        excusable=False,
    )
    act = "" if here else pending.tool_name
    return effects.folded([told(place(one) if one and here else one, act=act) for one in targets])


def row_of(pending: PendingWrite, rows: Rows) -> tuple[str, tuple[str, ...]] | None:
    """(operation, fields) of this call; None for a tool without a row whose name and input say of no change."""
    name, given = pending.tool_name, pending.tool_input
    found = row_for(name, rows)
    if found is None:
        from evaluator.trigger.tool_names import row_by_name

        found = row_by_name(name, given)
    if found is None:
        return None
    if isinstance(found, ToolRow):
        found = found.rows.get(effects.text_of(given, found.field), found.otherwise)
    operation, fields = parsed(found)
    if _is_idle_tool_call(name, given):
        operation = "read"
    if operation == "edit" and (verb := effects.text_of(given, "command")) in ("view", "create"):
        operation = "read" if verb == "view" else "write"
    return operation, fields


def row_for(name: str, rows: Rows) -> str | ToolRow | None:
    """The row of a tool: that of its very name, the client's own, or the longest pattern that it matches."""
    exact = next((does for pattern, does in rows if pattern == name), CLIENT_TOOLS.get(name))
    if exact is not None:
        return exact
    patterns = ((pattern, does) for pattern, does in rows if "*" in pattern)
    matching = [(len(one), does) for one, does in patterns if _matches_tool_pattern(name, one)]
    return max(matching)[1] if matching else None


def parsed(row: str) -> tuple[str, tuple[str, ...]]:
    """(operation, fields) of a row as it is written."""
    word, colon, fields = row.partition(":")
    if not colon:
        word, fields = "run", row
    listed = tuple(part.strip() for part in fields.split(",") if part.strip())
    return (word if word in _WORDS else "run"), listed


def _matches_tool_pattern(name: str, pattern: str) -> bool:
    head, _, tail = pattern.partition("*")
    if "*" in tail:
        return fnmatch.fnmatchcase(name, pattern)
    return len(name) > len(head) + len(tail) and name.startswith(head) and name.endswith(tail)


def _is_idle_tool_call(name: str, given: Mapping[str, object]) -> bool:
    """Whether a call of a client's tool changes nothing: it gives no command, prompt or value."""
    if name == "Monitor":
        return not effects.text_of(given, "command")
    if name == "ScheduleWakeup":
        prompt = effects.text_of(given, "prompt").strip()
        return given.get("stop") is True or not prompt or _OWN_LOOP.fullmatch(prompt) is not None
    if name == "Config":
        return given.get("value") is None
    # Agents hand work to each other all the time; what could pass for the user's own word is another thing.
    return name == "SendMessage" and not any(map(speaks_to_compass, effects.strings_of(given)))


def _effects_of_sql_tool(statements: str, identity: str) -> Effects | None:
    from evaluator.shell.code.sql import read_sql

    kind = read_sql(statements, "other").kind if statements.strip() else "unknown"
    if kind == "read":
        return None
    operation: Operation = "network" if kind == "change" else kind
    return effects.folded([effects.effect(operation, identity=identity)], opaque=kind == "unknown")


def _is_remote_tool_call(given: Mapping[str, object]) -> bool:
    """Whether the paths of the input are those of a repository on a forge."""
    return bool(effects.text_of(given, "owner") and effects.text_of(given, "repo"))


def _local_tool_path(target: str) -> str:
    return target.removeprefix("file://")


def _edits_of_tool_call(given: Mapping[str, object]) -> list[dict[str, str]]:
    listed = given.get("edits")
    each = cast(list[object], listed) if isinstance(listed, list) else [given]
    found: list[dict[str, str]] = []
    for one in each:
        item = cast(dict[str, object], one) if isinstance(one, dict) else dict[str, object]()
        old, new = (next(_tool_field_texts(item, names), None) for names in (_OLD, _NEW))
        if old is None or new is None:
            return []
        found.append({"old_string": old, "new_string": new})
    return found


def _tool_field_texts(given: Mapping[str, object], fields: Iterable[str]) -> Iterator[str]:
    """What the first of the fields that is there holds: a text, or each of a list of them."""
    for field in fields:
        value = given.get(field)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (item for item in cast(list[object], value) if isinstance(item, str))
        else:
            continue
        return


def _tool_field_targets(
    given: Mapping[str, object], fields: Iterable[str], *, every: bool = False
) -> list[str]:
    found: list[str] = []
    for field in fields:
        found += [text for text in _tool_texts_at_path(given, field.split(".")) if text]
        if found and not every:
            break
    return list(dict.fromkeys(found))[:TARGETS_MAX]


def _tool_texts_at_path(value: object, path: Sequence[str]) -> Iterator[str]:
    if isinstance(value, list):
        for item in cast(list[object], value):
            yield from _tool_texts_at_path(item, path)
    elif not path:
        yield from [value] if isinstance(value, str) else []
    elif isinstance(value, dict):
        held = cast(dict[str, object], value).get(path[0].removesuffix("[]"))
        yield from _tool_texts_at_path(held, path[1:])
