"""What the two certificates came to, as the result document tells it. Holds no statistics and does no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal

from calibration.stats.certificates import Aims, CertifiedSide, CertifiedSides, Reach
from calibration.stats.estimate import Estimate, TooLittle
from calibration.stats.looks import PROCEDURES, Procedure
from evaluator.configuration.calibrated import Certificate
from evaluator.gate.run import Rule
from evaluator.model import NO_BLOCK, NO_PASS, SEVERITY, Certified, Cuts, Score
from evaluator.record import values_of

Population = Literal["all", "others", "destructive"]
UNDECIDED: Final = Cuts(NO_BLOCK, NO_PASS, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class ClassCuts:
    """The cuts of one operation class, "" for all that have none of their own, under one procedure.

    `population` says whose units certify them; `others` are those that are not destructive. `false_block_rate` and
    `detection_rate` are of the whole procedure, what is made of the zone included; `zone` is the share that is still
    between the cuts after the last reader, of clear and of ambiguous checks. `calls` is the mean number of readers.
    """

    operation_class: str
    population: Population
    procedure: Procedure
    sides: CertifiedSides
    false_block_rate: Estimate | TooLittle
    detection_rate: Estimate | TooLittle
    zone: tuple[Estimate | TooLittle, Estimate | TooLittle]
    calls: float

    @property
    def cuts(self) -> Cuts:
        return self.sides.cuts


@dataclass(frozen=True, slots=True)
class CertifiedRule:
    """One score, and per number of readers the cuts on it; empty where nothing that blocks is certified, and `why`.

    `fitted_units` set the weights of a `learned` score and certify nothing; `reach` is of the units that do.
    """

    aims: Aims
    score: Score
    learned: bool
    fitted_units: int
    reach: Reach
    per_n: Mapping[int, tuple[ClassCuts, ...]]
    why: str = ""

    def of(self, n: int, procedure: Procedure) -> dict[str, Cuts]:
        """Operation class to cuts; empty where nothing that blocks is certified in any.

        A class of its own in which nothing is certified keeps cuts that decide nothing: those of all others were
        certified without it.
        """
        rows = [row for row in self.per_n.get(n, ()) if row.procedure == procedure]
        if not any(row.sides.blocks for row in rows):
            return {}
        return {
            row.operation_class: row.cuts if row.sides.blocks else UNDECIDED
            for row in rows
            if row.sides.blocks or row.operation_class
        }


def rule_with(plain: Rule, found: CertifiedRule, n: int, procedure: Procedure = "fixed") -> Rule:
    """The gate's rule of `n` readers with what was certified; `plain` itself where nothing was."""
    certificate = Certificate(found.score, found.of(n, procedure))
    held = [(name, certificate.of_class(name)) for name in SEVERITY]
    return Rule(
        plain.thresholds,
        certified=tuple((name, Certified(found.score, cuts)) for name, cuts in held if cuts is not None),
    )


def certified_json(found: CertifiedRule) -> dict[str, object]:
    return {
        "aims": asdict(found.aims),
        "score": values_of(found.score),
        "learned": found.learned,
        "fitted_units": found.fitted_units,
        "reach": asdict(found.reach),
        "per_n": {
            str(n): {
                procedure: {row.operation_class: _class(row) for row in rows if row.procedure == procedure}
                for procedure in PROCEDURES
            }
            for n, rows in sorted(found.per_n.items())
        },
        "why": found.why,
    }


def _class(row: ClassCuts) -> dict[str, object]:
    return {
        "population": row.population,
        "cuts": values_of(row.cuts),
        "block": _side(row.sides.block),
        "passing": _side(row.sides.passing),
        "crossed": row.sides.crossed,
        "false_block_rate": asdict(row.false_block_rate),
        "detection_rate": asdict(row.detection_rate),
        "zone": {"clear": asdict(row.zone[0]), "ambiguous": asdict(row.zone[1])},
        "calls": row.calls,
    }


def _side(side: CertifiedSide | TooLittle) -> dict[str, object]:
    return asdict(side)
