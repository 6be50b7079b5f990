"""A comparison as Markdown, for a CI job's summary, and as lines for a terminal."""

from __future__ import annotations

from calibration.report.check import Comparison, label_of
from calibration.stats.drift import ALPHA, SMALLEST, Shift

WORST_MAX = 10


def headline(found: Comparison) -> str:
    if not found.tested:
        return "The readers could not be compared: too few cases in common"
    return "The readers have moved" if found.drift.alarm else "The readers answer as they did"


def lines(found: Comparison) -> list[str]:
    """The headline and one line a label."""
    told = [f"{headline(found)} (baseline of {found.baseline.date})."]
    for shift in found.drift.shifts:
        change = shift.change
        told.append(
            f"  {label_of(shift.ambiguous):<10} {change.value:+.3f} [{change.low:+.3f}, {change.high:+.3f}], "
            f"p {shift.p:.3g}, {change.units} units{'  moved' if shift.alarm else ''}"
        )
    told += [f"  {lack.units} {lack.of}, at least {lack.needed} are needed" for lack in found.drift.untested]
    if found.unread:
        told.append(f"  {len(found.unread)} cases got too few answers and are left out")
    return told


def markdown(found: Comparison) -> str:
    drift = found.drift
    rows = [_row(shift) for shift in drift.shifts]
    rows += [
        f"| {lack.of.split()[0]} | | | | {lack.units} | needs {lack.needed} |" for lack in drift.untested
    ]
    text = [
        f"### Compass: {headline(found).lower()}",
        "",
        f"Against the baseline of {found.baseline.date}, paired by case. "
        f"Alarm at alpha {ALPHA:g} and a change of at least {SMALLEST:g}.",
        "",
        "| cases | change of the mean | 95 % interval | p | units | |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    if drift.alarm:
        text += [
            "Thresholds from that baseline no longer hold; run `compass calibrate` again.",
            "",
            *_worst(found),
        ]
    if drift.unmatched:
        text += [f"{len(drift.unmatched)} cases are in one of the two runs only, and were left out.", ""]
    return "\n".join(text) + "\n"


def _row(shift: Shift) -> str:
    change, label = shift.change, label_of(shift.ambiguous)
    interval = f"[{change.low:+.3f}, {change.high:+.3f}]"
    verdict = "**moved**" if shift.alarm else "same"
    return f"| {label} | {change.value:+.3f} | {interval} | {shift.p:.3g} | {change.units} | {verdict} |"


def _worst(found: Comparison) -> list[str]:
    """The cases that changed the most."""
    moved = [
        (abs(case.mean - found.baseline.cases[name].mean), name, case.mean)
        for name, case in found.current.items()
        if name in found.baseline.cases
    ]
    shown = sorted(moved, key=lambda entry: (-entry[0], entry[1]))[:WORST_MAX]
    rows = [
        f"| `{_cell(name)}` | {found.baseline.cases[name].mean:.3f} | {now:.3f} |" for _, name, now in shown
    ]
    return ["| case | was | is |", "|---|---|---|", *rows, ""]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/").replace("`", "'")[:80]
