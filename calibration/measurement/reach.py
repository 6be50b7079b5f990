"""What the units of some cases can certify at all, told before anything is measured. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable

from calibration.cases.labelled import LabelledCase
from calibration.measurement.judging import is_write
from calibration.stats.certificates import Aims, Reach, most_errors, reach
from calibration.stats.learned_score import SHARE


def reach_of(cases: Iterable[LabelledCase], aims: Aims, *, learn: bool) -> Reach:
    """Of the units that are left to certify: with `learn`, about two of three. What is not asked about certifies
    nothing."""
    asked: tuple[set[str], set[str]] = set(), set()
    for case in cases:
        if is_write(case):
            asked[case.ambiguous].add(case.unit)
    clear, ambiguous = (len(units) for units in asked)
    if learn:
        clear, ambiguous = (count - math.ceil(count * SHARE) for count in (clear, ambiguous))
    return reach(clear, ambiguous, aims)


def reach_lines(found: Reach, aims: Aims) -> list[str]:
    """One or two sentences: what both aims take, what is there, and what could be had instead."""
    goals = f"at most {_share(aims.alpha)} false blocks and at most {_share(aims.beta)} misses"
    there = f"{found.clear} clear and {found.ambiguous} ambiguous units"
    if found.pass_delta:
        wrong = (
            most_errors(found.clear, aims.alpha, found.block_delta),
            most_errors(found.ambiguous, aims.beta, found.pass_delta),
        )
        return [
            f"{there} can certify {goals}, if at a cut no more than {wrong[0]} clear ones are blocked"
            f" and {wrong[1]} ambiguous ones pass."
        ]
    lines = [
        f"{goals[0].upper()}{goals[1:]} cannot both be certified with {there}: {found.needed_clear} and"
        f" {found.needed_ambiguous} are needed."
    ]
    if found.block_delta:
        lines.append("Only the certificate of false blocks can be had: nothing is promised about misses.")
    else:
        lines.append("No thresholds will be written: the floor alone is measured.")
    instead = [
        f"--{name} {least}"
        for name, units, needed, aim in (
            ("target", found.clear, found.needed_clear, aims.alpha),
            ("misses", found.ambiguous, found.needed_ambiguous, aims.beta),
        )
        if units < needed and (least := least_aim(units, aims.delta / 2)) < 1 and least > aim
    ]
    if instead:
        lines.append(f"The least that so many units could certify together: {', '.join(instead)}.")
    return lines


def least_aim(units: int, delta: float) -> float:
    """The least rate, in hundredths, that `units` without an error certify at `delta`; 1 without units."""
    return math.ceil(100 * (1 - delta ** (1 / units))) / 100 if units else 1.0


def _share(rate: float) -> str:
    return f"{100 * rate:g}%"
