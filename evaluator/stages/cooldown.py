"""Whether a call is excused because its targets were just judged and written. Pure; no I/O."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.model import SEVERITY, Operation, OperationClass
from evaluator.ports import Cooldown

EXCUSABLE: frozenset[Operation] = frozenset(("create", "append", "edit", "overwrite"))
"""What a cooldown may excuse: writes of named files, nothing else."""


def directory_and_stem(path: str) -> tuple[str, str]:
    """(directory, stem) of an absolute, normalised path.

    The stem drops only the last extension (`/p/foo.bak.py` gives `("/p", "foo.bak")`); a name that begins
    with a dot is kept whole.
    """
    directory, _, name = path.rstrip("/").rpartition("/")
    stem, dot, extension = name.rpartition(".")
    whole = name.startswith(".") or not dot or not extension
    return directory or "/", name if whole else stem


def is_named(target: str) -> bool:
    """Whether a target is one file, and not a pattern that was left unexpanded.

    A bracket does not count as a pattern: `[id].tsx` is an ordinary file name in web projects.
    """
    return target.startswith("/") and "*" not in target and "?" not in target


def cooled_down(
    targets: Sequence[str],
    operation: Operation,
    operation_class: OperationClass,
    cooldowns: Sequence[Cooldown],
    now: float,
    seconds: float,
) -> bool:
    """Whether every target has a live cooldown of the same or a severer class than this call's.

    A cooldown lives `seconds` from its `at`; one that lies in the future (the clock jumped back) does not
    count, and 0 seconds turn cooldowns off. False without a target and for whatever is not `EXCUSABLE`.
    """
    if operation not in EXCUSABLE or not targets or seconds <= 0:
        return False
    live = {
        (cooldown.directory, cooldown.stem)
        for cooldown in cooldowns
        if 0 <= now - cooldown.at <= seconds
        and SEVERITY[cooldown.operation_class] >= SEVERITY[operation_class]
    }
    return all(is_named(target) and directory_and_stem(target) in live for target in targets)
