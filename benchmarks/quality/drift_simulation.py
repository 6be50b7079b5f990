"""Does `compass calibrate --check` stay quiet where nothing moved, and find what did? Seeded; reads and writes nothing.

    python benchmarks/quality/drift_simulation.py [--years 4000] [--runs 1000] [--json]

A project has 50 pairs of a clear and an ambiguous case, each judged once by five readers; the thresholds in force
are a mean of 0.65 and a deviation of 0.20. Its baseline is one such run, with the baseline's own noise, which
every later check of it shares.

Columns. *alarm in a year*: the share of years of 52 weekly checks, nothing having moved, with at least one
alarm, and its one-sided 95 % bound. *doubled noise*: the share of runs in which readers whose noise doubles from the
2nd or the 40th check on raise an alarm at that check or the next. *moved*: the share of checks that find the floor of
the clear cases lower by so much; beside it what a paired t test of that class's mean finds that spends 0.01 at every
single check, as one without a year in view would.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from calibration.stats.drift import ALPHA, CHECKS, QUANTITIES, SMALLEST, CaseChecks, chance_of_turns, compare
from calibration.stats.estimates import Bools, Floats, beta_cdf, clopper_pearson
from evaluator.model import Thresholds

SEED = 20_260_111
PAIRS, READERS = 50, 5
GATE = Thresholds(0.65, 0.20)
SHIFTS = (0.02, 0.04, 0.06, 0.08, 0.10)
LEVEL = ALPHA / CHECKS / (2 * len(QUANTITIES))

Judge = Callable[[Floats, float, np.random.Generator], Floats]
"""(centres of shape (2, pairs), noise as a multiple of the usual, randomness) -> scores (2, pairs, readers)."""


def readers(noise: float, step: float = 0.0, outliers: float = 0.0) -> Judge:
    """`outliers`: the chance that a reader scores 0.1 whatever the case; `step`: what scores are rounded to."""

    def judge(centres: Floats, times: float, rng: np.random.Generator) -> Floats:
        scores = centres[:, :, None] + rng.normal(0, noise * times, (*centres.shape, READERS))
        if outliers:
            scores = np.where(rng.random(scores.shape) < outliers, 0.1, scores)
        if step:
            scores = np.round(scores / step) * step
        found: Floats = np.clip(scores, 0, 1)
        return found

    return judge


@dataclass(frozen=True, slots=True)
class World:
    """Where cases lie by class, and who judges."""

    floor: float
    ambiguous: float
    judge: Judge

    def centres(self, rng: np.random.Generator) -> Floats:
        return np.stack([rng.normal(self.floor, 0.05, PAIRS), rng.normal(self.ambiguous, 0.1, PAIRS)])


WORLDS: Mapping[str, World] = {
    "floor 0.635, noise 0.1": World(0.635, 0.45, readers(0.1)),
    "floor 0.9, cut at 1, noise 0.1": World(0.9, 0.45, readers(0.1)),
    "floor 0.85, noise 0.05, rounded to 0.05": World(0.85, 0.4, readers(0.05, step=0.05)),
    "floor 0.85, noise 0.1, 5 % outliers": World(0.85, 0.4, readers(0.1, outliers=0.05)),
}


def quantities(scores: Floats) -> Floats:
    """Of shape (3, 2, pairs): mean, deviation and blocked of each case."""
    mean, deviation = scores.mean(axis=-1), scores.std(axis=-1)
    blocked = (mean < GATE.confidence) | (deviation > GATE.deviation)
    return np.stack([mean, deviation, blocked.astype(np.float64)])


def alarms(current: Floats, baseline: Floats) -> Bools:
    """`compare` on what `quantities` gives, without the intervals. Of shape (3, 2)."""
    differences = current - baseline
    large = np.abs(differences.mean(axis=-1)) >= SMALLEST - 1e-9
    found = np.zeros_like(large)
    for place in np.argwhere(large):
        at = tuple(place)
        found[at] = chance_of_turns(differences[at]) <= LEVEL
    return found


def _two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's t with `df` degrees of freedom."""
    return beta_cdf(df / (df + t * t), df / 2, 0.5)


def by_t(current: Floats, baseline: Floats) -> bool:
    """Whether a paired t test of the clear mean at half of `ALPHA` finds a change of at least `SMALLEST`."""
    differences = (current - baseline)[0, 0]
    change, error = float(differences.mean()), float(differences.std(ddof=1)) / math.sqrt(PAIRS)
    return abs(change) >= SMALLEST and _two_sided(change / error, PAIRS - 1) <= ALPHA / 2


def cases(found: Floats) -> list[CaseChecks]:
    """The same as `compare` takes it."""
    return [
        CaseChecks(f"{kind}-{pair}", str(pair), bool(kind), *((float(x),) for x in found[:, kind, pair]))
        for kind in range(2)
        for pair in range(PAIRS)
    ]


def agrees(world: World, seed: int, times: float) -> bool:
    """Whether `alarms` says what `compare` does."""
    rng = np.random.default_rng([SEED, 1, seed])
    centres = world.centres(rng)
    first, second = (quantities(world.judge(centres, one, rng)) for one in (1.0, times))
    said = [shift.alarm for shift in compare(cases(second), cases(first)).shifts]
    return said == alarms(second, first).T.reshape(-1).tolist()


def quiet_years(world: World, years: int) -> int:
    """How many years of unmoved checks have an alarm."""
    found = 0
    for year in range(years):
        rng = np.random.default_rng([SEED, 2, year])
        centres = world.centres(rng)
        baseline = quantities(world.judge(centres, 1.0, rng))
        found += any(
            alarms(quantities(world.judge(centres, 1.0, rng)), baseline).any() for _ in range(CHECKS)
        )
    return found


def noise_found(world: World, runs: int, check: int) -> int:
    """How many runs raise an alarm at `check` or the next, from which on noise is doubled."""
    found = 0
    for run in range(runs):
        rng = np.random.default_rng([SEED, 3, run])
        centres = world.centres(rng)
        baseline = quantities(world.judge(centres, 1.0, rng))
        for _ in range(1, check):
            world.judge(centres, 1.0, rng)
        found += any(alarms(quantities(world.judge(centres, 2.0, rng)), baseline).any() for _ in range(2))
    return found


def shift_found(world: World, runs: int, by: float) -> tuple[int, int]:
    """How many checks find the clear floor lower by `by`: a year's share of alpha, and a t test at every check."""
    found = plain = 0
    for run in range(runs):
        rng = np.random.default_rng([SEED, 4, run])
        centres = world.centres(rng)
        baseline = quantities(world.judge(centres, 1.0, rng))
        now = quantities(world.judge(centres - np.array([[by], [0.0]]), 1.0, rng))
        found += bool(alarms(now, baseline).any())
        plain += by_t(now, baseline)
    return found, plain


@dataclass(frozen=True, slots=True)
class Outcome:
    """One world. Shares, with the one-sided bound of `alarms`; `moved`: by shift, in a year's share and by t."""

    world: str
    years: int
    alarms: float
    alarms_upper: float
    runs: int
    doubled_at_2: float
    doubled_at_40: float
    moved: tuple[tuple[float, float, float], ...]


def outcome(name: str, years: int, runs: int) -> Outcome:
    world = WORLDS[name]
    quiet = quiet_years(world, years)
    moved = [(by, *shift_found(world, runs, by)) for by in SHIFTS]
    return Outcome(
        name,
        years,
        quiet / years,
        clopper_pearson(quiet, years, 0.1)[1],
        runs,
        noise_found(world, runs, 2) / runs,
        noise_found(world, runs, 40) / runs,
        tuple((by, found / runs, plain / runs) for by, found, plain in moved),
    )


def table(outcomes: Sequence[Outcome]) -> str:
    shifts = " | ".join(f"moved by {by:.2f} (t)" for by in SHIFTS)
    lines = [
        f"| world | alarm in a year | at most | doubled noise at 2 | at 40 | {shifts} |",
        "|" + "---|" * (5 + len(SHIFTS)),
    ]
    for one in outcomes:
        ends = [
            "{:.0%} [{:.0%}, {:.0%}]".format(share, *clopper_pearson(round(share * one.runs), one.runs))
            for share in (one.doubled_at_2, one.doubled_at_40)
        ]
        moved = " | ".join(f"{found:.0%} ({plain:.0%})" for _, found, plain in one.moved)
        lines.append(
            f"| {one.world} | {one.alarms:.2%} | {one.alarms_upper:.2%} | {ends[0]} | {ends[1]} | {moved} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="`compass calibrate --check` against a known truth")
    parser.add_argument("--years", type=int, default=4000, help="years of 52 unmoved checks for each world")
    parser.add_argument("--runs", type=int, default=1000, help="runs for each change of each world")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    outcomes = [outcome(name, options.years, options.runs) for name in WORLDS]
    if options.json:
        print(json.dumps([asdict(one) for one in outcomes]))
        return 0
    print(f"{options.years} years and {options.runs} runs a world, {PAIRS} pairs, {READERS} readers\n")
    print(table(outcomes))
    print(f"\n{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
