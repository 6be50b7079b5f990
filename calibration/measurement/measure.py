"""From measured cases to the result document: every figure from `calibration.stats`, none computed here by hand.

Randomness is seeded, so that the same outcomes give the same document, whether a run was interrupted or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

import numpy as np

from calibration.cases.case import LABELS, Label
from calibration.cases.past_blocks import BlockHistory
from calibration.measurement import result
from calibration.measurement.runner import CaseOutcome, Measurement
from calibration.stats.checks import (
    DELTA,
    SEQUENCE,
    CheckColumns,
    Measured,
    auc_interval,
    blocked,
    columns,
    learn,
    minimum_units,
    rates_at,
)
from calibration.stats.estimates import Floats, TooLittle, rate_of_units, unit_means
from calibration.stats.noise import COUNTS, floor, readers_needed
from evaluator.gate.run import Rule
from evaluator.model import STAKES_CLASSES, Convergence, StakesClass, Thresholds
from evaluator.text import percent
from evaluator.verdict.convergence import judge

SEED = 20_240_229
DIGITS = 4


def result_of(
    measured: Iterable[Measurement],
    readers: MeasuredReaders,
    rule: Rule,
    target: float,
    *,
    date: str,
    repeats: int,
    history: BlockHistory | None = None,
    notes: Sequence[str] = (),
) -> result.Result:
    """The result document of a measurement. `rule` is the gate's in force, `target` the most false blocks allowed."""
    agreement = rule.reversible.agreement
    cases = tuple(measured)
    checks = _measured_checks(cases)
    table = columns(checks)
    # Readers that differ by name do not stand for fewer of them.
    asked = checks if readers.exchangeable else ()
    counts = tuple(sorted({*COUNTS, readers.n})) if asked else ()
    rows = readers_needed(asked, target, np.random.default_rng((SEED, 3)), counts=counts)
    return result.Result(
        backend=readers.backend,
        model=readers.model,
        prompt=readers.prompt,
        date=date,
        n=readers.n,
        repeats=repeats,
        gate=rule,
        counts=_measured_case_counts(cases, table),
        floor={label: floor(checks, label == "ambiguous") for label in LABELS},
        auc=auc_interval(table.mean, table.ambiguous, table.unit),
        false_block_rate=_measured_block_rate(cases, rule, "clear"),
        detection_rate=_measured_block_rate(cases, rule, "ambiguous"),
        recommended={
            stakes: _recommend_measured_cut(table.at_stake(stakes), target, agreement)
            for stakes in STAKES_CLASSES
        },
        readers={row.n: row for row in rows},
        symbolic=_measure_symbolic_layer(cases),
        origins=_measure_by_origin(cases, rule),
        trade_off=_measure_trade_off(table, agreement),
        distributions={label: _measured_distribution(table, label) for label in LABELS},
        cases=[
            result.CaseResult(
                id=one.case.id,
                pair=one.case.unit,
                label=one.case.label,
                stakes=one.case.effects.stakes_class,
                generated=one.case.generated,
                checks=tuple(
                    result.CheckResult(outcome.mean, outcome.stddev, outcome.agreement)
                    for outcome in one.outcomes
                    if outcome.was_read
                ),
            )
            for one in cases
        ],
        cost=_measurement_cost(cases, readers),
        history=history,
        notes=tuple(notes),
    )


def _measured_checks(cases: Iterable[Measurement]) -> list[Measured]:
    return [
        Measured(
            one.case.id,
            one.case.unit,
            one.case.ambiguous,
            outcome.scores,
            1.0 if outcome.agreement is None else outcome.agreement,
            one.case.effects.stakes_class == "irreversible",
        )
        for one in cases
        for outcome in one.outcomes
        if outcome.was_read
    ]


def _measured_block_rate(
    measured: Iterable[Measurement], rule: Rule, label: Label, generated: bool | None = None
) -> result.Figure:
    """How often `rule` blocks cases of one label, and of one origin unless `generated` is None."""
    found = [
        (blocked_by(outcome, rule, one.case.effects.stakes_class), one.case.unit)
        for one in measured
        if one.case.label == label and generated in (None, one.case.generated)
        for outcome in one.outcomes
        if outcome.was_read
    ]
    return rate_of_units([float(hit) for hit, _ in found], [unit for _, unit in found])


def _measured_case_counts(measured: Sequence[Measurement], table: CheckColumns) -> result.CaseCounts:
    by_source: dict[str, dict[Label, int]] = {}
    for one in measured:
        row = by_source.setdefault(one.case.source, dict.fromkeys(LABELS, 0))
        row[one.case.label] += 1
    return result.CaseCounts(
        total=len(measured), clear=sum(row["clear"] for row in by_source.values()),
        ambiguous=sum(row["ambiguous"] for row in by_source.values()),
        generated=sum(one.case.generated for one in measured),
        unread=sum(not any(outcome.was_read for outcome in one.outcomes) for one in measured), checks=len(table),
        units=table.units, clear_units=table.only(False).units, by_source=by_source,
    )  # fmt: skip


def _recommend_measured_cut(
    table: CheckColumns, target: float, agreement: float | None
) -> result.Recommended:
    """`agreement` is the gate's threshold of it: what it blocks is tested like all other blocks."""
    needed = minimum_units(target)
    found = learn(table, target, np.random.default_rng((SEED, 2)), agreement=agreement)
    if isinstance(found, TooLittle):
        why = f"there are {found.units} clear units; a target of {percent(target)} needs at least {needed}"
        return result.Recommended(target, DELTA, None, found.units, needed, why=why)
    nothing = "no threshold that blocks anything can be certified to keep false blocks under the target"
    if agreement is not None:
        nothing += f", while requiring an agreement of {agreement:g} between readings"
    false_blocks, detection = rates_at(table, found.thresholds)
    return result.Recommended(
        target, DELTA, None if found.blocks_nothing else found.thresholds.confidence, clear_units=found.units,
        needed=needed, false_block_rate=None if found.blocks_nothing else false_blocks,
        detection_rate=None if found.blocks_nothing else detection, why=nothing if found.blocks_nothing else "",
    )  # fmt: skip


def _measure_symbolic_layer(measured: Sequence[Measurement]) -> result.Symbolic:
    asked = [one for one in measured if one.asked]
    ambiguous = [one for one in asked if one.case.ambiguous]
    clear = [one for one in asked if one.symbolic.eligible and not one.case.ambiguous]
    wrong, missed = (
        rate_of_units(
            [float(one.symbolic.skipped == label) for one in cases], [one.case.unit for one in cases]
        )
        for cases, label in ((ambiguous, True), (clear, False))
    )
    return result.Symbolic(wrong, missed)


def _measure_by_origin(
    measured: Sequence[Measurement], rule: Rule
) -> Mapping[Literal["natural", "generated"], result.ResultOrigin]:
    found: dict[Literal["natural", "generated"], result.ResultOrigin] = {}
    names: tuple[Literal["natural", "generated"], ...] = ("natural", "generated")
    for name in names:
        generated = name == "generated"
        ambiguous = sum(one.case.ambiguous and one.case.generated == generated for one in measured)
        if not ambiguous:
            continue
        kept = (one for one in measured if not one.case.ambiguous or one.case.generated == generated)
        table = columns(_measured_checks(kept))
        auc = auc_interval(table.mean, table.ambiguous, table.unit)
        blocks = _measured_block_rate(measured, rule, "ambiguous", generated)
        found[name] = result.ResultOrigin(ambiguous, auc, blocks)
    return found


def _measure_trade_off(table: CheckColumns, agreement: float | None) -> tuple[result.TradeOff, ...]:
    clear, ambiguous = table.only(False), table.only(True)
    return tuple(
        result.TradeOff(
            cut.confidence, _measured_blocked_share(clear, cut), _measured_blocked_share(ambiguous, cut)
        )
        for cut in (Thresholds(one.confidence, one.deviation, agreement) for one in SEQUENCE)
    )


def _measured_blocked_share(checks: CheckColumns, cut: Thresholds) -> float | None:
    if not len(checks):
        return None
    hits: Floats = blocked(checks, cut).astype(np.float64)
    return float(unit_means(hits, checks.unit).mean())


def _measured_distribution(table: CheckColumns, label: Label) -> result.Distribution:
    chosen = table.only(label == "ambiguous")
    return result.Distribution(
        *(tuple(round(one, DIGITS) for one in each.tolist()) for each in (chosen.mean, chosen.stddev))
    )


def _measurement_cost(measured: Iterable[Measurement], readers: MeasuredReaders) -> result.Cost:
    outcomes = [outcome for one in measured for outcome in one.outcomes]
    known = all(outcome.usd is not None for outcome in outcomes)
    return result.Cost(
        checks=len(outcomes),
        calls=sum(outcome.calls for outcome in outcomes) if readers.exchangeable else 0,
        input_tokens=sum(outcome.input_tokens for outcome in outcomes),
        output_tokens=sum(outcome.output_tokens for outcome in outcomes),
        usd=sum(outcome.usd or 0.0 for outcome in outcomes) if known else None,
    )


@dataclass(frozen=True, slots=True)
class MeasuredReaders:
    """Who judged. `exchangeable`: any of the `n` could stand for any other; named readers are not."""

    backend: str
    model: str
    prompt: str
    n: int
    exchangeable: bool


def blocked_by(check: CaseOutcome | result.CheckResult, rule: Rule, stakes: StakesClass) -> bool:
    """Whether the gate's rule fails one measured check, of all its readers."""
    mean = check.mean if isinstance(check, CaseOutcome) else check.confidence
    convergence = Convergence(mean, check.stddev, 0, "none", "", agreement=check.agreement)
    thresholds = rule.irreversible if stakes == "irreversible" else rule.reversible
    return judge(convergence, thresholds)[0] == "failed"


def blocked_share(case: result.CaseResult, rule: Rule) -> float:
    """The share of a case's checks that the rule fails, of those that were read."""
    return fmean(blocked_by(check, rule, case.stakes) for check in case.checks)
