"""Do the statistics of `compass calibrate` hold where the truth is known? Seeded; reads and writes nothing.

    python benchmarks/quality/calibration_simulation.py [--projects 1000] [--units 50] [--json]

A simulated project has `units` pairs, each with one or two clear and one or two ambiguous cases, each judged one to
three times by five readers whose scores are rounded to 0.05. Spread: pairs 0.06, cases 0.06, repeats 0.03, readers
0.10. A share of the ambiguous cases looks exactly like clear ones; of the others each reader sees the ambiguity with
chance 0.7 and scores lower by a gap, so their readers split. Share and gap are set so that the true AUC is the one
stated; truths come from a population of 300,000 cases a class. Clear cases lie around 0.635, the floor that the
method is known to have, or around 0.85, where the scale's end cuts the noise.

Columns. *floor*, *AUC*: share of projects whose nominal 95 % interval holds the truth, and its mean width; beside
the AUC the coverage of a plain percentile bootstrap over pairs (500 draws). *certified*: share of projects in which
the recommended thresholds keep the true false-block rate at or under 10 %, and the mean true rate and detection;
*quantile rule*: the same for the strictest thresholds whose rate on the project's own checks is at most 10 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from calibration.stats.bootstrap import percentile
from calibration.stats.checks import CheckColumns, Measured, blocked, columns_of
from calibration.stats.estimate import Estimate, Floats, Ints, TooLittle
from calibration.stats.intervals import bounded_mean
from calibration.stats.roc import auc, auc_interval
from calibration.stats.sequential import evaluate, risk_table, simulated
from calibration.stats.thresholds import SEQUENCE, Recommendation, learn, naive
from evaluator.model import Thresholds

SEED = 20_250_301
AUCS = (0.6, 0.7, 0.8, 0.9, 0.95)
FLOORS = (0.635, 0.85)
READERS = 5
TARGET = 0.10
PAIRS, CASES, REPEATS, NOISE, SEES = 0.06, 0.06, 0.03, 0.10, 0.7
POPULATION = 300_000
BOOTSTRAP_DRAWS = 500


@dataclass(frozen=True, slots=True)
class World:
    """Where projects come from. `hidden` is the share of ambiguous cases that look clear."""

    floor: float
    hidden: float
    gap: float


@dataclass(frozen=True, slots=True)
class Truth:
    """The population's figures; the rates are those at each pair of `SEQUENCE`."""

    auc: float
    floor: float
    false_blocks: tuple[float, ...]
    detection: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One world over many projects."""

    true_auc: float
    true_floor: float
    projects: int
    units: int
    floor_cover: float
    floor_width: float
    auc_cover: float
    auc_width: float
    bootstrap_cover: float
    bootstrap_width: float
    certified_holds: float
    certified_rate: float
    certified_detection: float
    naive_holds: float
    naive_rate: float
    naive_detection: float


def judged(
    world: World, ambiguous: bool, pair_effects: Floats, cases: Ints, checks: Ints, rng: np.random.Generator
) -> Floats:
    """Scores of shape (checks, readers): `cases` holds the pair of each case, `checks` the case of each check."""
    centre = world.floor + pair_effects[cases] + rng.normal(0, CASES, len(cases))
    seen = centre[checks] + rng.normal(0, REPEATS, len(checks))
    scores = seen[:, None] + rng.normal(0, NOISE, (len(checks), READERS))
    if ambiguous:
        shown = (rng.random(len(cases)) >= world.hidden)[checks]
        scores -= world.gap * (shown[:, None] & (rng.random(scores.shape) < SEES))
    rounded: Floats = np.clip(np.round(scores * 20) / 20, 0, 1)
    return rounded


def project(world: World, units: int, rng: np.random.Generator) -> CheckColumns:
    pairs = rng.normal(0, PAIRS, units)
    scores: list[Floats] = []
    unit: list[Ints] = []
    case: list[Ints] = []
    for ambiguous, twice in ((False, 0.3), (True, 0.2)):
        cases = np.repeat(np.arange(units), 1 + (rng.random(units) < twice))
        checks = np.repeat(np.arange(len(cases)), rng.integers(1, 4, len(cases)))
        scores.append(judged(world, ambiguous, pairs, cases, checks, rng))
        unit.append(cases[checks])
        case.append(checks + 10_000 * ambiguous)
    labels = np.repeat([False, True], [len(part) for part in scores])
    return columns_of(np.concatenate(scores), labels, np.concatenate(unit), np.concatenate(case))


def population(world: World, ambiguous: bool, size: int) -> CheckColumns:
    rng = np.random.default_rng([SEED, int(ambiguous)])
    each = np.arange(size)
    scores = judged(world, ambiguous, rng.normal(0, PAIRS, size), each, each, rng)
    return columns_of(scores, np.full(size, ambiguous), each, each)


def truth_of(world: World, size: int = POPULATION) -> Truth:
    clear, ambiguous = population(world, False, size), population(world, True, size)
    area = auc(ambiguous.mean, clear.mean)
    assert area is not None
    return Truth(
        area,
        float(clear.mean.mean()),
        tuple(float(blocked(clear, pair).mean()) for pair in SEQUENCE),
        tuple(float(blocked(ambiguous, pair).mean()) for pair in SEQUENCE),
    )


@lru_cache(maxsize=64)
def world_of(true_auc: float, floor: float) -> World:
    """The gap that gives the AUC, by bisection over one population of 50,000."""
    hidden = 1 - true_auc
    clear = population(World(floor, hidden, 0.0), False, 50_000)
    low, high = 0.0, 1.2
    for _ in range(12):
        middle = (low + high) / 2
        found = auc(population(World(floor, hidden, middle), True, 50_000).mean, clear.mean)
        assert found is not None
        low, high = (middle, high) if found < true_auc else (low, middle)
    return World(floor, hidden, (low + high) / 2)


def bootstrapped(checks: CheckColumns, rng: np.random.Generator) -> tuple[float, float]:
    """The plain percentile interval of AUC over pairs, for comparison."""
    low, high = checks.only(True), checks.only(False)
    units = int(checks.unit.max()) + 1
    wins = (low.mean[:, None] < high.mean) + 0.5 * (low.mean[:, None] == high.mean)
    one, other = np.eye(units)[checks.unit[checks.ambiguous]], np.eye(units)[checks.unit[~checks.ambiguous]]
    table, ones, others = one.T @ wins @ other, one.sum(axis=0), other.sum(axis=0)

    def statistic(weights: Floats) -> Floats:
        shares: Floats = ((weights @ table) * weights).sum(axis=1) / ((weights @ ones) * (weights @ others))
        return shares

    found = percentile(statistic, units, rng, BOOTSTRAP_DRAWS)
    assert found is not None
    return found


def simulate(true_auc: float, floor: float, projects: int, units: int) -> Outcome:
    world = world_of(true_auc, floor)
    truth = truth_of(world)
    place = {pair: number for number, pair in enumerate(SEQUENCE)}
    rows: list[tuple[float, ...]] = []
    for number in range(projects):
        rng = np.random.default_rng([SEED, round(1000 * true_auc), round(1000 * floor), number])
        checks = project(world, units, rng)
        clear = checks.only(False)
        of_floor = bounded_mean(clear.mean, clear.unit)
        of_auc = auc_interval(checks.mean, checks.ambiguous, checks.unit)
        learned = learn(checks, TARGET, rng)
        assert isinstance(of_floor, Estimate) and isinstance(of_auc, Estimate)
        assert isinstance(learned, Recommendation)
        low, high = bootstrapped(checks, rng)
        at, rough = place[learned.thresholds], place[naive(checks, TARGET)]
        rows.append((
            of_floor.low <= truth.floor <= of_floor.high, of_floor.high - of_floor.low,
            of_auc.low <= truth.auc <= of_auc.high, of_auc.high - of_auc.low,
            low <= truth.auc <= high, high - low,
            truth.false_blocks[at] <= TARGET, truth.false_blocks[at], truth.detection[at],
            truth.false_blocks[rough] <= TARGET, truth.false_blocks[rough], truth.detection[rough],
        ))  # fmt: skip
    return Outcome(truth.auc, truth.floor, projects, units, *np.mean(rows, axis=0).tolist())


@dataclass(frozen=True, slots=True)
class SequentialOutcome:
    """A table calibrated on one half, played on fresh checks. `different` with its one-sided 95 % bound."""

    readers: str
    thresholds: Thresholds
    looks: tuple[tuple[int, float], ...]
    share_of_calls: float
    different: float
    upper: float
    checks: int


def sequential(
    name: str, floor: float, ambiguous_floor: float, split: bool, outliers: float, cases: int, fresh: int
) -> SequentialOutcome:
    """Five readers with noise 0.1; `split`: of an ambiguous case each reader sees the ambiguity or does not;
    `outliers`: the chance that a reader scores 0.1 whatever the case. A table from `cases` checks a class."""
    rng = np.random.default_rng([SEED, 11, round(1000 * floor), split])
    thresholds = Thresholds(0.65, 0.20)

    def draw(size: int) -> Floats:
        low = ambiguous_floor + rng.normal(0, 0.08, size)
        high = floor + rng.normal(0, 0.06, (2, size))
        sees = (rng.random((size, READERS)) < SEES) if split else np.ones((size, READERS), dtype=np.bool_)
        both = np.concatenate(
            [np.repeat(high[0][:, None], READERS, 1), np.where(sees, low[:, None], high[1][:, None])]
        )
        scores = both + rng.normal(0, NOISE, both.shape)
        scores = np.where(rng.random(both.shape) < outliers, 0.1, scores)
        clipped: Floats = np.clip(scores, 0, 1)
        return clipped

    measured = [
        Measured(str(row), str(row), row >= cases, tuple(own)) for row, own in enumerate(draw(cases).tolist())
    ]
    drawn = simulated(measured, READERS, rng)
    assert not isinstance(drawn, TooLittle)
    table = risk_table(drawn, thresholds, min_valid_samples=3)
    held_out = draw(fresh)
    found = evaluate(held_out, [str(row) for row in range(len(held_out))], table, min_valid_samples=3)
    assert not isinstance(found, TooLittle)
    return SequentialOutcome(
        name, thresholds, table.bounds, found.share, found.different, found.upper, found.checks
    )


def thresholds_table(outcomes: Sequence[Outcome]) -> str:
    head = (
        "| true AUC | true floor | floor covers | width | AUC covers | width | (bootstrap) | "
        "certified: true rate <= 10 % | mean rate | detection | quantile rule: <= 10 % | mean rate | detection |"
    )
    rows = [
        f"| {one.true_auc:.3f} | {one.true_floor:.3f} | {one.floor_cover:.1%} | {one.floor_width:.3f} "
        f"| {one.auc_cover:.1%} | {one.auc_width:.3f} | {one.bootstrap_cover:.1%} "
        f"| {one.certified_holds:.1%} | {one.certified_rate:.1%} | {one.certified_detection:.1%} "
        f"| {one.naive_holds:.1%} | {one.naive_rate:.1%} | {one.naive_detection:.1%} |"
        for one in outcomes
    ]
    return "\n".join([head, "|" + "---|" * 13, *rows])


def sequential_table(outcomes: Sequence[SequentialOutcome]) -> str:
    lines = [
        "| readers | looks: slack | calls of fixed 5 | other verdict | at most (95 %) |",
        "|---|---|---|---|---|",
    ]
    for one in outcomes:
        looks = ", ".join(f"{look}: {slack:.2f}" for look, slack in one.looks) or "none"
        lines.append(
            f"| {one.readers} | {looks} | {one.share_of_calls:.1%} | {one.different:.2%} | {one.upper:.2%} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Statistics of calibration against a known truth")
    parser.add_argument(
        "--projects", type=int, default=1000, help="simulated projects for each AUC and floor"
    )
    parser.add_argument("--units", type=int, default=50, help="pairs a project")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    outcomes = [simulate(area, floor, options.projects, options.units) for floor in FLOORS for area in AUCS]
    fresh = 10 * options.projects
    steps = [
        sequential("clear 0.85, ambiguous 0.40", 0.85, 0.40, False, 0.0, 100, fresh),
        sequential("clear 0.75, ambiguous 0.45", 0.75, 0.45, False, 0.0, 100, fresh),
        sequential("clear 0.85, ambiguous split 0.85 and 0.40", 0.85, 0.40, True, 0.0, 100, fresh),
        sequential("clear 0.85, ambiguous 0.40, 3 % outliers", 0.85, 0.40, False, 0.03, 100, fresh),
        sequential("the first, but 30 checks a class", 0.85, 0.40, False, 0.0, 30, fresh),
    ]
    if options.json:
        print(
            json.dumps(
                {
                    "intervals": [asdict(one) for one in outcomes],
                    "sequential": [asdict(one) for one in steps],
                }
            )
        )
        return 0
    print(f"{options.projects} projects a row, {options.units} pairs each, target {TARGET:.0%}, delta 5 %\n")
    print(thresholds_table(outcomes))
    print(
        f"\nSequential, fixed n 5, at least 3, risk 1 %, {2 * fresh} fresh checks\n\n{sequential_table(steps)}"
    )
    print(f"\n{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
