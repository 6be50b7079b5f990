"""`compass audit` against a known truth: do its intervals hold the true rates, and what do they save?

    python benchmarks/quality/audit_simulation.py [--seeds 4000] [--answers 80] [--json]

Seven worlds of traffic, 60 sessions of some 25 judged writes each, 80 answers. Sessions differ in how often they are
blocked, wrongly blocked and missed (normal on the scale of log odds). A judge's evidence is normal with the gap that
gives the stated AUC, its probability the posterior; a badly calibrated one doubles the log odds and moves them, one
that knows nothing draws them at random. True rates are those of 40,000 sessions, so an interval has to cover
what other sessions would have shown, too.

Columns, for wrong blocks and for misses, both per check: the true rate; the share of audits whose nominal 95 % interval
does not hold it, with its one-sided 95 % bound (at most 7 % is promised); the mean width; that over the width of plain
sampling, which asks about as many writes drawn evenly among all and takes Clopper and Pearson's interval; the same over
plain sampling of as many writes of that kind alone, stricter, for only the judge's probabilities help against it; how
many intervals are of few answers of the rarer kind, by bets or by count.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from calibration.stats.active.draws import chances, order_of, shares
from calibration.stats.active.rates import Asked, RateFound, rate_of
from calibration.stats.estimate import Bools, Floats, Ints
from calibration.stats.intervals import clopper_pearson, upper_bound
from calibration.stats.special import normal_quantile

SEED = 20_250_301
ANSWERS = 80
SESSIONS, WRITES, SIZES = 60, 25, 0.6
TRUTH_SESSIONS = 40_000
NOISE = 1.5


@dataclass(frozen=True, slots=True)
class World:
    """`blocks`: share of writes; `wrong`: of the blocks, `missed`: of the rest; `apart`: spread of sessions, log odds.

    `auc` 0.5 knows nothing. Log odds of the judge are multiplied by `sharp` and moved by `moved`. Verdicts of sessions
    with more writes are wrong more often: by `by_size` in log odds for e times as many.
    """

    name: str
    blocks: float = 0.10
    wrong: float = 0.30
    missed: float = 0.03
    auc: float = 0.85
    apart: float = 0.3
    sharp: float = 1.0
    moved: float = 0.0
    by_size: float = 0.0


WORLDS = (
    World("misses of 1 %", missed=0.0108),
    World("sessions far apart", apart=1.0),
    World("a judge that knows nothing", auc=0.5),
    World("a judge of AUC 0.95", auc=0.95),
    World("badly calibrated, blames", sharp=2.0, moved=2.5),
    World("rare blocks", blocks=0.02, missed=0.02),
    World("badly calibrated, excuses", sharp=2.0, moved=-2.0),
)


@dataclass(frozen=True, slots=True)
class Traffic:
    """One row a judged write."""

    session: Ints
    blocked: Bools
    wrong: Bools
    judged: Floats


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two rates over many audits."""

    truth: float
    outside: int
    upper: float
    width: float
    over_plain: float
    over_plain_of_kind: float
    by_few: float


@dataclass(frozen=True, slots=True)
class Outcome:
    world: str
    seeds: int
    wrong_blocks: Side
    misses: Side


def traffic(world: World, sessions: int, generator: np.random.Generator) -> Traffic:
    sizes = np.maximum(1, np.round(WRITES * np.exp(generator.normal(-(SIZES**2) / 2, SIZES, sessions))))
    session = np.repeat(np.arange(sessions), sizes.astype(np.int64))
    often, blamed, slipped = generator.normal(0, world.apart, (3, sessions))[:, session]
    blocked = generator.random(len(session)) < _share(_odds(world.blocks) + often)
    usual = np.where(blocked, _odds(world.wrong), _odds(world.missed))
    usual = usual + world.by_size * np.log(sizes / WRITES)[session]
    wrong = generator.random(len(session)) < _share(usual + np.where(blocked, blamed, slipped))
    if world.auc <= 0.5:
        odds = usual + generator.normal(0, NOISE, len(session))
    else:
        gap = math.sqrt(2) * normal_quantile(world.auc)
        odds = usual + gap * (gap * wrong + generator.normal(0, 1, len(session))) - gap**2 / 2
    judged = np.clip(_share(world.sharp * odds + world.moved), 1e-4, 1 - 1e-4)
    return Traffic(session.astype(np.int64), blocked, wrong, judged)


@lru_cache(maxsize=16)
def truth_of(world: World) -> tuple[float, float]:
    found = traffic(world, TRUTH_SESSIONS, np.random.default_rng([SEED, 1]))
    return float((found.wrong & found.blocked).mean()), float((found.wrong & ~found.blocked).mean())


def audit(one: Traffic, answers: int, generator: np.random.Generator) -> tuple[RateFound, RateFound]:
    asked = shares(int(one.blocked.sum()), int((~one.blocked).sum()), answers)
    found: list[RateFound] = []
    for kind, count in zip((True, False), asked, strict=True):
        mine = one.blocked == kind
        order = order_of(chances(one.judged[mine], kind), generator)[:count]
        answered = one.wrong[mine][order].astype(np.float64)
        found.append(rate_of(Asked(one.judged, one.session, mine, order, answered, kind)))
    return found[0], found[1]


def simulate(world: World, seeds: int, answers: int = ANSWERS) -> Outcome:
    truths = truth_of(world)
    rows: list[list[tuple[float, ...]]] = [[], []]
    for seed in range(seeds):
        generator = np.random.default_rng([SEED, 2, seed])
        one = traffic(world, SESSIONS, generator)
        found = audit(one, answers, generator)
        plain = generator.permutation(len(one.wrong))[:answers]
        for side, (rate, truth) in enumerate(zip(found, truths, strict=True)):
            mine = one.blocked if side == 0 else ~one.blocked
            low, high = (
                (rate.per_check.low, rate.per_check.high) if rate.per_check else (0.0, float(mine.mean()))
            )
            of_kind = generator.permutation(np.flatnonzero(mine))[: rate.answers]
            rows[side].append((
                not low <= truth <= high,
                high - low,
                _width(int((one.wrong & mine)[plain].sum()), answers),
                _width(int(one.wrong[of_kind].sum()), len(of_kind)) * float(mine.mean()),
                rate.method in ("betting", "count"),
            ))  # fmt: skip
    return Outcome(world.name, seeds, *(_side(truth, row) for truth, row in zip(truths, rows, strict=True)))


def _side(truth: float, rows: Sequence[tuple[float, ...]]) -> Side:
    outside = sum(bool(row[0]) for row in rows)
    _, width, plain, of_kind, bets = np.mean(rows, axis=0).tolist()
    return Side(truth, outside, upper_bound(outside, len(rows)), width, width / plain, width / of_kind, bets)


def _width(hits: int, count: int) -> float:
    low, high = clopper_pearson(hits, count)
    return high - low


def _odds(share: float) -> float:
    return math.log(share / (1 - share))


def _share(odds: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-odds))
    return found


def table(outcomes: Sequence[Outcome]) -> str:
    lines = [
        "| world | rate | true | outside | at most (95 %) | width | over plain | over plain of its kind | few |",
        "|" + "---|" * 9,
    ]
    for one in outcomes:
        for name, side in (("wrong blocks", one.wrong_blocks), ("misses", one.misses)):
            lines.append(
                f"| {one.world} | {name} | {side.truth:.2%} | {side.outside / one.seeds:.1%} | {side.upper:.1%} "
                f"| {side.width:.3f} | {side.over_plain:.2f} | {side.over_plain_of_kind:.2f} | {side.by_few:.0%} |"
            )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Audits of simulated traffic")
    parser.add_argument("--seeds", type=int, default=4000, help="audits a world")
    parser.add_argument("--answers", type=int, default=ANSWERS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    outcomes = [simulate(world, options.seeds, options.answers) for world in WORLDS]
    if options.json:
        print(json.dumps([asdict(one) for one in outcomes]))
    else:
        print(f"{options.seeds} audits a world, {options.answers} answers each\n\n{table(outcomes)}")
    print(f"{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
