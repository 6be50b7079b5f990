"""Measured cases as figures need them: a few numbers each, and what many have in common once.

Nothing that anybody said is kept.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from calibration.cases.labelled import CaseLabel
from calibration.measurement.case_results import verdict_of
from calibration.measurement.judging import CaseOutcome, SymbolicView
from calibration.measurement.result import Figure
from calibration.measurement.runner import Measurement
from calibration.stats.checks import Measured
from calibration.stats.intervals import rate_of_units
from evaluator.gate.run import Rule
from evaluator.model import StakesClass


@dataclass(frozen=True, slots=True)
class Alike:
    """What cases may have in common; rules say the same of many. Fields as of the `Measurement` and its case."""

    label: CaseLabel
    source: str
    generated: bool
    stakes: StakesClass
    asked: bool
    symbolic: SymbolicView
    outcomes: tuple[CaseOutcome, ...]

    @property
    def ambiguous(self) -> bool:
        """A disputed case is neither this nor clear."""
        return self.label == "ambiguous"


class FiguredCase(NamedTuple):
    """`case` and `unit` are numbers, in the order of their names."""

    case: int
    unit: int
    of: Alike


class FiguredCases:
    """In the order in which they were measured, twelve bytes each besides what is `alike`."""

    def __init__(self, alike: Sequence[Alike], rows: Iterable[tuple[int, int, int]]) -> None:
        """`rows` has the case, the unit, and the place among `alike`, of each."""
        self._alike = alike
        self._cases, self._units, self._which = array("I"), array("I"), array("I")
        for case, unit, which in rows:
            self._cases.append(case)
            self._units.append(unit)
            self._which.append(which)

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[FiguredCase]:
        for case, unit, which in zip(self._cases, self._units, self._which, strict=True):
            yield FiguredCase(case, unit, self._alike[which])


class Figuring:
    """Takes measured cases one by one."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._units: list[str] = []
        self._which = array("I")
        self._alike: dict[Alike, int] = {}
        self._unit_once: dict[str, str] = {}

    def add(self, one: Measurement) -> None:
        case = one.case
        outcomes = tuple(replace(each, concern="", rationale="", error="") for each in one.outcomes)
        alike = Alike(
            case.label,
            case.source,
            case.generated,
            case.effects.stakes_class,
            one.asked,
            one.symbolic,
            outcomes,
        )
        self._ids.append(case.id)
        self._units.append(self._unit_once.setdefault(case.unit, case.unit))
        self._which.append(self._alike.setdefault(alike, len(self._alike)))

    def found(self) -> FiguredCases:
        rows = zip(_ranks(self._ids), _ranks(self._units), self._which, strict=True)
        return FiguredCases(tuple(self._alike), rows)


def checks_of(cases: Iterable[FiguredCase]) -> list[Measured]:
    """Those that thresholds decide: what a reader holds fails under any."""
    return [
        Measured(
            case,
            unit,
            of.ambiguous,
            outcome.scores,
            outcome.readings,
            of.stakes == "irreversible",
        )
        for case, unit, of in cases
        for outcome in of.outcomes
        if outcome.was_read and not outcome.held
    ]


def blocked_rate(cases: Iterable[FiguredCase], rule: Rule) -> Figure:
    """How often the gate blocks by `rule`."""
    hits, units = array("d"), array("q")
    for _, unit, of in cases:
        for outcome in of.outcomes:
            if outcome.was_read:
                hits.append(verdict_of(outcome, rule, of.stakes) == "failed")
                units.append(unit)
    return rate_of_units(np.array(hits), np.array(units, dtype=np.int64))


def _ranks(names: Sequence[str]) -> array[int]:
    """The place of each among them all, in order; equal for equal names."""
    place = {name: number for number, name in enumerate(sorted(set(names)))}
    return array("I", (place[name] for name in names))
