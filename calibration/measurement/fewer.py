"""What fewer readers than were measured would give. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.measurement.result import ReadersRow
from calibration.stats.checks import Measured
from calibration.stats.estimate import TooLittle
from calibration.stats.readers_needed import COUNTS, ReaderCount, readers_needed
from calibration.stats.thresholds import Recommendation


@dataclass(frozen=True, slots=True)
class MeasuredReaders:
    """Who judged. `exchangeable`: any of the `n` could stand for any other; named readers are not."""

    backend: str
    model: str
    prompt: str
    n: int
    exchangeable: bool


def rows_of(
    checks: Sequence[Measured],
    readers: MeasuredReaders,
    target: float,
    generator: np.random.Generator,
) -> Mapping[int, ReadersRow]:
    """Empty for readers that differ by name: some of them do not stand for fewer of them."""
    if not readers.exchangeable or not checks:
        return {}
    counts = tuple(sorted({*COUNTS, readers.n}))
    found = readers_needed(checks, target, generator, counts=counts)
    return {n: _row(n, one) for n, one in zip(counts, found, strict=True)}


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
