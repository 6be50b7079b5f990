"""The report of a calibration in the terminal: tables, and distributions and the ROC as small plots of text.

Plain when piped, and in ASCII where the output is. Computes no statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from calibration.cases.labelled import Label
from calibration.measurement.result import Result
from calibration.report.chapter import Chapter
from calibration.report.chapters import chapters
from calibration.report.text import Mistake, facts, mistakes, verdict

if TYPE_CHECKING:
    from rich.console import Console

BINS = 50
ROC_WIDTH, ROC_HEIGHT = 41, 16
WORST_SHOWN = 5
STEPS = " ▁▂▃▄▅▆▇█"
ASCII_STEPS = " .:-=+*#@"
COLOURS = {"clear": "blue", "ambiguous": "yellow"}


def show(console: Console, result: Result) -> None:
    screen = _Screen(console)
    found = verdict(result)
    tone = "bold green" if found.useful else "bold yellow"
    if found.unset:
        screen.line(found.unset, tone)
    for both in found.rates:
        screen.line(str(both), tone)
    screen.line(found.claim, tone)
    for detail in found.details:
        screen.line(detail)
    screen.line()
    for name, value in facts(result):
        screen.line(f"{name + ':':<10} {value}", "dim")
    for chapter in chapters(result):
        # A terminal has no room for the trade-off; the HTML report has it.
        if chapter.drawing != "trade_off":
            _chapter(screen, chapter, result)


def _chapter(screen: _Screen, chapter: Chapter, result: Result) -> None:
    screen.title(chapter.title)
    for line in chapter.lead:
        screen.line(line)
    if chapter.missing:
        screen.line(chapter.missing, "dim")
    if chapter.drawing == "distributions":
        _distributions(screen, result)
    elif chapter.drawing == "roc":
        for line in curve([(point.false_block_rate, point.detection_rate) for point in result.roc]):
            screen.line(line)
    elif chapter.drawing == "mistakes":
        blocked, missed = mistakes(result)
        _cases(screen, "clear, and yet blocked", blocked)
        _cases(screen, "ambiguous, and let through", missed)
    for line in chapter.points:
        screen.line(f"- {line}")
    for place, table in enumerate(chapter.tables):
        if place or chapter.lead or chapter.points:
            screen.line()
        screen.line(table.caption, "dim")
        screen.table(table.head, table.rows)
    if chapter.note:
        screen.line(chapter.note, "dim")


class _Screen:
    """Prints texts as they are: nothing in them is markup."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.wide = console.encoding.lower().startswith("utf")
        self.steps = STEPS if self.wide else ASCII_STEPS

    def line(self, said: str = "", style: str = "") -> None:
        from rich.text import Text

        self.console.print(Text(self._fit(said), style), soft_wrap=not self.console.is_terminal)

    def title(self, said: str) -> None:
        self.line()
        self.line(said, "bold")

    def table(self, head: Sequence[str], body: Iterable[Sequence[str]]) -> None:
        cells = [[self._fit(cell) for cell in row] for row in body]
        names = [self._fit(name) for name in head]
        if not self.console.is_terminal:
            # A pipe has no width to fold cells to.
            widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
            for row in (names, *cells):
                self.line(
                    "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
                )
            return
        from rich.table import Table
        from rich.text import Text

        found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for name in names:
            found.add_column(Text(name), overflow="fold")
        for row in cells:
            found.add_row(*map(Text, row))
        self.console.print(found)

    def _fit(self, said: str) -> str:
        return (
            said
            if self.wide
            else said.replace("≥", ">=").replace("≤", "<=").encode("ascii", "replace").decode()
        )


def _distributions(screen: _Screen, result: Result) -> None:
    drawn = result.distributions.items()
    panels: tuple[tuple[str, float, dict[Label, Sequence[float]]], ...] = (
        ("means", 1.0, {label: found.means for label, found in drawn}),
        ("deviations", 0.5, {label: found.deviations for label, found in drawn}),
    )
    for name, most, samples in panels:
        screen.title(f"Distribution of {name}")
        _panel(screen, samples, most, _marks(result, name))
    screen.line(f"{'':<10}  ^ in force, R certified, X both", "dim")


def _panel(
    screen: _Screen, samples: Mapping[Label, Sequence[float]], most: float, marks: Sequence[tuple[float, str]]
) -> None:
    """One row a class over [0, `most`], and below them the marks at their values."""
    for label, values in samples.items():
        if values:
            bars = histogram(values, most, screen.steps)
            screen.line(f"{label:<10} |{bars}| {len(values)} checks", COLOURS[label])
    signs = [" "] * BINS
    for at, sign in marks:
        place = _bin(at / most)
        signs[place] = sign if signs[place] == " " else "X"
    screen.line(f"{'':<10} |{''.join(signs)}|")
    screen.line(f"{'':<10}  {'0':<{BINS - 4}}{f'{most:g}':>4}", "dim")


def histogram(values: Sequence[float], most: float, steps: str) -> str:
    """One character a bin over [0, `most`], the fullest bin at full height; a bin with anything shows."""
    bins = [0] * BINS
    for value in values:
        bins[_bin(value / most)] += 1
    peak, top = max(bins), len(steps) - 1
    return "".join(steps[max(1, round(top * count / peak)) if count else 0] for count in bins)


def _bin(share: float) -> int:
    return min(BINS - 1, max(0, int(share * BINS + 1e-9)))


def _marks(result: Result, name: str) -> list[tuple[float, str]]:
    """What is in force and what is certified, of either stakes, where it can block."""
    gate = (result.gate.reversible, result.gate.irreversible)
    if name == "deviations":
        return [(limit, "^") for limit in {one.deviation for one in gate} if limit < 1]
    cuts = {found.cut for found in result.recommended.values() if found.cut is not None}
    return [*((limit, "^") for limit in {one.confidence for one in gate}), *((cut, "R") for cut in cuts)]


def curve(points: Sequence[tuple[float, float]]) -> list[str]:
    """The ROC on a grid of characters: detection upwards, false blocks to the right, from 0 to 100%."""
    grid = [[" "] * ROC_WIDTH for _ in range(ROC_HEIGHT)]
    for column in range(ROC_WIDTH):
        grid[_row(column / (ROC_WIDTH - 1))][column] = "."
    # Straight from point to point: a tie of both classes counts half in the area, as it does in the AUC.
    for (left, low), (right, high) in pairwise(points):
        steps = max(1, round((right - left) * (ROC_WIDTH - 1)), abs(_row(low) - _row(high)))
        for step in range(steps + 1):
            share = step / steps
            column = round((left + share * (right - left)) * (ROC_WIDTH - 1))
            grid[_row(low + share * (high - low))][column] = "*"
    sides = ["100% |", *["     |"] * (ROC_HEIGHT - 2), "  0% |"]
    drawn = [side + "".join(line) for side, line in zip(sides, grid, strict=True)]
    return [
        "ambiguous caught",
        *drawn,
        "     +" + "-" * ROC_WIDTH,
        "      0%" + "clear blocked 100%".rjust(ROC_WIDTH - 2),
    ]


def _row(share: float) -> int:
    return ROC_HEIGHT - 1 - round(min(1.0, max(0.0, share)) * (ROC_HEIGHT - 1))


def _cases(screen: _Screen, title: str, found: Sequence[Mistake]) -> None:
    more = f", the {WORST_SHOWN} farthest off" if len(found) > WORST_SHOWN else ""
    screen.line(f"{title}: {len(found) or 'none'}{more}", "dim")
    for case in found[:WORST_SHOWN]:
        screen.line(f"  {case.figures}  {case.target}")
        screen.line(f"    {case.request}")
        if case.why:
            screen.line(f"    {case.why}", "dim")
