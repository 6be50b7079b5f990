"""What fewer readers than were measured would give, and what sparing some may add. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.measurement.result import ReadersRow, Recommended
from calibration.stats.checks import Measured
from calibration.stats.estimate import TooLittle
from calibration.stats.readers_needed import COUNTS, ReaderCount, readers_needed
from calibration.stats.sequential import risk_table, simulated
from calibration.stats.thresholds import Recommendation
from evaluator.model import Thresholds


@dataclass(frozen=True, slots=True)
class MeasuredReaders:
    """Who judged. `exchangeable`: any of the `n` could stand for any other; named readers are not.

    `risk` is what sequential sampling may add, `least` the fewest valid samples of a check.
    """

    backend: str
    model: str
    prompt: str
    n: int
    exchangeable: bool
    least: int
    risk: float


def rows_of(
    checks: Sequence[Measured],
    readers: MeasuredReaders,
    target: float,
    recommended: Recommended,
    generator: np.random.Generator,
) -> Mapping[int, ReadersRow]:
    """Empty for readers that differ by name: some of them do not stand for fewer of them."""
    if not readers.exchangeable or not checks:
        return {}
    counts = tuple(sorted({*COUNTS, readers.n}))
    found = readers_needed(checks, target, generator, counts=counts)
    rows = {n: _row(n, one) for n, one in zip(counts, found, strict=True)}
    # One pair of thresholds for the readers that were measured, with the rates of that very pair.
    rows[readers.n] = replace(
        rows[readers.n],
        thresholds=recommended.thresholds,
        false_block_rate=recommended.false_block_rate,
        detection_rate=recommended.detection_rate,
        why=recommended.why,
    )
    return rows


def _row(n: int, found: ReaderCount | TooLittle) -> ReadersRow:
    if isinstance(found, TooLittle):
        return ReadersRow(n, why=_missing(found))
    pair = found.recommendation if isinstance(found.recommendation, Recommendation) else None
    certain = pair is not None and not pair.blocks_nothing
    why = ""
    if isinstance(found.recommendation, TooLittle):
        why = _missing(found.recommendation)
    elif not certain:
        why = "nothing that blocks could be certified"
    return ReadersRow(
        n,
        modelled=found.modelled,
        short=found.short,
        auc=found.auc,
        clear_stddev=found.clear_stddev,
        # A forecast is nothing that a gate may stand on.
        thresholds=pair.thresholds if pair is not None and certain and not found.modelled else None,
        false_block_rate=found.false_blocks,
        detection_rate=found.detection,
        why=why,
    )


def short_notes(rows: Mapping[int, ReadersRow]) -> list[str]:
    told = [f"{row.short} checks with fewer than {n}" for n, row in rows.items() if row.short]
    return [
        f"Of the readers asked not all gave a valid answer: {', '.join(told)} are judged by what is valid."
    ] * bool(told)


def _missing(found: TooLittle) -> str:
    return f"{found.units} {found.of}, at least {found.needed} are needed"


def sequential_of(
    checks: Sequence[Measured],
    readers: MeasuredReaders,
    thresholds: Thresholds,
    generator: np.random.Generator,
) -> tuple[Mapping[int, Mapping[str, object]], tuple[str, ...]]:
    plain = Thresholds(thresholds.confidence, thresholds.deviation)
    if not readers.exchangeable or readers.n <= readers.least or not checks:
        return {}, ()
    drawn = simulated(checks, readers.n, generator)
    if isinstance(drawn, TooLittle):
        return {}, (f"no table for sequential sampling: {_missing(drawn)}",)
    table = risk_table(drawn, plain, min_valid_samples=readers.least, risk=readers.risk)
    return {readers.n: table.as_dict()}, ()
