"""The score T of checks after each look, as columns, and what two cuts make of them: how a check ends, and after how
many readers.

A look k is the verdict on the first k readers. `fixed` has one look, at all of them; `escalate` looks from two readers
on, passes from `passing`, blocks below `block`, and asks one more reader in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.stats.checks import DIGITS, NO_READING, Measured, blocked, blocks, columns
from calibration.stats.estimate import Bools, Floats, Ints, codes
from calibration.stats.thresholds import DEFAULT
from evaluator.model import NO_PASS, Score, Thresholds
from evaluator.verdict.convergence import TOLERANCE

Procedure = Literal["fixed", "escalate"]
PROCEDURES: Final[tuple[Procedure, ...]] = ("fixed", "escalate")
FIRST_LOOK: Final = 2
FIRST_DESTRUCTIVE_PASS: Final = 3
"""No verdict on fewer readers passes a destructive call."""
BARRED: Final = -9.0
"""T of a look that agreement blocks by itself: under every cut."""


def total_columns(mean: Floats, stddev: Floats, agreement: Floats, score: Score) -> Floats:
    """`evaluator.verdict.score.total` of each element, rounded so that equal ones are ties."""
    over = np.maximum(0.0, stddev - score.deviation_free)
    found: Floats = mean + score.agreement_weight * agreement - score.deviation_weight * over
    return found.round(DIGITS)


def agreements(readings: NDArray[np.int64], look: int) -> Floats:
    """Agreement of the first `look` readers, shape (...,), of codes of shape (..., readers); undefined counts as 1."""
    seen = readings[..., :look]
    given = seen != NO_READING
    same = np.zeros(seen.shape[:-1])
    for one in range(look):
        for other in range(one):
            same += (seen[..., one] == seen[..., other]) & given[..., one]
    count = given.sum(axis=-1)
    pairs = count * (count - 1) / 2
    found: Floats = np.where(pairs > 0, same / np.maximum(pairs, 1), 1.0)
    return found


def totals(scores: Floats, readings: NDArray[np.int64], score: Score, looks: Sequence[int]) -> Floats:
    """T after each of `looks`, shape (..., looks), of scores and reading codes of shape (..., readers)."""
    each = [
        total_columns(
            scores[..., :look].mean(axis=-1),
            scores[..., :look].std(axis=-1),
            agreements(readings, look),
            score,
        )
        for look in looks
    ]
    return np.stack(each, axis=-1)


@dataclass(frozen=True, slots=True)
class LookColumns:
    """`totals` of shape (checks, looks) after 2, 3, ... readers; a check of fewer readers repeats its last look.

    `last` is the number of readers of each check, at most `n`. `otherwise`: blocked by the rule without certificates,
    which decides about destructive checks where there is no pass cut.
    """

    totals: Floats
    last: Ints
    n: int
    ambiguous: Bools
    destructive: Bools
    unit: Ints
    otherwise: Bools

    def __len__(self) -> int:
        return len(self.totals)

    def of(self, keep: Bools) -> LookColumns:
        """Some of the checks, with their units numbered anew."""
        return LookColumns(
            self.totals[keep],
            self.last[keep],
            self.n,
            self.ambiguous[keep],
            self.destructive[keep],
            codes(self.unit[keep], int(keep.sum())),
            self.otherwise[keep],
        )

    def lowest(self, procedure: Procedure) -> Floats:
        """The least T at which the procedure may block; below a cut for one that is blocked at it, whatever the other
        cut."""
        found: Floats = self.totals[:, -1] if procedure == "fixed" else self.totals.min(axis=1)
        return found

    def highest(self, procedure: Procedure) -> Floats:
        """The greatest T at which the procedure may pass."""
        last: Floats = self.totals[:, -1]
        if procedure == "fixed":
            return last
        late = self.totals[:, FIRST_DESTRUCTIVE_PASS - FIRST_LOOK :]
        any_look: Floats = self.totals.max(axis=1)
        late_look: Floats = late.max(axis=1) if late.shape[1] else any_look
        return np.where(self.destructive, late_look, any_look)


def look_columns(
    checks: Sequence[Measured], score: Score, n: int, plain: Thresholds = DEFAULT
) -> LookColumns:
    """Of the first `n` readers of each check; `plain` is the rule without certificates, whose agreement, where it sets
    one, blocks beside any cut. Raises ValueError for `n` under two."""
    if n < FIRST_LOOK:
        raise ValueError(f"{n} readers have no look")
    looks = range(FIRST_LOOK, n + 1)
    found = np.zeros((len(checks), len(looks)))
    counts = np.array([min(len(check.scores), n) for check in checks], dtype=np.int64)
    for count in sorted({*counts.tolist()}):
        own = [look for look in looks if look <= count] or [count]
        for rows in blocks(np.flatnonzero(counts == count)):
            found[rows] = _totals([checks[row] for row in rows], count, score, own, plain, len(looks))
    table = columns(checks, n)
    return LookColumns(
        found,
        counts,
        n,
        table.ambiguous,
        np.array([check.destructive for check in checks], dtype=np.bool_),
        table.unit,
        blocked(table, plain),
    )


def _totals(
    checks: Sequence[Measured], count: int, score: Score, looks: Sequence[int], plain: Thresholds, width: int
) -> Floats:
    """Of the first `count` readers of each, shape (checks, width): the last look stands for those that are missing."""
    scores = np.array([check.scores[:count] for check in checks], dtype=np.float64)
    readings = np.array([check.readings[:count] or (NO_READING,) * count for check in checks], dtype=np.int64)
    found = totals(scores, readings, score, looks)
    if plain.agreement is not None:
        agreed = np.stack([agreements(readings, look) for look in looks], axis=-1)
        found = np.where(agreed < plain.agreement - TOLERANCE, BARRED, found)
    return found[:, [min(place, len(looks) - 1) for place in range(width)]]


@dataclass(frozen=True, slots=True)
class Played:
    """How each check ends: `blocked`; `between`, its last T lies between the cuts; `calls`, readers asked."""

    blocked: Bools
    between: Bools
    calls: Ints


def play(table: LookColumns, block: float, passing: float, procedure: Procedure) -> Played:
    """The gate's own procedure at the cuts `block` <= `passing`; what lies between after the last reader is blocked
    if destructive, else passed. Without a pass cut the rule without certificates decides about what is destructive."""
    count = len(table)
    stopped = np.zeros(count, dtype=np.bool_)
    going = np.ones(count, dtype=np.bool_)
    calls = table.last.copy()
    looks = range(table.totals.shape[1]) if procedure == "escalate" else (table.totals.shape[1] - 1,)
    for place in looks:
        look = place + FIRST_LOOK
        now = table.totals[:, place]
        last = table.last <= look
        low = going & (now < block - TOLERANCE)
        may_pass = ~table.destructive | (look >= FIRST_DESTRUCTIVE_PASS) | last
        high = going & (now >= passing - TOLERANCE) & may_pass
        stopped |= low
        ended = low | high
        calls[ended] = np.minimum(table.last[ended], look)
        going &= ~ended
    held = table.destructive & (table.otherwise if passing >= NO_PASS else True)
    return Played(stopped | (going & held), going, calls)
