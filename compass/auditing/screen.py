"""The session at a terminal: a case as a person would read it, and one key an answer.

What the gate decided is not shown before the answer is given: it would lead the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from calibration.audit.answers import KEYS, WORDS, AuditAnswer
from calibration.audit.plan import AuditCase
from compass.auditing.keeping import KeptAudit
from evaluator.terminal import safe

if TYPE_CHECKING:
    from rich.console import Console

LINES_MAX = 16
COLUMNS_MAX = 100
QUESTION = "Should this write have been held, and you asked first?"
CHOICES = "y yes   n no, right to run   s cannot tell   b back   q quit"
TOLD = {True: "should have been held", False: "right to run", None: "could not tell"}
End = Literal["done", "quit"]


class Session:
    """`key` returns one pressed key, empty at the end of the input."""

    def __init__(self, kept: KeptAudit, wanted: int, console: Console, key: Callable[[], str]) -> None:
        self._kept = kept
        self._wanted = wanted
        self._console = console
        self._key = key
        self._seen = list(kept.told)

    def run(self) -> End:
        """Asks until as many answers are had as are wanted, or the person quits. Each answer is kept at once."""
        at = len(self._seen)
        while True:
            one = self._seen[at] if at < len(self._seen) else self._next()
            if one is None:
                return "done"
            self._show(one, at)
            pressed = self._pressed(at)
            if pressed == "q":
                return "quit"
            if pressed == "b":
                at -= 1
                continue
            self._kept.keep(AuditAnswer(one, KEYS[pressed], time.time()))
            self._line(f"  {TOLD[KEYS[pressed]]}", "bold")
            if at >= len(self._seen):
                self._seen.append(one)
            # After one answer was taken back, the rest stands.
            at = len(self._seen)

    def _next(self) -> str | None:
        plan = self._kept.plan
        assert plan is not None
        return next(
            (one for one in plan.queue(self._wanted, self._kept.told) if one not in self._kept.told), None
        )

    def _pressed(self, at: int) -> str:
        while True:
            pressed = self._key()
            if pressed == "":
                return "q"
            if pressed in KEYS or pressed == "q":
                return pressed
            if pressed == "b":
                if at > 0:
                    return pressed
                self._line("  This is the first one.", "dim")
            elif not pressed.isspace():
                self._line(f"  {CHOICES}", "dim")

    def _show(self, one: str, at: int) -> None:
        plan, told = self._kept.plan, self._kept.told
        assert plan is not None
        total = sum(plan.shares(self._wanted).values())
        number = 1 + sum(told[before] is not None for before in self._seen[:at])
        case = plan.cases.get(one)
        self._console.print()
        self._console.rule(f"{min(total, number)} of {total}", align="left", characters="-")
        if case is None:
            self._line("Its text is no longer kept.", "dim")
        else:
            self._case(case)
        if one in told:
            self._line(f"You answered {WORDS[told[one]]}: {TOLD[told[one]]}.", "yellow")
        self._line(QUESTION, "bold")
        self._line(f"  {CHOICES}", "dim")

    def _case(self, case: AuditCase) -> None:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(case.at)) if case.at else ""
        for label, text, from_end in (
            (f"The agent had said{', before ' + when if when else ''}", case.prior_assistant_turn, True),
            ("You asked", case.request, False),
            ("A subagent was told", case.delegated_task, False),
            ("The agent would write", "\n".join(filter(None, (case.write, case.command))), False),
        ):
            if text.strip():
                self._line(label, "cyan")
                for line in shown_lines(text, min(self._console.width, COLUMNS_MAX) - 2, from_end=from_end):
                    self._line(f"  {line}", "")

    def _line(self, text: str, style: str) -> None:
        from rich.text import Text

        self._console.print(Text(safe(text, "?"), style), soft_wrap=True)


def shown_lines(text: str, columns: int, *, from_end: bool = False) -> list[str]:
    """At most `LINES_MAX` lines of at most `columns` cells, without what a terminal would act on; a cut is marked."""
    from rich.cells import cell_len, chop_cells

    found: list[str] = []
    for line in safe(text, "?", keep="\n\t").expandtabs(4).splitlines():
        found += chop_cells(line, columns) if cell_len(line) > columns else [line]
    while found and not found[0].strip():
        del found[0]
    while found and not found[-1].strip():
        found.pop()
    if len(found) <= LINES_MAX:
        return found
    more = len(found) - LINES_MAX + 1
    mark = f"[... {more} more lines]"
    return [mark, *found[more:]] if from_end else [*found[: LINES_MAX - 1], mark]
