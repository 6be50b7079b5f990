"""A comparison as Markdown, for a CI job's summary, and as lines for a terminal."""

from __future__ import annotations

from calibration.report.check import TITLES, Comparison, label_of
from calibration.stats.drift import ALPHA, CHECKS, SMALLEST, CaseChecks, Shift

WORST_MAX = 10


def headline(found: Comparison) -> str:
    if not found.tested:
        return "The readers could not be compared: too few cases in common"
    if not found.drift.alarm:
        return "The readers answer as they did"
    moved = [
        f"{TITLES[shift.quantity]} of {label_of(shift.ambiguous)} cases"
        for shift in found.drift.shifts
        if shift.alarm
    ]
    return f"The readers have moved: {', '.join(moved)}"


def lines(found: Comparison) -> list[str]:
    """The headline and one line a label and quantity."""
    told = [f"{headline(found)} (baseline of {found.baseline.date})."]
    for shift in found.drift.shifts:
        change = shift.change
        told.append(
            f"  {label_of(shift.ambiguous):<10} {TITLES[shift.quantity]:<26} {change.value:+.3f} "
            f"[{change.low:+.3f}, {change.high:+.3f}], p {shift.p:.2g}, {change.units} units"
            f"{'  moved' if shift.alarm else ''}"
        )
    told += [f"  {lack.units} {lack.of}, at least {lack.needed} are needed" for lack in found.drift.untested]
    if found.unread:
        told.append(f"  {len(found.unread)} cases got too few answers and are left out")
    return told


def markdown(found: Comparison) -> str:
    drift, said = found.drift, headline(found)
    rows = [_row(shift) for shift in drift.shifts]
    rows += [
        f"| {lack.of.split()[0]} | | | | | {lack.units} | needs {lack.needed} |" for lack in drift.untested
    ]
    text = [
        f"### Compass: {said[0].lower()}{said[1:]}",
        "",
        f"Against the baseline of {found.baseline.date}, paired by case. "
        f"Alarm at alpha {ALPHA:g} over {CHECKS} checks of one baseline, that is at p {drift.level:.2g}, "
        f"and a change of at least {SMALLEST:g}.",
        "",
        "| cases | quantity | change | 95 % interval | p | units | |",
        "|---|---|---|---|---|---|---|",
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
    return (
        f"| {label} | {TITLES[shift.quantity]} | {change.value:+.3f} | {interval} | {shift.p:.2g} "
        f"| {change.units} | {verdict} |"
    )


def _worst(found: Comparison) -> list[str]:
    """The cases that changed the most."""
    both = [(name, found.before[name], now) for name, now in found.current.items() if name in found.before]
    shown = sorted(both, key=lambda row: (-_distance(row[1], row[2]), row[0]))[:WORST_MAX]
    rows = [
        f"| `{_cell(name)}` | {was.mean:.3f} | {now.mean:.3f} | {was.deviation:.3f} | {now.deviation:.3f} |"
        for name, was, now in shown
    ]
    return ["| case | mean was | is | deviation was | is |", "|---|---|---|---|---|", *rows, ""]


def _distance(was: CaseChecks, now: CaseChecks) -> float:
    return max(abs(now.mean - was.mean), abs(now.deviation - was.deviation))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/").replace("`", "'")[:80]
