"""The report of a calibration in the terminal: what to do, the curve, the figures; all else stands on its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calibration.measurement.result import Result
from calibration.report.text import (
    TRADE_ROWS,
    assumptions,
    facts,
    floor_meaning,
    known_trade_off,
    telling_apart,
    verdict,
)

if TYPE_CHECKING:
    from rich.console import Console

BAR = 25


def show(console: Console, result: Result) -> None:
    """Prints a calibration report on the terminal: plain when piped, and in ASCII where the output is."""
    from rich.text import Text

    wide = console.encoding.lower().startswith("utf")
    for line, style in lines_of(result, wide=wide):
        said = line if wide else line.encode("ascii", "replace").decode()
        console.print(Text(said, style), soft_wrap=not console.is_terminal)


def lines_of(result: Result, *, wide: bool) -> Iterator[tuple[str, str]]:
    """(text, style)"""
    found = verdict(result)
    tone = "bold green" if found.useful else "bold yellow"
    if found.unset:
        yield found.unset, tone
    yield found.advice, tone
    yield found.claim, ""
    curve = list(_curve(result, wide=wide))
    if curve:
        yield "", ""
        yield "What another threshold would do, in % of independent units:", "bold"
        yield from ((line, "") for line in curve)
    yield "", ""
    for line in (*map(str, found.rates), *found.details):
        yield line, ""
    for name, value in facts(result):
        yield f"{name + ':':<10} {value}", "dim"
    for title, lines in (
        ("The noise floor", [floor_meaning(result)]),
        ("Telling clear from ambiguous", [telling_apart(result)]),
        ("What this rests on", [f"- {point}" for point in assumptions(result)]),
    ):
        yield "", ""
        yield title, "bold"
        yield from ((line, "") for line in lines)
    yield "", ""
    yield "Everything else (distributions, other numbers of readers) is on the page.", "dim"


def _curve(result: Result, *, wide: bool) -> Iterator[str]:
    known = known_trade_off(result)
    if known:
        yield f"under {'clear, blocked':<{BAR + 7}}ambiguous, caught"
    for step, false, caught in known[:: max(1, len(known) // TRADE_ROWS)]:
        both = (f"{_bar(share, wide=wide)} {100 * share:>3.0f}" for share in (false, caught))
        yield f"{step.confidence:.2f}  {'   '.join(both)}"


def _bar(share: float, *, wide: bool) -> str:
    return (("█" if wide else "#") * round(BAR * share)).ljust(BAR)
