"""What of the precedents counts for rules: the targets that the exchange leads to by them. Pure.

Only a single edit of the very file that was settled, within the settled extent; never what destroys or overwrites.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.effects import edits_of
from evaluator.model import Effects, PendingWrite
from evaluator.precedents.bearing import Bearing
from evaluator.precedents.precedent import Precedent
from evaluator.trigger.rules import relative_to

EDITING = ("edit", "append")
WITHIN_FILE = ("", "one_place", "one_file")
GLOB = frozenset("*?[]{}$`")


def led_to(found: Sequence[Bearing], pending: PendingWrite, effects: Effects, root: str) -> tuple[str, ...]:
    """The call's target, as it stands in `effects`, where a precedent that counts leads to it; else nothing. `root` is
    that of the work tree.
    """
    if effects.verdict != "write" or effects.operation_class == "destructive" or len(effects.each) != 1:
        return ()
    (one,) = effects.each
    if not one.excusable or one.operation not in EDITING or one.operation_class == "destructive":
        return ()
    path = relative_to(one.target, root)
    if path is None or not GLOB.isdisjoint(path):
        return ()
    return (one.target,) if any(_leads(each, path, pending) for each in found) else ()


def goes_beyond(settled: Precedent, effects: Effects, root: str) -> bool:
    """Whether a call does more to what was settled than edit it: it writes the whole of it, or other files with it.

    No reader is shown the precedent then: it widens nothing.
    """
    paths = [relative_to(one.target, root) for one in effects.each]
    if settled.extent not in WITHIN_FILE:
        return any(
            one.operation not in (*EDITING, "create") and (path is None or _lies_in(path, settled.target))
            for one, path in zip(effects.each, paths, strict=True)
        )
    if settled.target not in paths:
        return False
    return len(effects.each) > 1 or any(one.operation not in EDITING for one in effects.each)


def _leads(found: Bearing, path: str, pending: PendingWrite) -> bool:
    settled = found.precedent
    if not found.counts or settled.tightens:
        return False
    if settled.extent in WITHIN_FILE:
        return settled.target == path and (settled.extent != "one_place" or _places(pending) == 1)
    if settled.extent == "beyond":
        return False
    return _lies_in(path, settled.target)


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _places(pending: PendingWrite) -> int:
    """How many places of the file the call changes; 2 for what is not known."""
    if pending.tool_name not in ("Edit", "MultiEdit", "NotebookEdit"):
        return 2
    given = pending.tool_input
    if given.get("replace_all") or pending.tool_name == "MultiEdit":
        return 2 if given.get("replace_all") else len(edits_of(given))
    return 1 if pending.tool_name == "NotebookEdit" else max(1, len(edits_of(given)))
