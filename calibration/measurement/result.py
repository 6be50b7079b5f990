"""What a calibration found, as one document: `calibration.json`, the report and `--json` are all this.

Holds no statistics and does no I/O. What the gate reads of it stands in
thresholds.json; all of this is for people and for `--check`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from calibration.cases.case import Label
from calibration.cases.past_blocks import BlockHistory
from calibration.stats.estimates import Estimate, TooLittle
from calibration.stats.noise import Floor, ReadersRow
from evaluator.gate.run import Rule
from evaluator.model import StakesClass, Thresholds
from evaluator.verdict.calibrated_thresholds import FORM, Calibrated, calibrated_as_dict

Figure = Estimate | TooLittle


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One of a case's checks: mean and deviation of its valid readers' scores, and the agreement of their readings,
    None where it is not defined."""

    confidence: float
    stddev: float
    agreement: float | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One labelled case with the checks of it that were read. `pair` names the independent unit."""

    id: str
    pair: str
    label: Label
    stakes: StakesClass
    generated: bool
    checks: tuple[CheckResult, ...]


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
    stakes. `clear_units` were tested, `needed` are the least. Both rates are on the measured cases themselves."""

    target: float
    delta: float
    cut: float | None
    clear_units: int
    needed: int
    false_block_rate: Figure | None = None
    detection_rate: Figure | None = None
    why: str = ""


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
    gate goes by what it recommends; empty where one does."""

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
    false_block_rate: Figure
    detection_rate: Figure
    recommended: Mapping[StakesClass, Recommended]
    readers: Mapping[int, ReadersRow]
    symbolic: Symbolic
    origins: Mapping[Literal["natural", "generated"], ResultOrigin]
    trade_off: tuple[TradeOff, ...]
    distributions: Mapping[Label, Distribution]
    cases: Sequence[CaseResult]
    cost: Cost
    history: BlockHistory | None = None
    notes: tuple[str, ...] = field(default=())
    unset: str = ""

    def cuts(self, agreement: float | None = None) -> dict[StakesClass, Thresholds]:
        """The certified cuts, as thresholds that block by nothing else but `agreement`."""
        return {
            stakes: Thresholds(found.cut, 1.0, agreement, found.target)
            for stakes, found in self.recommended.items()
            if found.cut is not None
        }

    @property
    def proposed(self) -> Rule:
        """The rule of convergence in force with the certified cuts in it."""
        cuts = self.cuts(self.gate.reversible.agreement)
        return Rule(
            cuts.get("reversible", self.gate.reversible), cuts.get("irreversible", self.gate.irreversible)
        )

    def as_json(self) -> dict[str, object]:
        """JSON values only."""
        from pydantic import TypeAdapter

        found: dict[str, object] = TypeAdapter(Result).dump_python(self, mode="json")
        return {"version": FORM, **found}


def thresholds_document(result: Result) -> dict[str, object]:
    """JSON values only; the certified cuts, for the number of readers that was measured."""
    cuts = result.cuts()
    return calibrated_as_dict(
        Calibrated(result.backend, result.model, result.prompt, result.date, {result.n: cuts} if cuts else {})
    )


def sets_any(document: Mapping[str, object]) -> bool:
    """Whether the thresholds document holds a cut that the gate could use."""
    return bool(document["per_n"])
