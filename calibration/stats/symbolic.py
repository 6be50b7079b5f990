"""The two errors of the symbolic skip layer, which decides without a reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.stats.estimate import Estimate, TooLittle
from calibration.stats.intervals import rate_of_units


@dataclass(frozen=True, slots=True)
class SkipCase:
    """One labelled case. `eligible` says that the skip rules should let it through if it is clear."""

    unit: str
    ambiguous: bool
    eligible: bool
    skipped: bool


@dataclass(frozen=True, slots=True)
class SkipErrors:
    """`wrong`: ambiguous cases that were skipped. `missed`: eligible clear cases that were not."""

    wrong: Estimate | TooLittle
    missed: Estimate | TooLittle


def skip_errors(cases: Sequence[SkipCase]) -> SkipErrors:
    """Both rates over units, with Clopper-Pearson intervals."""
    ambiguous = [case for case in cases if case.ambiguous]
    clear = [case for case in cases if case.eligible and not case.ambiguous]
    return SkipErrors(
        wrong=rate_of_units([float(case.skipped) for case in ambiguous], [case.unit for case in ambiguous]),
        missed=rate_of_units([float(not case.skipped) for case in clear], [case.unit for case in clear]),
    )
