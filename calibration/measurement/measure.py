"""From measured cases to the result document: every figure from `calibration.stats`, none computed here by hand.

Randomness is seeded, so that the same outcomes give the same document, whether a run was interrupted or not.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from calibration.cases.history import History
from calibration.cases.labelled import LABELS, Label
from calibration.cases.spooled import Spooled
from calibration.measurement.case_results import case_result
from calibration.measurement.certified import certified_rule
from calibration.measurement.certified_result import CertifiedRule, rule_with
from calibration.measurement.disputed import disputed_of
from calibration.measurement.fewer import MeasuredReaders, rows_of, sequential_of, short_notes
from calibration.measurement.figured import FiguredCase, FiguredCases, Figuring, blocked_rate, checks_of
from calibration.measurement.result import (
    CaseCounts,
    CaseResult,
    Cost,
    Distribution,
    Figure,
    Recommended,
    Result,
    ResultOrigin,
    StatedRates,
    Symbolic,
    TradeOff,
)
from calibration.measurement.runner import Measurement
from calibration.stats.binary import SkipCase, rates_at, skip_errors, within_pairs
from calibration.stats.calibration_error import calibration_error
from calibration.stats.certificates import MISSES, Aims
from calibration.stats.checks import CheckColumns, blocked, columns
from calibration.stats.estimate import Floats, TooLittle, unit_means
from calibration.stats.looks import total_columns
from calibration.stats.noise import floor
from calibration.stats.roc import auc_interval, roc
from calibration.stats.thresholds import DELTA, SEQUENCE, learn, minimum_units
from evaluator.gate.run import Rule
from evaluator.model import Score, Thresholds
from evaluator.record import replace as replace_record
from evaluator.terminal import percent

SEED = 20_240_229
NOTHING_STATED = Thresholds(0.0, 1.0)
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Aim:
    """The rates of false blocks and of misses to stay under, and the chance of missing that.

    `learn`: a third of the units sets the weights of the score, and the rest certifies. `stated` are thresholds that
    block beside whatever is certified, and are not tested.
    """

    target: float
    delta: float = DELTA
    misses: float = MISSES
    learn: bool = False
    stated: Thresholds = NOTHING_STATED

    @property
    def sides(self) -> Aims:
        return Aims(self.target, self.misses, self.delta)


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
    """`rule` is that of the gate in force. Disputed cases count in no figure but their own and the cost."""
    gate = rule.thresholds
    figuring = Figuring()
    cases = Spooled(_shown(measured, rule, figuring))
    figured, disputed = figuring.found()
    del figuring
    checks = checks_of(figured)
    table = columns(checks)
    recommended = _recommended(table, aim, gate.agreement)
    rows = rows_of(checks, readers, aim.target, recommended, _generator(3))
    # What fewer readers would give is certified at the usual delta, whatever is asked for, and by scores alone.
    fewer = readers.n if aim.delta >= DELTA and gate.agreement is None else 0
    thresholds = {n: row.thresholds for n, row in rows.items() if row.thresholds and n < fewer}
    if recommended.thresholds is not None:
        thresholds[readers.n] = recommended.thresholds
    sequential, why = sequential_of(checks, readers, recommended.thresholds or gate, _generator(4))
    certified = certified_rule(
        checks,
        readers.n,
        aim.sides,
        _generator(5),
        plain=recommended.thresholds or gate,
        exchangeable=readers.exchangeable,
        learn=aim.learn,
    )
    to_come = _to_come(certified, recommended, readers.n, gate)
    apart = disputed_of(disputed, figured, rule, to_come)
    return Result(
        backend=readers.backend,
        model=readers.model,
        prompt=readers.prompt,
        date=date,
        n=readers.n,
        repeats=repeats,
        gate=gate,
        counts=_counts(figured, table),
        floor={label: floor(checks, label == "ambiguous") for label in LABELS},
        auc=auc_interval(table.mean, table.ambiguous, table.unit),
        within_pairs=within_pairs(table),
        ece=calibration_error(table.mean, ~table.ambiguous, table.unit, _generator(1)),
        false_block_rate=_failed(figured, rule, "clear"),
        detection_rate=_failed(figured, rule, "ambiguous"),
        recommended=recommended,
        thresholds=thresholds,
        readers=rows,
        symbolic=_symbolic(figured),
        origins=_origins(figured, rule),
        roc=roc(table.mean[table.ambiguous], table.mean[~table.ambiguous]),
        trade_off=_trade_off(table, gate.agreement),
        sequential=sequential,
        distributions={label: _distribution(table, label, certified.score) for label in LABELS},
        cases=cases,
        cost=_cost(chain(figured, disputed), readers),
        history=history,
        notes=(*notes, *short_notes(rows), *why, *_held(figured)),
        disputed=apart,
        certified=certified,
        certified_in_force=dict(rule.certified),
        escalates_in_force=rule.escalates,
        stated=_stated_rates(figured, to_come, aim.stated),
    )


def _to_come(certified: CertifiedRule, recommended: Recommended, n: int, gate: Thresholds) -> Rule | None:
    """The rule that the result would set: the certified cuts, else the pair; None for neither."""
    found = rule_with(Rule(recommended.thresholds or gate), certified, n)
    return found if found.certified or recommended.thresholds is not None else None


def _stated_rates(measured: FiguredCases, rule: Rule | None, stated: Thresholds) -> StatedRates | None:
    """None where nothing is stated, or nothing would be set."""
    if rule is None or stated == NOTHING_STATED:
        return None
    pair = rule.thresholds
    both = Rule(
        Thresholds(
            max(pair.confidence, stated.confidence), min(pair.deviation, stated.deviation), pair.agreement
        ),
        certified=tuple(
            (name, replace_record(held, confidence=stated.confidence, deviation=stated.deviation))
            for name, held in rule.certified
        ),
    )
    rates = (_failed(measured, both, label) for label in LABELS)
    return StatedRates(stated.confidence, stated.deviation, *rates)


def _shown(measured: Iterable[Measurement], rule: Rule, figuring: Figuring) -> Iterator[CaseResult]:
    """Each case with a label as the document shows it; all are told to `figuring`."""
    for one in measured:
        if one.case.label != "disputed":
            yield case_result(one, rule)
        figuring.add(one)


def _generator(stream: int) -> np.random.Generator:
    return np.random.default_rng((SEED, stream))


def _held(measured: FiguredCases) -> list[str]:
    held = Counter(one.of.label for one in measured if any(outcome.held for outcome in one.of.outcomes))
    if not held:
        return []
    return [
        f"{held.total()} destructive cases ({held['clear']} of them clear) are held whatever the thresholds: the user's"
        " own words do not both order them and name every target. Thresholds are set from the others; rates in force"
        " count them."
    ]


def _failed(measured: FiguredCases, rule: Rule, label: Label, generated: bool | None = None) -> Figure:
    """How often `rule` blocks cases of one label, and of one origin unless `generated` is None."""
    return blocked_rate(
        (one for one in measured if one.of.label == label and generated in (None, one.of.generated)), rule
    )


def _counts(measured: FiguredCases, table: CheckColumns) -> CaseCounts:
    by_source: dict[str, dict[Label, int]] = {}
    for one in measured:
        row = by_source.setdefault(one.of.source, dict.fromkeys(LABELS, 0))
        row["ambiguous" if one.of.ambiguous else "clear"] += 1
    return CaseCounts(
        total=len(measured),
        clear=sum(not one.of.ambiguous for one in measured),
        ambiguous=sum(one.of.ambiguous for one in measured),
        generated=sum(one.of.generated for one in measured),
        unread=sum(not any(outcome.was_read for outcome in one.of.outcomes) for one in measured),
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
    nothing = "no pair that blocks anything keeps false blocks under the target with confidence"
    if agreement is not None:
        nothing += f", with readings held to an agreement of {agreement:g}"
    rates = rates_at(table, found.thresholds)
    return Recommended(
        aim.target,
        aim.delta,
        None if found.blocks_nothing else found.thresholds,
        clear_units=found.units,
        needed=needed,
        false_blocks=found.false_blocks,
        upper=found.upper,
        false_block_rate=None if found.blocks_nothing else rates.false_blocks,
        detection_rate=None if found.blocks_nothing else rates.detection,
        why=nothing if found.blocks_nothing else "",
    )


def _symbolic(measured: FiguredCases) -> Symbolic:
    found = skip_errors(
        [
            SkipCase(one.unit, one.of.ambiguous, one.of.symbolic.eligible, one.of.symbolic.skipped)
            for one in measured
            if one.of.asked
        ]
    )
    return Symbolic(found.wrong, found.missed)


def _origins(measured: FiguredCases, rule: Rule) -> Mapping[Literal["natural", "generated"], ResultOrigin]:
    found: dict[Literal["natural", "generated"], ResultOrigin] = {}
    names: tuple[tuple[Literal["natural", "generated"], bool], ...] = (
        ("natural", False),
        ("generated", True),
    )
    for name, generated in names:
        ambiguous = sum(one.of.ambiguous and one.of.generated == generated for one in measured)
        if not ambiguous:
            continue
        kept = (one for one in measured if not one.of.ambiguous or one.of.generated == generated)
        table = columns(checks_of(kept))
        auc = auc_interval(table.mean, table.ambiguous, table.unit)
        found[name] = ResultOrigin(ambiguous, auc, _failed(measured, rule, "ambiguous", generated))
    return found


def _trade_off(table: CheckColumns, agreement: float | None) -> tuple[TradeOff, ...]:
    clear, ambiguous = table.only(False), table.only(True)
    return tuple(
        TradeOff(pair.confidence, round(pair.deviation, DIGITS), _share(clear, pair), _share(ambiguous, pair))
        for pair in (Thresholds(one.confidence, one.deviation, agreement) for one in SEQUENCE)
    )


def _share(checks: CheckColumns, pair: Thresholds) -> float | None:
    if not len(checks):
        return None
    hits: Floats = blocked(checks, pair).astype(np.float64)
    return float(unit_means(hits, checks.unit).mean())


def _distribution(table: CheckColumns, label: Label, score: Score) -> Distribution:
    chosen = table.only(label == "ambiguous")
    totals = total_columns(chosen.mean, chosen.stddev, chosen.agreement, score)
    return Distribution(
        *(
            array("d", (round(value, DIGITS) for value in column.tolist()))
            for column in (chosen.mean, chosen.stddev, totals)
        )
    )


def _cost(measured: Iterable[FiguredCase], readers: MeasuredReaders) -> Cost:
    outcomes = [outcome for one in measured for outcome in one.of.outcomes]
    known = all(outcome.usd is not None for outcome in outcomes)
    return Cost(
        checks=len(outcomes),
        calls=sum(outcome.calls for outcome in outcomes) if readers.exchangeable else 0,
        input_tokens=sum(outcome.input_tokens for outcome in outcomes),
        output_tokens=sum(outcome.output_tokens for outcome in outcomes),
        usd=sum(outcome.usd or 0.0 for outcome in outcomes) if known else None,
    )
