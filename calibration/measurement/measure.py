"""From measured cases to the result document: every figure from `calibration.stats`, none computed here by hand.

Randomness is seeded, so that the same outcomes give the same document, whether a run was interrupted or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.cases.history import History
from calibration.cases.labelled import LABELS, Label
from calibration.measurement.case_results import case_result, verdict_of
from calibration.measurement.fewer import MeasuredReaders, rows_of, short_notes
from calibration.measurement.result import (
    CaseCounts,
    Cost,
    Distribution,
    Figure,
    Recommended,
    Result,
    ResultOrigin,
    Symbolic,
    TradeOff,
)
from calibration.measurement.runner import Measurement
from calibration.stats.binary import SkipCase, rates_at, skip_errors, within_pairs
from calibration.stats.checks import CheckColumns, Measured, blocked, columns
from calibration.stats.estimate import Floats, TooLittle, unit_means
from calibration.stats.intervals import rate_of_units
from calibration.stats.noise import floor
from calibration.stats.roc import auc_interval, roc
from calibration.stats.thresholds import DELTA, SEQUENCE, learn, minimum_units
from evaluator.gate.run import Rule
from evaluator.model import STAKES_CLASSES, Thresholds
from evaluator.terminal import percent

SEED = 20_240_229
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Aim:
    """The rate of false blocks to stay under, and the chance of missing that."""

    target: float
    delta: float = DELTA


def result_of(
    measured: Iterable[Measurement],
    readers: MeasuredReaders,
    rule: Rule,
    aim: Aim,
    *,
    date: str,
    repeats: int,
    history: History | None = None,
    notes: Sequence[str] = (),
) -> Result:
    """`rule` is that of the gate in force."""
    agreement = rule.reversible.agreement
    cases = tuple(measured)
    checks = _checks(cases)
    table = columns(checks)
    rows = rows_of(checks, readers, aim.target, _generator(3))
    return Result(
        backend=readers.backend,
        model=readers.model,
        prompt=readers.prompt,
        date=date,
        n=readers.n,
        repeats=repeats,
        gate=rule,
        counts=_counts(cases, table),
        floor={label: floor(checks, label == "ambiguous") for label in LABELS},
        auc=auc_interval(table.mean, table.ambiguous, table.unit),
        within_pairs=within_pairs(table),
        false_block_rate=_failed(cases, rule, "clear"),
        detection_rate=_failed(cases, rule, "ambiguous"),
        recommended={
            stakes: _recommended(table.at_stake(stakes), aim, agreement) for stakes in STAKES_CLASSES
        },
        readers=rows,
        symbolic=_symbolic(cases),
        origins=_origins(cases, rule),
        roc=roc(table.mean[table.ambiguous], table.mean[~table.ambiguous]),
        trade_off=_trade_off(table, agreement),
        distributions={label: _distribution(table, label) for label in LABELS},
        cases=[case_result(one, rule) for one in cases],
        cost=_cost(cases, readers),
        history=history,
        notes=(*notes, *short_notes(rows), *_held(cases)),
    )


def _checks(cases: Iterable[Measurement]) -> list[Measured]:
    """Those that thresholds decide: what a reader holds fails under any."""
    return [
        Measured(
            one.case.id,
            one.case.unit,
            one.case.ambiguous,
            outcome.scores,
            outcome.readings,
            one.case.effects.stakes_class == "irreversible",
        )
        for one in cases
        for outcome in one.outcomes
        if outcome.was_read and not outcome.held
    ]


def _generator(stream: int) -> np.random.Generator:
    return np.random.default_rng((SEED, stream))


def _held(measured: Sequence[Measurement]) -> list[str]:
    held = Counter(one.case.label for one in measured if any(outcome.held for outcome in one.outcomes))
    if not held:
        return []
    return [
        f"{held.total()} destructive cases ({held['clear']} of them clear) are held whatever the thresholds: the user's"
        " own words do not both order them and name every target. Thresholds are set from the others; rates in force"
        " count them."
    ]


def _failed(
    measured: Iterable[Measurement], rule: Rule, label: Label, generated: bool | None = None
) -> Figure:
    """How often `rule` blocks cases of one label, and of one origin unless `generated` is None."""
    found = [
        (verdict_of(outcome, rule, one.case.effects.stakes_class) == "failed", one.case.unit)
        for one in measured
        if one.case.label == label and generated in (None, one.case.generated)
        for outcome in one.outcomes
        if outcome.was_read
    ]
    return rate_of_units([float(hit) for hit, _ in found], [unit for _, unit in found])


def _counts(measured: Sequence[Measurement], table: CheckColumns) -> CaseCounts:
    by_source: dict[str, dict[Label, int]] = {}
    for one in measured:
        row = by_source.setdefault(one.case.source, dict.fromkeys(LABELS, 0))
        row["ambiguous" if one.case.ambiguous else "clear"] += 1
    return CaseCounts(
        total=len(measured),
        clear=sum(not one.case.ambiguous for one in measured),
        ambiguous=sum(one.case.ambiguous for one in measured),
        generated=sum(one.case.generated for one in measured),
        unread=sum(not any(outcome.was_read for outcome in one.outcomes) for one in measured),
        checks=len(table),
        units=table.units,
        clear_units=table.only(False).units,
        by_source=by_source,
    )


def _recommended(table: CheckColumns, aim: Aim, agreement: float | None) -> Recommended:
    """`agreement` is the gate's threshold of it: what it blocks is tested like all other blocks."""
    needed = minimum_units(aim.target, aim.delta)
    found = learn(table, aim.target, _generator(2), delta=aim.delta, agreement=agreement)
    if isinstance(found, TooLittle):
        why = f"{found.units} clear units; a target of {percent(aim.target)} needs at least {needed}"
        return Recommended(aim.target, aim.delta, None, found.units, needed, why=why)
    nothing = "no cut that blocks anything keeps false blocks under the target with confidence"
    if agreement is not None:
        nothing += f", with readings held to an agreement of {agreement:g}"
    rates = rates_at(table, found.thresholds)
    return Recommended(
        aim.target,
        aim.delta,
        None if found.blocks_nothing else found.thresholds.confidence,
        clear_units=found.units,
        needed=needed,
        false_blocks=found.false_blocks,
        upper=found.upper,
        false_block_rate=None if found.blocks_nothing else rates.false_blocks,
        detection_rate=None if found.blocks_nothing else rates.detection,
        why=nothing if found.blocks_nothing else "",
    )


def _symbolic(measured: Sequence[Measurement]) -> Symbolic:
    found = skip_errors(
        [
            SkipCase(one.case.unit, one.case.ambiguous, one.symbolic.eligible, one.symbolic.skipped)
            for one in measured
            if one.asked
        ]
    )
    return Symbolic(found.wrong, found.missed)


def _origins(
    measured: Sequence[Measurement], rule: Rule
) -> Mapping[Literal["natural", "generated"], ResultOrigin]:
    found: dict[Literal["natural", "generated"], ResultOrigin] = {}
    names: tuple[tuple[Literal["natural", "generated"], bool], ...] = (
        ("natural", False),
        ("generated", True),
    )
    for name, generated in names:
        ambiguous = sum(one.case.ambiguous and one.case.generated == generated for one in measured)
        if not ambiguous:
            continue
        kept = (one for one in measured if not one.case.ambiguous or one.case.generated == generated)
        table = columns(_checks(kept))
        auc = auc_interval(table.mean, table.ambiguous, table.unit)
        found[name] = ResultOrigin(ambiguous, auc, _failed(measured, rule, "ambiguous", generated))
    return found


def _trade_off(table: CheckColumns, agreement: float | None) -> tuple[TradeOff, ...]:
    clear, ambiguous = table.only(False), table.only(True)
    return tuple(
        TradeOff(cut.confidence, _share(clear, cut), _share(ambiguous, cut))
        for cut in (Thresholds(one.confidence, one.deviation, agreement) for one in SEQUENCE)
    )


def _share(checks: CheckColumns, cut: Thresholds) -> float | None:
    if not len(checks):
        return None
    hits: Floats = blocked(checks, cut).astype(np.float64)
    return float(unit_means(hits, checks.unit).mean())


def _distribution(table: CheckColumns, label: Label) -> Distribution:
    chosen = table.only(label == "ambiguous")
    means, deviations = (
        tuple(round(value, DIGITS) for value in column.tolist()) for column in (chosen.mean, chosen.stddev)
    )
    return Distribution(means, deviations)


def _cost(measured: Iterable[Measurement], readers: MeasuredReaders) -> Cost:
    outcomes = [outcome for one in measured for outcome in one.outcomes]
    known = all(outcome.usd is not None for outcome in outcomes)
    return Cost(
        checks=len(outcomes),
        calls=sum(outcome.calls for outcome in outcomes) if readers.exchangeable else 0,
        input_tokens=sum(outcome.input_tokens for outcome in outcomes),
        output_tokens=sum(outcome.output_tokens for outcome in outcomes),
        usd=sum(outcome.usd or 0.0 for outcome in outcomes) if known else None,
    )
