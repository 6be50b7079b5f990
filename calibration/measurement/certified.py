"""The certified rule of a measurement: weights, cuts of each procedure and operation class, and what they do.

For each number of readers up to those measured, where any of them could stand for any other; else for all of them, at
the procedure `fixed`. Each class is a promise of its own: a side of it is missed with its own share of delta.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.measurement.certified_result import CertifiedRule, ClassCuts, Population
from calibration.stats.certificates import Aims, CertifiedSides, certify, reach
from calibration.stats.checks import Measured, columns
from calibration.stats.estimate import Bools, Estimate, TooLittle
from calibration.stats.intervals import rate_of_units
from calibration.stats.learned_score import SHIPPED, fitted, fitting_units
from calibration.stats.looks import (
    FIRST_LOOK,
    PROCEDURES,
    LookColumns,
    Played,
    Procedure,
    look_columns,
    play,
)
from calibration.stats.readers_needed import COUNTS
from evaluator.model import Score, Thresholds


def certified_rule(
    checks: Sequence[Measured],
    n: int,
    aims: Aims,
    generator: np.random.Generator,
    *,
    plain: Thresholds,
    exchangeable: bool,
    learn: bool = False,
) -> CertifiedRule:
    """`checks` of `n` readers each, fewer where some were not valid; `plain`: the gate's rule without certificates."""
    table = columns(checks)
    fitting = fitting_units(table.unit, generator) if learn else np.zeros(len(table), dtype=np.bool_)
    score = fitted(columns(_some(checks, fitting)), generator) if learn else SHIPPED
    kept = _some(checks, ~fitting)
    units = columns(kept)
    reached = reach(units.only(False).units, units.only(True).units, aims)
    counts = sorted({*(count for count in COUNTS if count < n), n}) if exchangeable else [n]
    per_n = {
        count: rows
        for count in counts
        if count >= FIRST_LOOK
        and (rows := _rows(look_columns(kept, score, count, plain), score, aims, generator, exchangeable))
    }
    own = per_n.get(n, ())
    return CertifiedRule(
        aims,
        score,
        learn,
        len(np.unique(table.unit[fitting])),
        reached,
        {count: rows for count, rows in per_n.items() if any(row.sides.blocks for row in rows)},
        "" if any(row.sides.blocks for row in own) else _why(own),
    )


def _some(checks: Sequence[Measured], keep: Bools) -> list[Measured]:
    return [check for check, wanted in zip(checks, keep.tolist(), strict=True) if wanted]


def _why(own: Sequence[ClassCuts]) -> str:
    side = own[0].sides.block if own else TooLittle("checks", 0, 1)
    if isinstance(side, TooLittle):
        return f"{side.units} {side.of}, at least {side.needed} are needed"
    return "no cut that blocks anything keeps false blocks under the target with confidence"


def _rows(
    table: LookColumns, score: Score, aims: Aims, generator: np.random.Generator, exchangeable: bool
) -> tuple[ClassCuts, ...]:
    """A class has cuts of its own where its units suffice for both sides, or for as much as those of all do."""
    destructive = table.of(table.destructive)
    others = table.of(~table.destructive)
    parts: list[tuple[str, Population, LookColumns, LookColumns]] = []
    if _both(destructive, aims):
        parts.append(("destructive", "destructive", destructive, destructive))
        own = _both(others, aims)
        parts.append(("", "others" if own else "all", others if own else table, others))
    else:
        parts.append(("", "all", table, table))
    procedures = PROCEDURES if exchangeable else PROCEDURES[:1]
    return tuple(
        _class_cuts(name, population, procedure, certify(used, score, aims, procedure, generator), met)
        for name, population, used, met in sorted(parts, key=lambda part: part[0])
        for procedure in procedures
    )


def _both(table: LookColumns, aims: Aims) -> bool:
    clear, ambiguous = (len(np.unique(table.unit[table.ambiguous == label])) for label in (False, True))
    return reach(clear, ambiguous, aims).pass_delta > 0


def _class_cuts(
    name: str, population: Population, procedure: Procedure, sides: CertifiedSides, met: LookColumns
) -> ClassCuts:
    cuts = sides.cuts
    ends = play(met, cuts.block, cuts.passing, procedure)
    return ClassCuts(
        name,
        population,
        procedure,
        sides,
        _rate(met, ends, False),
        _rate(met, ends, True),
        (_zone(met, ends, False), _zone(met, ends, True)),
        float(ends.calls.mean()) if len(met) else 0.0,
    )


def _rate(table: LookColumns, ends: Played, ambiguous: bool) -> Estimate | TooLittle:
    return _share(table, ends.blocked, ambiguous)


def _zone(table: LookColumns, ends: Played, ambiguous: bool) -> Estimate | TooLittle:
    return _share(table, ends.between, ambiguous)


def _share(table: LookColumns, hits: Bools, ambiguous: bool) -> Estimate | TooLittle:
    of = table.ambiguous == ambiguous
    return rate_of_units(hits[of].astype(np.float64), table.unit[of])
