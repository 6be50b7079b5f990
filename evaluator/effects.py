"""Effects: what a call would do, built, folded into one and narrowed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from evaluator import model

FILE_TOOLS = ("Write", "Edit", "MultiEdit", "NotebookEdit")
PATCH_TOOL = "apply_patch"
"""The tool whose calls are patches of one file or of several."""
ROUGHLY = "roughly"
"""A field of an edit's input: what applies it may find an old text that only resembles it."""
WRITE_CLASS_TOOLS = (*FILE_TOOLS, "Bash")

CLASS_OF: dict[model.Operation, model.OperationClass] = {
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

EXCUSABLE: frozenset[model.Operation] = frozenset(("create", "append", "edit", "overwrite"))
"""What an excuse may cover: writes of named files, nothing else."""


def effect(
    operation: model.Operation,
    target: str = "",
    *,
    severity: model.OperationClass | None = None,
    identity: str = "",
    excusable: bool = True,
    kind: model.EffectKind = "",
    outward: bool = False,
    act: str = "",
) -> model.Effect:
    """One effect of a call. `excusable` False keeps what looks like an ordinary write from being excused (a link, for
    example). `outward`: others see it. The stakes are those that the operation tells; `evaluator.trigger.calls`
    knows the place."""
    operation_class = severity or CLASS_OF[operation]
    named = operation in EXCUSABLE and operation_class != "destructive" and is_named(target)
    stakes: model.Stakes = "outward" if outward or (operation == "network" and not target) else "reversible"
    if operation_class == "destructive":
        stakes = "lossy"
    return model.Effect(operation, operation_class, target, excusable and named, identity, kind, stakes, act)


def is_named(target: str) -> bool:
    """Whether a target is one file, and not a pattern that was left unexpanded.

    A bracket does not count as a pattern: `[id].tsx` is an ordinary file name in web projects.
    """
    return target.startswith("/") and "*" not in target and "?" not in target


def folded(
    each: Sequence[model.Effect], *, opaque: bool = False, command: str = "", lines: int | None = None
) -> model.Effects:
    """What the effects come to: the operation of the first of the severest. `opaque`: one of them cannot be read."""
    worst = max(each, key=lambda one: model.SEVERITY[one.operation_class])
    targets = dict.fromkeys(one.target for one in each if one.target)
    verdict: model.VerdictOfEffects = "unknown" if opaque else "write"
    return model.Effects(
        verdict, worst.operation, worst.operation_class, tuple(targets), command, lines, tuple(each)
    )


def narrowed(whole: model.Effects, left: Sequence[model.Effect]) -> model.Effects:
    """The call's effects with only `left`, some of them."""
    if len(left) == len(whole.each):
        return whole
    return folded(left, opaque=whole.verdict == "unknown", command=whole.command, lines=whole.lines)


def is_excusable(whole: model.Effects) -> bool:
    """Whether each of its effects is."""
    return bool(whole.each) and all(one.excusable for one in whole.each)


def is_unlisted(one: model.Effect) -> bool:
    """Whether nothing is known of it but that a program runs."""
    unknown = one.operation in ("unknown", "run") and one.operation_class == "modifying"
    return unknown and not one.target and not one.kind


def digest(*words: str) -> str:
    import hashlib

    return hashlib.sha256("\x1f".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def strings_of(value: object, *, numbers: bool = False) -> list[str]:
    """Every string in a value of JSON, at any depth, in its order; keys are left out. `numbers`: whole ones too."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, Mapping):
            waiting += reversed([*cast(Mapping[object, object], held).values()])
        elif isinstance(held, list):
            waiting += reversed(cast(list[object], held))
        elif isinstance(held, str):
            found.append(held)
        elif numbers and isinstance(held, int) and not isinstance(held, bool):
            found.append(str(held))
    return found


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
