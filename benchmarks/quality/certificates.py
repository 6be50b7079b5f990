"""Do the two certificates hold, and what does the certified rule catch, where the truth is known?

    python benchmarks/quality/certificates.py [--seeds 4000] [--units 100] [--json]

Each seed is one calibration of `units` pairs from each world of `certificate_worlds.py`; truths come from a population
of 200,000 units. Aims: 10 % false blocks, 10 % misses, delta 5 %, shipped score (w 0.25, v 0).

*violated*: the share of seeds in which the true rate of the tested event is above its aim, with its exact 95 % upper
bound, by procedure: `fixed` five readers, `escalate` from two on. *detection*: of ambiguous checks, the mean over seeds
of the true share that is blocked, at fixed five, against the pair of mean and deviation at the whole delta
(`calibration.stats.thresholds`); the difference with its 95 % interval. *zone*: what lies between the cuts after five
readers, clear and ambiguous. *escalate*: false blocks, detection and calls of the procedure itself at its own cuts, on
20,000 units, mean over the first 200 seeds. A unit counts once; *per check* counts each check of large units.

Second table: weights fitted on a third of the units (`--learn`) and certified on the rest, at fixed five; *moved*, the
share of seeds in which they left the shipped ones; the gain is over the same pair, certified on all units.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from certificate_worlds import LARGE, READERS, WORLDS, Drawn, World, units

from calibration.stats.certificates import block_cuts, meeting, most_errors, pass_cuts
from calibration.stats.checks import DIGITS
from calibration.stats.estimate import Bools, Floats, Ints
from calibration.stats.intervals import upper_bound
from calibration.stats.learned_score import CANDIDATES, SHARE, best
from calibration.stats.looks import (
    FIRST_LOOK,
    PROCEDURES,
    LookColumns,
    Procedure,
    agreements,
    play,
    total_columns,
    totals,
)
from calibration.stats.thresholds import DELTA, SEQUENCE, minimum_units
from evaluator.model import Score
from evaluator.verdict.convergence import TOLERANCE

SEED = 20_261_123
ALPHA = BETA = 0.10
POPULATION = 200_000
PLAYED_UNITS, PLAYED_SEEDS = 20_000, 200
AT_ONCE = 500
"""Seeds that are drawn together: what fits into the caches."""
SHIPPED = Score()


@dataclass(frozen=True, slots=True)
class Violation:
    """`k` of `n` seeds above the aim; `mean` true rate of the event."""

    k: int
    n: int
    upper: float
    mean: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One world. Rates are means over seeds of true rates."""

    world: str
    false_blocks: dict[Procedure, Violation]
    misses: dict[Procedure, Violation]
    detection: float
    detection_error: float
    pair_false_blocks: float
    pair_detection: float
    gain: float
    gain_error: float
    zone_clear: float
    zone_ambiguous: float
    per_check_false_blocks: float
    escalate_false_blocks: float
    escalate_detection: float
    escalate_calls: float


class Truth:
    """The rates of one event in the population, by cut: a sorted column with weights."""

    def __init__(self, values: Floats, weights: Floats) -> None:
        order = np.argsort(values, kind="stable")
        self._values = values[order]
        self._below = np.concatenate([[0.0], np.cumsum(weights[order])]) / weights.sum()

    def below(self, cuts: Floats) -> Floats:
        """The share of values under each cut."""
        found: Floats = self._below[np.searchsorted(self._values, cuts - TOLERANCE, side="left")]
        return found


def looks(drawn: Drawn, score: Score = SHIPPED) -> Floats:
    return totals(drawn.scores, drawn.readings, score, range(FIRST_LOOK, READERS + 1))


def lowest(at: Floats, procedure: Procedure) -> Floats:
    return at[..., -1] if procedure == "fixed" else at.min(axis=-1)


def highest(at: Floats, procedure: Procedure) -> Floats:
    return at[..., -1] if procedure == "fixed" else at.max(axis=-1)


CONFIDENCES = np.array([pair.confidence for pair in SEQUENCE])
DEVIATIONS = np.array([pair.deviation for pair in SEQUENCE])


def moments(drawn: Drawn) -> tuple[Floats, Floats, Floats]:
    """(mean, deviation, agreement) of all readers."""
    return (
        drawn.scores.mean(axis=-1).round(DIGITS),
        drawn.scores.std(axis=-1).round(DIGITS),
        agreements(drawn.readings, READERS),
    )


def first_pair(mean: Floats, stddev: Floats) -> Ints:
    """The first place in the sequence of pairs that blocks each check; the length of it if none does."""
    by_mean = np.searchsorted(CONFIDENCES, mean + TOLERANCE, side="right")
    # Deviations fall along the sequence: blocked by the first that lies below.
    by_spread = np.searchsorted(-DEVIATIONS, -stddev + TOLERANCE, side="right")
    found: Ints = np.minimum(by_mean, by_spread)
    return found


def chunks(seeds: int) -> Iterator[tuple[int, int]]:
    for start in range(0, seeds, AT_ONCE):
        yield start, min(AT_ONCE, seeds - start)


@dataclass(frozen=True, slots=True)
class Learned:
    """Cuts of each seed, by procedure, and the place of the certified pair."""

    block: dict[Procedure, Floats]
    passing: dict[Procedure, Floats]
    pair: Ints


def learned(world: World, place: int, seeds: int, count: int) -> Learned:
    """Each side at half of delta, the pair at the whole."""
    most = most_errors(count, ALPHA, DELTA / 2)
    most_missed = most_errors(count, BETA, DELTA / 2)
    most_pair = most_errors(count, ALPHA, DELTA)
    if min(most, most_missed, most_pair) < 0:
        raise SystemExit(f"{count} units certify nothing")
    block: dict[Procedure, list[Floats]] = {one: [] for one in PROCEDURES}
    passing: dict[Procedure, list[Floats]] = {one: [] for one in PROCEDURES}
    pairs: list[Ints] = []
    for start, size in chunks(seeds):
        rng = np.random.default_rng([SEED, place, count, start])
        clear, ambiguous = units(world, (size, count), rng)
        of_clear, of_ambiguous = looks(clear), looks(ambiguous)
        for procedure in PROCEDURES:
            lows, highs = lowest(of_clear, procedure), highest(of_ambiguous, procedure)
            low, high = meeting(block_cuts(lows, most), pass_cuts(highs, most_missed))
            block[procedure].append(low)
            passing[procedure].append(high)
        pairs.append(np.sort(first_pair(*moments(clear)[:2]), axis=-1)[:, most_pair] - 1)
    return Learned(
        {one: np.concatenate(block[one]) for one in PROCEDURES},
        {one: np.concatenate(passing[one]) for one in PROCEDURES},
        np.concatenate(pairs),
    )


def violation(rates: Floats, aim: float) -> Violation:
    k = int((rates > aim).sum())
    return Violation(k, len(rates), upper_bound(k, len(rates)), float(rates.mean()))


def simulate(place: int, seeds: int, count: int, population: int) -> Outcome:
    world = WORLDS[place]
    found = learned(world, place, seeds, count)
    rng = np.random.default_rng([SEED, place])
    clear, ambiguous = units(world, (population,), rng)
    of_clear, of_ambiguous = looks(clear), looks(ambiguous)
    even = np.ones(population)
    heavy = np.where(clear.large, float(LARGE), 1.0)
    wrong = {one: Truth(lowest(of_clear, one), even) for one in PROCEDURES}
    reached = {one: Truth(highest(of_ambiguous, one), even) for one in PROCEDURES}
    blocks = {one: wrong[one].below(found.block[one]) for one in PROCEDURES}
    misses = {one: 1 - reached[one].below(found.passing[one]) for one in PROCEDURES}
    last = of_clear[:, -1], of_ambiguous[:, -1]
    detection = Truth(last[1], even).below(found.block["fixed"])
    pair = found.pair + 0.5
    pair_detection = Truth(first_pair(*moments(ambiguous)[:2]).astype(np.float64), even).below(pair)
    pair_blocks = Truth(first_pair(*moments(clear)[:2]).astype(np.float64), even).below(pair)
    gain = detection - pair_detection
    zones = [
        Truth(column, even).below(found.passing["fixed"]) - Truth(column, even).below(found.block["fixed"])
        for column in last
    ]
    played = escalated(of_clear[:PLAYED_UNITS], of_ambiguous[:PLAYED_UNITS], found)
    return Outcome(
        world.name,
        {one: violation(blocks[one], ALPHA) for one in PROCEDURES},
        {one: violation(misses[one], BETA) for one in PROCEDURES},
        float(detection.mean()),
        standard_error(detection),
        float(pair_blocks.mean()),
        float(pair_detection.mean()),
        float(gain.mean()),
        standard_error(gain),
        float(zones[0].mean()),
        float(zones[1].mean()),
        float(Truth(last[0], heavy).below(found.block["fixed"]).mean()),
        *played,
    )


@dataclass(frozen=True, slots=True)
class LearnedOutcome:
    """One world with fitted weights."""

    world: str
    moved: float
    false_blocks: Violation
    misses: Violation
    detection: float
    gain: float
    gain_error: float


def simulate_learned(place: int, seeds: int, count: int, population: int) -> LearnedOutcome:
    world = WORLDS[place]
    fit = round(count * SHARE)
    most = most_errors(count - fit, ALPHA, DELTA / 2)
    most_missed = most_errors(count - fit, BETA, DELTA / 2)
    if min(most, most_missed) < 0:
        raise SystemExit(f"{count - fit} units certify nothing")
    chosen, pairs = np.zeros(seeds, dtype=np.int64), np.zeros(seeds, dtype=np.int64)
    low, high = np.zeros(seeds), np.zeros(seeds)
    for start, size in chunks(seeds):
        rng = np.random.default_rng([SEED, place, count, start])
        clear, ambiguous = (moments(one) for one in units(world, (size, count), rng))
        here = best([one[:, :fit] for one in clear], [one[:, :fit] for one in ambiguous])
        chosen[start : start + size] = here
        for number in np.unique(here).tolist():
            rows = np.flatnonzero(here == number)
            of_clear, of_ambiguous = (
                total_columns(*(column[rows, fit:] for column in one), CANDIDATES[number])
                for one in (clear, ambiguous)
            )
            low[start + rows], high[start + rows] = meeting(
                block_cuts(of_clear, most), pass_cuts(of_ambiguous, most_missed)
            )
        pair_most = most_errors(count, ALPHA, DELTA)
        pairs[start : start + size] = np.sort(first_pair(clear[0], clear[1]), axis=-1)[:, pair_most] - 1
    rng = np.random.default_rng([SEED, place])
    clear, ambiguous = (moments(one) for one in units(world, (population,), rng))
    even = np.ones(population)
    blocks, misses, detection = np.zeros(seeds), np.zeros(seeds), np.zeros(seeds)
    for number in np.unique(chosen).tolist():
        rows = np.flatnonzero(chosen == number)
        of_clear, of_ambiguous = (
            Truth(total_columns(*one, CANDIDATES[number]), even) for one in (clear, ambiguous)
        )
        blocks[rows], detection[rows] = of_clear.below(low[rows]), of_ambiguous.below(low[rows])
        misses[rows] = 1 - of_ambiguous.below(high[rows])
    gain = detection - Truth(first_pair(*ambiguous[:2]).astype(np.float64), even).below(pairs + 0.5)
    return LearnedOutcome(
        world.name,
        float((chosen > 0).mean()),
        violation(blocks, ALPHA),
        violation(misses, BETA),
        float(detection.mean()),
        float(gain.mean()),
        standard_error(gain),
    )


def standard_error(values: Floats) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def escalated(clear: Floats, ambiguous: Floats, found: Learned) -> tuple[float, float, float]:
    """(false blocks, detection, share of the calls of five readers) of the procedure itself, classes weighed alike."""
    tables = [columns(one, label) for one, label in ((clear, False), (ambiguous, True))]
    each: list[tuple[float, float, float]] = []
    for block, passing in zip(
        found.block["escalate"][:PLAYED_SEEDS], found.passing["escalate"][:PLAYED_SEEDS], strict=True
    ):
        of_clear, of_ambiguous = (play(table, float(block), float(passing), "escalate") for table in tables)
        calls = (of_clear.calls.mean() + of_ambiguous.calls.mean()) / 2 / READERS
        each.append((float(of_clear.blocked.mean()), float(of_ambiguous.blocked.mean()), float(calls)))
    false_blocks, detection, calls = np.mean(each, axis=0).tolist()
    return false_blocks, detection, calls


def columns(at: Floats, label: bool) -> LookColumns:
    count = len(at)
    none: Bools = np.zeros(count, dtype=np.bool_)
    return LookColumns(at, np.full(count, READERS), READERS, none | label, none, np.arange(count), none)


def table(outcomes: Sequence[Outcome]) -> str:
    lines = [
        "| world | false blocks violated: fixed | escalate | misses violated: fixed | escalate | detection | pair"
        " | gain | false blocks | pair | per check | zone clear | ambiguous"
        " | escalate: false blocks | detection | calls |",
        "|" + "---|" * 16,
    ]
    for one in outcomes:
        cells = [
            *(f"{v.k / v.n:.2%} (≤ {v.upper:.2%})" for v in one.false_blocks.values()),
            *(f"{v.k / v.n:.2%} (≤ {v.upper:.2%})" for v in one.misses.values()),
            f"{one.detection:.1%}",
            f"{one.pair_detection:.1%}",
            f"{100 * one.gain:+.1f} ± {196 * one.gain_error:.1f}",
            f"{one.false_blocks['fixed'].mean:.1%}",
            *(f"{value:.1%}" for value in (
                one.pair_false_blocks, one.per_check_false_blocks, one.zone_clear, one.zone_ambiguous,
                one.escalate_false_blocks, one.escalate_detection, one.escalate_calls,
            )),
        ]  # fmt: skip
        lines.append(f"| {one.world} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def learned_table(outcomes: Sequence[LearnedOutcome]) -> str:
    lines = [
        "| world | moved | false blocks violated | misses violated | detection | gain |",
        "|" + "---|" * 6,
    ]
    for one in outcomes:
        cells = [f"{v.k / v.n:.2%} (≤ {v.upper:.2%})" for v in (one.false_blocks, one.misses)]
        lines.append(
            f"| {one.world} | {one.moved:.0%} | {' | '.join(cells)} | {one.detection:.1%} "
            f"| {100 * one.gain:+.1f} ± {196 * one.gain_error:.1f} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Two certificates against a known truth")
    parser.add_argument("--seeds", type=int, default=4000, help="calibrations simulated in each world")
    parser.add_argument("--units", type=int, default=100, help="pairs of each")
    parser.add_argument("--population", type=int, default=POPULATION, help="units that the truths come from")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    asked = options.seeds, options.units, options.population
    outcomes = [simulate(place, *asked) for place in range(len(WORLDS))]
    left = options.units - round(options.units * SHARE)
    learnt = [
        simulate_learned(place, *asked)
        for place in range(len(WORLDS))
        if left >= minimum_units(ALPHA, DELTA / 2)
    ]
    if options.json:
        print(
            json.dumps({
                "shipped": [asdict(one) for one in outcomes],
                "learned": [asdict(one) for one in learnt],
            })
        )  # fmt: skip
        return 0
    print(f"{options.seeds} seeds a world, {options.units} pairs each\n")
    print(table(outcomes))
    print(
        f"\n{learned_table(learnt)}" if learnt else f"\n{left} units are too few to certify learned weights"
    )
    print(f"\n{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
