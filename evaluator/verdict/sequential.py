"""When may a check end before all of its readers have answered? Standard library only: the gate asks this.

A block ends by exact bounds. A pass ends by the risk rule: a calibrated table says how much slack the scores
must have, so that the chance that all readers together would block stays under `risk`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from evaluator.model import Thresholds
from evaluator.verdict.convergence import TOLERANCE, certain_block, moments, within


@dataclass(frozen=True, slots=True)
class RiskTable:
    """The slack that a pass needs at each look, for `n` readers at these very thresholds.

    `bounds` holds (scores that are in, least slack); a look that is not there never ends a pass.
    """

    n: int
    thresholds: Thresholds
    risk: float
    bounds: tuple[tuple[int, float], ...]

    def as_dict(self) -> dict[str, object]:
        """What JSON keeps of it; `table_of` reads it back."""
        return {
            "n": self.n,
            "confidence": self.thresholds.confidence,
            "deviation": self.thresholds.deviation,
            "risk": self.risk,
            "bounds": {str(look): slack for look, slack in self.bounds},
        }


def table_of(value: object) -> RiskTable:
    """A table from its JSON form. Raises ValueError for anything else."""
    try:
        found = cast(Mapping[str, object], value)
        bounds = cast(Mapping[str, object], found["bounds"])
        table = RiskTable(
            n=int(_number(found["n"])),
            thresholds=Thresholds(_number(found["confidence"]), _number(found["deviation"])),
            risk=_number(found["risk"]),
            bounds=tuple(sorted((int(look), _number(slack)) for look, slack in bounds.items())),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise ValueError(f"not a risk table: {fault}") from None
    if not all(0 < look < table.n and slack >= 0 for look, slack in table.bounds):
        raise ValueError("not a risk table: a look or its slack is out of range")
    return table


def may_stop(scores: Sequence[float], n: int, table: RiskTable | None, thresholds: Thresholds) -> bool:
    """Whether the verdict on `scores`, those of `n` readers that are in and valid, may stand.

    Without a table for these thresholds and this `n` only exact bounds count. The caller sees to it that no
    fewer than the least valid samples are in.
    """
    outstanding = n - len(scores)
    if not scores or outstanding <= 0:
        return bool(scores)
    if certain_block(scores, outstanding, thresholds):
        return True
    if table is None or table.n != n or table.thresholds != thresholds:
        return False
    needed = dict(table.bounds).get(len(scores))
    return (
        needed is not None and within(*moments(scores), thresholds) and slack(scores, n, thresholds) >= needed
    )


def slack(scores: Sequence[float], n: int, thresholds: Thresholds) -> float:
    """How far under the mean of `scores` all outstanding readers may score and the check still passes.

    In units of score, at least 0, or -1 if it fails even when they score the mean. With k outstanding, a
    shortfall s lowers the mean by sk/n and makes the variance (len/n) var + (k len/n^2) s^2.
    """
    seen = len(scores)
    k = n - seen
    mean, stddev = moments(scores)
    by_mean = (mean - thresholds.confidence + TOLERANCE) * n / k
    room = (thresholds.deviation + TOLERANCE) ** 2 - stddev**2 * seen / n
    if by_mean < 0 or room < 0:
        return -1.0
    return min(by_mean, math.sqrt(room * n * n / (k * seen)))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return float(value)
