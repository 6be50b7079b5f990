"""apply_patch as a program: a patch in its one argument, or on its input. Some agents' shells apply it themselves."""

from __future__ import annotations

from evaluator.model import Operation
from evaluator.patches import Patch, parsed
from evaluator.shell.call import Call, Handler
from evaluator.shell.outcome import Outcome, dynamic, writes
from evaluator.shell.rows.row import rows

FAMILY = "text"


def _apply_patch(call: Call) -> list[Outcome]:
    if len(call.args) == 1:
        word = call.args[0]
        call.shell.hide(word.spans, f"[patch: {len(word.text)} chars]")
        return _outcomes(parsed("" if word.decoded else word.text), made=word.dynamic)
    if call.args or call.stdin.kind != "text":
        return [dynamic(FAMILY)]
    call.shell.hide(call.stdin.spans, f"[patch: {len(call.stdin.text)} chars]")
    return _outcomes(parsed(call.stdin.text), made=call.stdin.made)


def _outcomes(patch: Patch, *, made: bool) -> list[Outcome]:
    """`made`: what is put in at run time may be further files."""
    found: list[Outcome] = []
    for file in patch.files:
        does: Operation = "overwrite" if file.does == "write" else file.does
        found.append(writes(does, (file.path, file.to) if file.to else (file.path,), FAMILY))
    return found if patch.whole and not made else [*found, dynamic(FAMILY)]


PROGRAMS: dict[str, Handler] = rows("apply_patch applypatch", _apply_patch)
