"""What a calibration found, as one document: `calibration.json`, the report and `--json` are all this.

Holds no statistics and does no I/O. What the gate reads of it stands in
thresholds.json; all of this is for people and for `--check`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

from calibration.cases.history import History
from calibration.cases.labelled import Label
from calibration.stats.estimate import Estimate, TooLittle
from calibration.stats.noise import QUANTILES, Components, Floor
from calibration.stats.roc import RocPoint
from evaluator.configuration.calibrated import FORM
from evaluator.gate.run import Rule
from evaluator.model import StakesClass, Thresholds

Figure = Estimate | TooLittle
DIGITS = 6


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One of a case's checks: the scores of its valid readers in the order they were asked, and the agreement of their
    readings, None where it is not defined. `readings` and `held` as of a `CaseOutcome`."""

    confidence: float
    stddev: float
    verdict: Literal["passed", "failed"]
    scores: tuple[float, ...]
    agreement: float | None = None
    readings: tuple[int, ...] = ()
    held: bool = False


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One labelled case. `confidence` and `stddev` are means over its checks, None if no check of it was read.

    `verdict` is that of most of its checks by the gate in force (a tie counts as failed); `skipped` for what
    no reader would be asked (`reason` says why), `error` where too few readers answered. `pair` names the
    independent unit. `symbolic` says that the skip layer alone would let it through.
    """

    id: str
    label: Label
    confidence: float | None
    stddev: float | None
    verdict: Literal["passed", "failed", "skipped", "error"]
    reason: str
    pair: str
    category: str
    source: str
    generated: bool
    request: str
    target: str
    concern: str = ""
    rationale: str = ""
    symbolic: bool = False
    checks: tuple[CheckResult, ...] = ()
    stakes: StakesClass = "reversible"


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """Cases. `by_source`: source to label to number; `unread` were asked of no reader or got too few answers."""

    total: int
    clear: int
    ambiguous: int
    generated: int
    unread: int
    checks: int
    units: int
    clear_units: int
    by_source: Mapping[str, Mapping[Label, int]]


@dataclass(frozen=True, slots=True)
class Recommended:
    """The cut on the mean for a false-block rate of at most `target`, or `why` there is none: of calls of one class of
    stakes.

    `clear_units` were tested, `needed` are the least; `false_blocks` of them would be blocked, and with
    confidence 1 - delta the rate stays under `upper`. Both rates are on the measured cases themselves.
    """

    target: float
    delta: float
    cut: float | None
    clear_units: int
    needed: int
    false_blocks: int | None = None
    upper: float | None = None
    false_block_rate: Figure | None = None
    detection_rate: Figure | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReadersRow:
    """The gate with `n` readers; `modelled` rows are forecasts, not measurements. `why` tells what is missing.

    `short` of the measured checks had fewer valid answers and are judged by those.
    """

    n: int
    modelled: bool = False
    auc: Figure | None = None
    clear_stddev: float | None = None
    thresholds: Thresholds | None = None
    false_block_rate: Figure | None = None
    detection_rate: Figure | None = None
    why: str = ""
    short: int = 0


@dataclass(frozen=True, slots=True)
class TradeOff:
    """Both rates over units at one cut of the tested sequence; None without a case of that label."""

    confidence: float
    false_block_rate: float | None
    detection_rate: float | None


@dataclass(frozen=True, slots=True)
class ResultOrigin:
    """Natural and generated ambiguous cases apart, each against all clear ones."""

    ambiguous: int
    auc: Figure
    detection_rate: Figure


@dataclass(frozen=True, slots=True)
class Symbolic:
    """`wrong_skip`: ambiguous cases that the skip layer lets through. `missed_skip`: eligible clear ones it leaves."""

    wrong_skip: Figure
    missed_skip: Figure


@dataclass(frozen=True, slots=True)
class Distribution:
    """Means and deviations of all checks of one label."""

    means: Sequence[float]
    deviations: Sequence[float]


@dataclass(frozen=True, slots=True)
class Cost:
    """What the measurement took; `calls` are requests that were sent. `usd` is None where no price is known."""

    checks: int
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """`n` readers a check, `repeats` checks a case; `gate` is the rule in force while it was measured.

    `false_block_rate` and `detection_rate` are those of the gate in force. `date` is ISO 8601, UTC. `unset` says why no
    gate goes by what it recommends; empty where one does.
    """

    backend: str
    model: str
    prompt: str
    date: str
    n: int
    repeats: int
    gate: Rule
    counts: CaseCounts
    floor: Mapping[Label, Floor | TooLittle]
    auc: Figure
    within_pairs: Figure
    false_block_rate: Figure
    detection_rate: Figure
    recommended: Mapping[StakesClass, Recommended]
    readers: Mapping[int, ReadersRow]
    symbolic: Symbolic
    origins: Mapping[Literal["natural", "generated"], ResultOrigin]
    roc: tuple[RocPoint, ...]
    trade_off: tuple[TradeOff, ...]
    distributions: Mapping[Label, Distribution]
    cases: Sequence[CaseResult]
    cost: Cost
    history: History | None = None
    notes: tuple[str, ...] = field(default=())
    unset: str = ""

    @property
    def certifies(self) -> bool:
        """Whether it recommends a cut at all."""
        return any(found.cut is not None for found in self.recommended.values())

    def as_json(self) -> dict[str, object]:
        """JSON values only; a figure that could not be had is `{"value": null, "of", "units", "needed"}`."""
        return {**self._figures(), "cases": [_case(case) for case in self.cases]}

    def _figures(self) -> dict[str, object]:
        """All but the cases."""
        return {
            "version": FORM,
            "backend": self.backend,
            "model": self.model,
            "prompt": self.prompt,
            "date": self.date,
            "n": self.n,
            "repeats": self.repeats,
            "gate": {
                "reversible": pair_json(self.gate.reversible),
                "irreversible": pair_json(self.gate.irreversible),
            },
            "counts": asdict(self.counts),
            "floor": {label: _floor(found) for label, found in self.floor.items()},
            "auc": figure_json(self.auc),
            "within_pairs": figure_json(self.within_pairs),
            "false_block_rate": figure_json(self.false_block_rate),
            "detection_rate": figure_json(self.detection_rate),
            "recommended": {stakes: _recommended(found) for stakes, found in self.recommended.items()},
            "readers": {str(n): _readers(row) for n, row in sorted(self.readers.items())},
            "symbolic": {
                "wrong_skip": figure_json(self.symbolic.wrong_skip),
                "missed_skip": figure_json(self.symbolic.missed_skip),
            },
            "origins": {name: _origin(origin) for name, origin in self.origins.items()},
            "roc": [_point(point) for point in self.roc],
            "trade_off": [_rounded(asdict(point)) for point in self.trade_off],
            "distributions": {label: _distribution(found) for label, found in self.distributions.items()},
            "cost": asdict(self.cost),
            "history": None if self.history is None else _history(self.history),
            "notes": list(self.notes),
            "unset": self.unset,
        }


def figure_json(figure: Figure | None) -> dict[str, object] | None:
    if figure is None:
        return None
    if isinstance(figure, TooLittle):
        return {"value": None, "low": None, "high": None, "n": 0, **asdict(figure)}
    own = None if figure.per_check is None else _rounded(asdict(figure.per_check))
    return {**_rounded(asdict(figure)), "per_check": own}


def pair_json(thresholds: Thresholds) -> dict[str, object]:
    """`agreement` is there where it counts, `alpha` where the confidence was certified."""
    pair: dict[str, object] = {"confidence": thresholds.confidence, "deviation": thresholds.deviation}
    more = {"agreement": thresholds.agreement, "alpha": thresholds.alpha}
    return {**pair, **{name: value for name, value in more.items() if value is not None}}


def _floor(found: Floor | TooLittle) -> dict[str, object]:
    if isinstance(found, TooLittle):
        return {**(figure_json(found) or {}), "stddev": None, "quantiles": None, "components": None}
    components: Components = found.components
    return {
        **(figure_json(found.mean) or {}),
        "stddev": figure_json(found.stddev),
        "quantiles": {
            "at": list(QUANTILES),
            "mean": [round(value, DIGITS) for value in found.mean_quantiles],
            "stddev": [round(value, DIGITS) for value in found.stddev_quantiles],
        },
        "components": asdict(components),
    }


def _recommended(found: Recommended) -> dict[str, object]:
    return {
        "cut": found.cut,
        "target": found.target,
        "delta": found.delta,
        "clear_units": found.clear_units,
        "needed": found.needed,
        "false_blocks": found.false_blocks,
        "upper": found.upper,
        "false_block_rate": figure_json(found.false_block_rate),
        "detection_rate": figure_json(found.detection_rate),
        "why": found.why,
    }


def _readers(row: ReadersRow) -> dict[str, object]:
    return {
        "n": row.n,
        "modelled": row.modelled,
        "auc": figure_json(row.auc),
        "clear_stddev": row.clear_stddev,
        "thresholds": None if row.thresholds is None else pair_json(row.thresholds),
        "false_block_rate": figure_json(row.false_block_rate),
        "detection_rate": figure_json(row.detection_rate),
        "why": row.why,
        "short": row.short,
    }


def _origin(origin: ResultOrigin) -> dict[str, object]:
    return {
        "ambiguous": origin.ambiguous,
        "auc": figure_json(origin.auc),
        "detection_rate": figure_json(origin.detection_rate),
    }


def _history(history: History) -> dict[str, object]:
    return {**asdict(history), "false_blocks": figure_json(history.false_blocks)}


def _distribution(found: Distribution) -> dict[str, object]:
    return {
        "means": list(found.means),
        "deviations": list(found.deviations),
    }


def _point(point: RocPoint) -> dict[str, object]:
    """The last threshold is beyond every score; JSON has no infinity."""
    return {
        **_rounded(asdict(point)),
        "threshold": point.threshold if math.isfinite(point.threshold) else None,
    }


def _case(case: CaseResult) -> dict[str, object]:
    """In the order of the fields."""
    own = {name: getattr(case, name) for name in case.__slots__}
    checks = [{name: getattr(check, name) for name in check.__slots__} for check in case.checks]
    return _rounded({**own, "checks": checks})


def _rounded(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: round(value, DIGITS) if isinstance(value, float) else value for name, value in values.items()
    }
