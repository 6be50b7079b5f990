"""The report of a calibration in the terminal: tables, and distributions and the ROC as small plots of text.

Plain when piped, and in ASCII where the output is. Computes no statistics; `document` is `Result.as_json()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from calibration.report.text import (
    LABELS,
    Document,
    Mistake,
    assumptions,
    components,
    deviation,
    facts,
    floor_meaning,
    mistakes,
    no_other_readers,
    notes,
    number,
    numbers,
    part,
    rate,
    rows,
    score,
    short_pair,
    text,
    too_little,
    verdict,
    whole,
)

if TYPE_CHECKING:
    from rich.console import Console

BINS = 50
ROC_WIDTH, ROC_HEIGHT = 41, 16
WORST_SHOWN = 5
STEPS = " ▁▂▃▄▅▆▇█"
ASCII_STEPS = " .:-=+*#@"
COLOURS = {"clear": "blue", "ambiguous": "yellow", "disputed": "magenta"}


def show(console: Console, document: Document) -> None:
    screen = _Screen(console)
    found = verdict(document)
    screen.line(found.headline, "bold green" if found.useful else "bold yellow")
    for detail in found.details:
        screen.line(detail)
    screen.line()
    for name, value in facts(document):
        screen.line(f"{name + ':':<10} {value}", "dim")
    _floor(screen, document)
    _distributions(screen, document)
    _roc(screen, document)
    _readers(screen, document)
    _errors(screen, document)
    blocked, missed = mistakes(document)
    screen.title("What it got most wrong")
    _cases(screen, "clear, and yet blocked", blocked)
    _cases(screen, "ambiguous, and let through", missed)
    screen.title("What this rests on")
    for line in (*assumptions(document), *notes(document)):
        screen.line(f"- {line}")


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


def _floor(screen: _Screen, document: Document) -> None:
    screen.title("The noise floor")
    screen.line(floor_meaning(document))
    known = [(label, part(document, "floor", label)) for label in LABELS if part(document, "floor", label)]
    screen.table(
        ("class", "mean", "deviation", "spread of readers", "of checks", "of cases"),
        [
            (
                label,
                score(found),
                deviation(part(found, "stddev")),
                *(value for _, value in components(found)),
            )
            for label, found in known
        ],
    )


def _distributions(screen: _Screen, document: Document) -> None:
    found = {label: part(document, "distributions", label) for label in LABELS}
    if not any(numbers(each, "means") for each in found.values()):
        return
    for name, key, most in (("means", "means", 1.0), ("deviations", "deviations", 0.5)):
        screen.title(f"Distribution of {name}")
        for label, each in found.items():
            values = numbers(each, key)
            if values:
                drawn = histogram(values, most, screen.steps)
                screen.line(f"{label:<10} |{drawn}| {len(values)} checks", COLOURS.get(label, ""))
        threshold = "confidence" if key == "means" else "deviation"
        screen.line(f"{'':<10} |{_marks(document, threshold, most)}|")
        screen.line(f"{'':<10}  {'0':<{BINS - 3}}{most:.1f}", "dim")
    screen.line(f"{'':<10}  ^ threshold in force, R recommended", "dim")


def histogram(values: Sequence[float], most: float, steps: str) -> str:
    """One character a bin over [0, `most`], the fullest bin at full height; a bin with anything shows."""
    bins = [0] * BINS
    for value in values:
        bins[_bin(value / most)] += 1
    peak, top = max(bins), len(steps) - 1
    return "".join(steps[max(1, round(top * count / peak)) if count else 0] for count in bins)


def _bin(share: float) -> int:
    return min(BINS - 1, max(0, int(share * BINS + 1e-9)))


def _marks(document: Document, name: str, most: float) -> str:
    marks = [" "] * BINS
    in_force = number(part(document, "gate"), name)
    recommended = number(part(document, "recommended", "thresholds"), name)
    for value, mark in ((in_force, "^"), (recommended, "R")):
        if value is not None:
            marks[_bin(value / most)] = mark
    return "".join(marks)


def _roc(screen: _Screen, document: Document) -> None:
    screen.title("Telling clear from ambiguous")
    auc = part(document, "auc")
    if number(auc, "value") is None:
        screen.line(f"AUC: {too_little(auc) or 'not measured'}")
    else:
        pairs = score(part(document, "within_pairs"))
        screen.line(
            f"AUC {score(auc)}; within pairs {pairs}; calibration error {score(part(document, 'ece'))}"
        )
    points = [
        (number(point, "false_block_rate") or 0.0, number(point, "detection_rate") or 0.0)
        for point in rows(document, "roc")
    ]
    if points:
        for line in curve(points):
            screen.line(line)


def curve(points: Sequence[tuple[float, float]]) -> list[str]:
    """The ROC on a grid of characters: detection upwards, false blocks to the right, from 0 to 100%."""
    grid = [[" "] * ROC_WIDTH for _ in range(ROC_HEIGHT)]
    for column in range(ROC_WIDTH):
        grid[_row(column / (ROC_WIDTH - 1))][column] = "."
    before = 0.0
    for x, y in points:
        column = round(x * (ROC_WIDTH - 1))
        for row in range(_row(y), _row(before) + 1):
            grid[row][column] = "*"
        before = y
    reached = 0
    for column in range(ROC_WIDTH):
        inside = [row for row in range(ROC_HEIGHT) if grid[row][column] == "*"]
        if inside:
            reached = inside[0]
        else:
            grid[reached][column] = "*"
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


def _readers(screen: _Screen, document: Document) -> None:
    screen.title("What other numbers of readers would give")
    found = part(document, "readers")
    if not found:
        screen.line(no_other_readers(document))
        return
    body: list[tuple[str, ...]] = []
    for row in sorted((part(found, name) for name in found), key=lambda row: whole(row, "n")):
        why = text(row, "why")
        thresholds = part(row, "thresholds")
        body.append(
            (
                f"{whole(row, 'n')}{' (forecast)' if row.get('modelled') else ''}",
                score(part(row, "auc")) if part(row, "auc") else why or "not known",
                short_pair(thresholds) if thresholds else why or "not for a forecast",
                rate(part(row, "false_block_rate")) if part(row, "false_block_rate") else "not known",
                rate(part(row, "detection_rate")) if part(row, "detection_rate") else "not known",
            )
        )
    screen.table(("readers", "AUC", "thresholds", "clear blocked", "ambiguous caught"), body)


def _errors(screen: _Screen, document: Document) -> None:
    symbolic, origins = part(document, "symbolic"), part(document, "origins")
    screen.title("The symbolic layer's errors")
    screen.line(f"ambiguous cases that it would let through: {rate(part(symbolic, 'wrong_skip'))}")
    screen.line(f"clean answers that it misses: {rate(part(symbolic, 'missed_skip'))}")
    body = [
        (name, str(whole(part(origins, name), "ambiguous")), score(part(origins, name, "auc")),
         rate(part(origins, name, "detection_rate")))
        for name in ("natural", "generated")
        if part(origins, name)
    ]  # fmt: skip
    if body:
        screen.title("Natural and generated ambiguous cases apart")
        screen.table(("origin", "cases", "AUC", "caught by the gate in force"), body)
    history = part(document, "history")
    if history:
        screen.title("Past blocks of this project")
        screen.line(
            f"{whole(history, 'blocks')} blocks: {whole(history, 'released')} released, {whole(history, 'cancelled')} "
            f"cancelled, {whole(history, 'clarified')} clarified, {whole(history, 'unanswered')} never answered. "
            f"False among the answered: {rate(part(history, 'false_blocks'))}. Misses are not seen here."
        )


def _cases(screen: _Screen, title: str, found: Sequence[Mistake]) -> None:
    more = f", the {WORST_SHOWN} farthest off" if len(found) > WORST_SHOWN else ""
    screen.line(f"{title}: {len(found) or 'none'}{more}", "dim")
    for case in found[:WORST_SHOWN]:
        screen.line(
            f"  mean {case.mean:.2f}, deviation {case.deviation:.2f}  {case.target or '(no named target)'}"
        )
        screen.line(f"    {case.request}")
        if case.rationale:
            screen.line(f"    {case.concern}: {case.rationale}", "dim")
