"""The risk table that sequential sampling needs, and what sampling by it saves and costs.

At each look the table asks for a slack (`evaluator.verdict.sequential.slack`) from which on the chance that all
readers together would block is at most `risk`, whatever the slack. Only checks that did not end at an earlier look
count there, and a check ends once; so over all looks of a check the chance is at most `risk` too.
The chance holds for the mix of checks that the scores were drawn from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.checks import Measured
from calibration.stats.estimate import Bools, Floats, TooLittle, codes, unit_means
from calibration.stats.intervals import upper_bound
from calibration.stats.noise_model import fit
from evaluator.model import Thresholds
from evaluator.verdict.convergence import TOLERANCE
from evaluator.verdict.sequential import RiskTable, may_stop

RISK: Final = 0.01
DRAWS: Final = 200_000
BINS: Final = 200


def simulated(
    checks: Sequence[Measured], n: int, generator: np.random.Generator, draws: int = DRAWS
) -> Floats | TooLittle:
    """Scores of `n` readers of `draws` checks, in the mix of classes that was measured, drawn warily."""
    parts: list[Floats] = []
    for label in (False, True):
        chosen = [check for check in checks if check.ambiguous == label]
        if chosen:
            model = fit(chosen)
            if isinstance(model, TooLittle):
                return model
            parts.append(model.draw(round(draws * len(chosen) / len(checks)), n, generator, wary=True))
    return np.concatenate(parts) if parts else TooLittle("checks", 0, 1)


def risk_table(
    scores: Floats, thresholds: Thresholds, *, min_valid_samples: int, risk: float = RISK
) -> RiskTable:
    """The table for checks of shape (checks, n), readers in the order in which they answer."""
    n = scores.shape[1]
    would_block = ~_passing(scores, thresholds)
    going = np.ones(len(scores), dtype=np.bool_)
    bounds: list[tuple[int, float]] = []
    for look in range(max(1, min_valid_samples), n):
        seen = scores[:, :look]
        room = _slack(seen, n, thresholds)
        able = going & _passing(seen, thresholds) & (room >= 0)
        bound = _least_slack(room[able], would_block[able], risk)
        if bound is not None:
            bounds.append((look, bound))
            going &= ~(able & (room >= bound))
    return RiskTable(n, thresholds, risk, tuple(bounds))


def _least_slack(room: Floats, wrong: Bools, risk: float) -> float | None:
    """The least slack from which on the chance of `wrong` is at most `risk`; None if there is none.

    The chance as a falling function of slack, by pooling adjacent violators over bins of equal mass.
    """
    order = np.argsort(-room, kind="stable")
    blocks: list[tuple[float, int, float]] = []
    for part in np.array_split(order, BINS):
        if not len(part):
            continue
        errors, size, least = float(wrong[part].sum()), len(part), float(room[part].min())
        while blocks and blocks[-1][0] / blocks[-1][1] >= errors / size:
            before = blocks.pop()
            errors, size = errors + before[0], size + before[1]
        blocks.append((errors, size, least))
    safe = [block for block in blocks if (block[0] + 1) / (block[1] + 1) <= risk]
    if not safe or safe[0] is not blocks[0]:
        return None
    return safe[-1][2]


@dataclass(frozen=True, slots=True)
class Savings:
    """Sequential sampling against fixed n on the same scores.

    `different` is the mean over units of the share of checks with another verdict; `upper` its one-sided 95 % bound.
    """

    checks: int
    units: int
    calls: int
    fixed_calls: int
    different: float
    upper: float

    @property
    def share(self) -> float:
        """Of the calls of fixed n, those that were made."""
        return self.calls / self.fixed_calls


def evaluate(
    scores: Floats, units: Sequence[str], table: RiskTable, *, min_valid_samples: int
) -> Savings | TooLittle:
    """Plays checks of shape (checks, n) through the gate's own rule. They must not be those of the table."""
    if not len(scores):
        return TooLittle("checks", 0, 1)
    calls = 0
    different = np.zeros(len(scores))
    for row, own in enumerate(scores.tolist()):
        made = _made(own, table, min_valid_samples)
        calls += made
        ends = (_passing(np.array([part]), table.thresholds)[0] for part in (own[:made], own))
        different[row] = float(next(ends) != next(ends))
    of = codes(units, len(scores))
    shares = unit_means(different, of)
    return Savings(
        checks=len(scores),
        units=len(shares),
        calls=calls,
        fixed_calls=scores.size,
        different=float(shares.mean()),
        upper=upper_bound(float(shares.sum()), len(shares)),
    )


def _made(own: list[float], table: RiskTable, min_valid_samples: int) -> int:
    """How many readers are asked."""
    for look in range(max(1, min_valid_samples), len(own)):
        if may_stop(own[:look], len(own), table, table.thresholds):
            return look
    return len(own)


def _passing(scores: Floats, thresholds: Thresholds) -> Bools:
    high: Bools = scores.mean(axis=1) >= thresholds.confidence - TOLERANCE
    near: Bools = scores.std(axis=1) <= thresholds.deviation + TOLERANCE
    return high & near


def _slack(seen: Floats, n: int, thresholds: Thresholds) -> Floats:
    """`evaluator.verdict.sequential.slack` of each row."""
    look = seen.shape[1]
    k = n - look
    by_mean = (seen.mean(axis=1) - thresholds.confidence + TOLERANCE) * n / k
    room = (thresholds.deviation + TOLERANCE) ** 2 - seen.var(axis=1) * look / n
    by_spread = np.sqrt(np.maximum(room, 0.0) * n * n / (k * look))
    return np.where((by_mean < 0) | (room < 0), -1.0, np.minimum(by_mean, by_spread))
