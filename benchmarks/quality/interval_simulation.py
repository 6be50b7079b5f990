"""Do the intervals of a calibration hold the truth where few units are measured and scores are skewed? Seeded.

    python benchmarks/quality/interval_simulation.py [--projects 1000] [--figure mean AUC rate certificate] [--json]

Each table has worlds with a known truth at some numbers of units: the share of nominal 95 % intervals that hold it,
and their mean width, beside those of other methods.

*mean*: of scores in [0, 1], one a unit. Beside it Student's t, the bound of Gaffke 2005 (as in Learned-Miller and
Thomas 2019: a quantile of the mean under uniform Dirichlet weights, with one unit more at the end of the scale) and
the hedged betting interval of Waudby-Smith and Ramdas 2024. *AUC*: of pairs with one clear and one ambiguous case;
beside it the same without the interval as it is, that is with half a unit at chance alone. *rate*: of misread turns,
and of turns in which a question was due, in sessions (the units) that differ, with labels that are as wrong as model
readers were measured to be: from labels alone, and corrected by 40 answers by hand. *certificate*: of cuts from cases
of sessions, a part of which is labelled clear and is not: the share of projects in which false blocks stay under 10 %,
and how often the cut blocks. `--figure` for some of them.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist

import numpy as np

from calibration.stats.checks import CHANCE_UNITS, Recommendation, auc_interval, columns_of, learn
from calibration.stats.estimates import (
    LEVEL,
    CorrectedRate,
    Estimate,
    Floats,
    Ints,
    TooLittle,
    bounded_mean,
    corrected_rate,
    mean_of_units,
    rate_of_checks,
    student_quantile,
)

SEED = 20_260_112
UNITS = (10, 20, 50)
SESSIONS = (20, 60, 120)
CLEAR_UNITS = (29, 59, 149)
"""The fewest with which no, one or few false blocks certify a cut at 10 %."""
ANSWERS = 40
TARGET, TURNS, SAME, UNCLEAR = 0.10, 6, 0.5, 0.034
"""Of a certificate: the rate, the clear turns of a session in the mean, the share of them that score as its first one
did, and the share of turns labelled clear that were misread or due, of the first wording; of today's it was 0 of 49."""
POPULATION = 400_000
GRID = 200

Ends = tuple[float, float]
Scores = Callable[[np.random.Generator, int], Floats]
Pairs = Callable[[np.random.Generator, int], tuple[Floats, Floats]]


def few_low(share: float, low: float, high: float, spread: float) -> Scores:
    """Around `high`, and a share of units around `low`."""
    return lambda rng, n: np.clip(np.where(rng.random(n) < share, low, high) + rng.normal(0, spread, n), 0, 1)


MEANS: Mapping[str, Scores] = {
    "normal around 0.635": lambda rng, n: np.clip(rng.normal(0.635, 0.1, n), 0, 1),
    "normal around 0.95, cut at 1": lambda rng, n: np.clip(rng.normal(0.95, 0.1, n), 0, 1),
    "even over [0, 1]": lambda rng, n: rng.random(n),
    "beta(8, 2)": lambda rng, n: rng.beta(8, 2, n),
    "beta(5, 0.6)": lambda rng, n: rng.beta(5, 0.6, n),
    "beta(2, 0.3)": lambda rng, n: rng.beta(2, 0.3, n),
    "1 less exponential 0.1": lambda rng, n: np.clip(1 - rng.exponential(0.1, n), 0, 1),
    "1 less exponential 0.3": lambda rng, n: np.clip(1 - rng.exponential(0.3, n), 0, 1),
    "1 less lognormal": lambda rng, n: np.clip(1 - 0.1 * np.exp(rng.normal(0, 1, n)), 0, 1),
    "0.9, 5 % at 0.4": few_low(0.05, 0.4, 0.9, 0.06),
    "0.9, 10 % at 0.3": few_low(0.10, 0.3, 0.9, 0.05),
    "0.9, 10 % at 0.2": few_low(0.10, 0.2, 0.9, 0.05),
    "0.85, 15 % at 0.2": few_low(0.15, 0.2, 0.85, 0.05),
    "0.85, 20 % at 0.4": few_low(0.20, 0.4, 0.85, 0.05),
    "0.8, 30 % at 0.1": few_low(0.30, 0.1, 0.8, 0.1),
    "deviations, 70 % of them 0": lambda rng, n: np.where(
        rng.random(n) < 0.7, 0.0, np.clip(rng.exponential(0.08, n), 0, 1)
    ),
}


def binormal(area: float) -> Pairs:
    """Both cases of a pair share 0.3 of their variance."""
    apart = NormalDist().inv_cdf(area) * math.sqrt(2)

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        low, high = rng.normal(0, math.sqrt(0.7), (2, n)) + rng.normal(0, math.sqrt(0.3), n)
        return low - apart, high

    return draw


def mixed(hidden: float, outlying: float, apart: float = 4.0) -> Pairs:
    """A share of ambiguous cases that look clear, and a share of clear ones that score below all."""

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        low, high = rng.normal(0, 1, (2, n))
        return low - apart * (rng.random(n) >= hidden), high - 2 * apart * (rng.random(n) < outlying)

    return draw


AREAS: Mapping[str, Pairs] = {
    **{f"binormal {area:g}": binormal(area) for area in (0.7, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)},
    **{f"{share:.0%} hidden": mixed(share, 0) for share in (0.02, 0.05, 0.10, 0.20)},
    **{f"{share:.0%} clear outliers": mixed(0, share) for share in (0.02, 0.05, 0.10)},
    "exponential": lambda rng, n: (-rng.exponential(20, n), -rng.exponential(1, n)),
}


RATES: Mapping[str, tuple[float, float, float]] = {
    "misread, as measured": (0.053, 0.65, 0.008),
    "due, as measured": (0.045, 0.59, 0.045),
    "misread, first wording": (0.085, 0.56, 0.036),
    "due, first wording": (0.061, 0.39, 0.021),
    "rare": (0.03, 0.56, 0.036),
    "frequent": (0.20, 0.56, 0.036),
    "good labels": (0.085, 0.85, 0.01),
    "labels by chance": (0.085, 0.10, 0.10),
}
"""The rate, the share of true turns that labels find, and the share of the others that they name."""


def turns(
    rng: np.random.Generator, rate: float, found: float, wrong: float, sessions: int, answers: int
) -> tuple[Floats, Floats, Ints]:
    """(as labelled, by hand or NaN, session) of some six turns a session, which differ in their rates."""
    session = np.repeat(np.arange(sessions), rng.geometric(1 / 6, sessions))
    share = rng.beta(8 * rate, 8 * (1 - rate), sessions)
    truth = (rng.random(len(session)) < share[session]).astype(float)
    said = rng.random(len(session)) < np.where(truth == 1, found, wrong)
    known = np.full(len(session), np.nan)
    drawn = rng.permutation(len(session))[:answers]
    known[drawn] = truth[drawn]
    return said.astype(float), known, session


def gaffke(values: Floats, rng: np.random.Generator) -> Ends:
    weights = rng.exponential(1, (2000, len(values) + 1))
    weights /= weights.sum(axis=1, keepdims=True)
    least = weights[:, 1:] @ np.sort(values)
    low, high = np.quantile(least, LEVEL / 2), np.quantile(least + weights[:, 0], 1 - LEVEL / 2)
    return float(low), float(high)


def betting(values: Floats) -> Ends:
    """Hedged capital with the predictable plug-in bets of their theorem 3, on a grid of 200 means."""
    n = len(values)
    steps = np.arange(1, n + 1)
    running = (0.5 + values.cumsum()) / (steps + 1)
    variance = (0.25 + ((values - running) ** 2).cumsum()) / (steps + 1)
    bets = np.sqrt(2 * math.log(2 / LEVEL) / (n * np.append(0.25, variance[:-1])))
    means = ((np.arange(GRID) + 0.5) / GRID)[:, None]
    up = np.log1p(np.minimum(bets, 0.75 / means) * (values - means)).cumsum(axis=1).max(axis=1)
    down = np.log1p(-np.minimum(bets, 0.75 / (1 - means)) * (values - means)).cumsum(axis=1).max(axis=1)
    kept = np.flatnonzero(np.maximum(up, down) < math.log(2 / LEVEL))
    return float(kept[0] / GRID), float((kept[-1] + 1) / GRID)


def shrunk_alone(found: Estimate, scores: Floats, units: int) -> Ends:
    """The AUC's interval with half a unit at chance, for one ambiguous and one clear check in each of `units` pairs."""
    low, high = scores[:units], scores[units:]
    wins = (low[:, None] < high) + 0.5 * (low[:, None] == high)
    apart = wins.mean(axis=1) + wins.mean(axis=0) - 2 * found.value
    variance = float((apart**2).sum()) / units / (units - 1)
    chance = CHANCE_UNITS / (units + CHANCE_UNITS)
    centre = (1 - chance) * found.value + chance / 2
    spread = (1 - chance) ** 2 * variance + chance**2 * (found.value - 0.5) ** 2 / CHANCE_UNITS
    step = student_quantile(LEVEL, units - 1) * math.sqrt(spread) / (centre * (1 - centre))
    logit = math.log(centre / (1 - centre))
    ends = [1 / (1 + math.exp(-logit + side * step)) for side in (1, -1)]
    return min(ends[0], found.value), max(ends[1], found.value)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One world at one number of units: by method the share that holds the truth, and the mean width."""

    figure: str
    world: str
    truth: float
    units: int
    methods: Mapping[str, tuple[float, float]]


def ends_of(found: Estimate | TooLittle) -> Ends:
    assert isinstance(found, Estimate)
    return found.low, found.high


def outcome(
    figure: str, world: str, truth: float, units: int, ends: Sequence[Mapping[str, Ends]], slack: float = 0.0
) -> Outcome:
    methods = {
        name: (
            float(np.mean([one[name][0] - slack <= truth <= one[name][1] + slack for one in ends])),
            float(np.mean([one[name][1] - one[name][0] for one in ends])),
        )
        for name in ends[0]
    }
    return Outcome(figure, world, truth, units, methods)


def of_mean(world: str, units: int, projects: int) -> Outcome:
    draw, ends = MEANS[world], list[Mapping[str, Ends]]()
    truth = float(draw(np.random.default_rng(SEED), POPULATION).mean())
    for number in range(projects):
        rng = np.random.default_rng([SEED, 1, units, number])
        values, each = draw(rng, units), np.arange(units)
        t = ends_of(mean_of_units(values, each))
        ends.append(
            {
                "interval": ends_of(bounded_mean(values, each)),
                "Student's t": (max(t[0], 0.0), min(t[1], 1.0)),
                "Gaffke": gaffke(values, rng),
                "betting": betting(values),
            }
        )
    return outcome("mean", world, truth, units, ends)


def of_auc(world: str, units: int, projects: int) -> Outcome:
    draw, ends = AREAS[world], list[Mapping[str, Ends]]()
    low, high = draw(np.random.default_rng(SEED), POPULATION)
    below = np.searchsorted(np.sort(high), low), np.searchsorted(np.sort(high), low, side="right")
    truth = float(1 - (below[0] + below[1]).mean() / (2 * len(high)))
    ambiguous, pair = np.arange(2 * units) < units, np.tile(np.arange(units), 2)
    for number in range(projects):
        scores = np.concatenate(draw(np.random.default_rng([SEED, 2, units, number]), units))
        found = auc_interval(scores, ambiguous, pair)
        assert isinstance(found, Estimate)
        ends.append(
            {"interval": (found.low, found.high), "half a unit alone": shrunk_alone(found, scores, units)}
        )
    return outcome("AUC", world, truth, units, ends)


def of_rate(world: str, sessions: int, projects: int) -> Outcome:
    rate, found, wrong = RATES[world]
    ends: list[Mapping[str, Ends]] = []
    for number in range(projects):
        rng = np.random.default_rng([SEED, 3, sessions, number])
        said, known, session = turns(rng, rate, found, wrong, sessions, ANSWERS)
        alone = rate_of_checks(said.tolist(), session.tolist())
        corrected = corrected_rate(said, known, session)
        by_hand = corrected_rate(np.zeros(len(said)), known, session)
        assert not isinstance(alone, TooLittle)
        assert isinstance(corrected, CorrectedRate) and isinstance(by_hand, CorrectedRate)
        ends.append(
            {
                "labels alone": (alone.low, alone.high),
                "corrected": (corrected.low, corrected.high),
                "the answers alone": (by_hand.low, by_hand.high),
            }
        )
    return outcome("rate", world, rate, sessions, ends)


def of_certificate(world: str, units: int, projects: int) -> Outcome:
    """Clear turns score as that world of the mean, those that only look clear as often at random."""
    draw = MEANS[world]
    everyone = np.sort(draw(np.random.default_rng(SEED), POPULATION))
    kept, blocks = {"as labelled": 0, "all clear": 0}, {"as labelled": 0.0, "all clear": 0.0}
    for number in range(projects):
        for name in kept:
            rng = np.random.default_rng([SEED, 4, units, number])
            session = np.repeat(np.arange(units), rng.geometric(1 / TURNS, units))
            scores = np.where(
                rng.random(len(session)) < SAME, draw(rng, units)[session], draw(rng, len(session))
            )
            if name == "as labelled":
                scores = np.where(rng.random(len(session)) < UNCLEAR, rng.random(len(session)), scores)
            table = columns_of(
                scores[:, None], np.zeros(len(session), dtype=bool), session, np.arange(len(session))
            )
            found = learn(table, TARGET, rng)
            assert isinstance(found, Recommendation)
            rate = np.searchsorted(everyone, found.thresholds.confidence) / POPULATION
            kept[name] += bool(rate <= TARGET)
            blocks[name] += float(rate)
    shares = {name: (kept[name] / projects, blocks[name] / projects) for name in kept}
    return Outcome("certificate", world, TARGET, units, shares)


FIGURES: Mapping[str, tuple[Callable[[str, int, int], Outcome], Mapping[str, object], tuple[int, ...]]] = {
    "mean": (of_mean, MEANS, UNITS),
    "AUC": (of_auc, AREAS, UNITS),
    "rate": (of_rate, RATES, SESSIONS),
    "certificate": (of_certificate, MEANS, CLEAR_UNITS),
}


def table(outcomes: Sequence[Outcome]) -> str:
    told = "holds | blocks" if outcomes[0].figure == "certificate" else "covers | width"
    head = f"| {outcomes[0].figure} | truth | units | " + " | ".join(
        f"{name}: {told}" for name in outcomes[0].methods
    )
    rows = [
        f"| {one.world} | {one.truth:.3f} | {one.units} | "
        + " | ".join(f"{cover:.1%} | {width:.3f}" for cover, width in one.methods.values())
        + " |"
        for one in outcomes
    ]
    least = "; ".join(
        f"{units} units: "
        + ", ".join(
            f"{name} {min(one.methods[name][0] for one in those):.1%}, "
            f"{np.mean([one.methods[name][1] for one in those]):.3f}"
            for name in those[0].methods
        )
        for units in sorted({one.units for one in outcomes})
        if (those := [one for one in outcomes if one.units == units])
    )
    return "\n".join(
        [
            head + " |",
            "|" + "---|" * (3 + 2 * len(outcomes[0].methods)),
            *rows,
            f"\nLeast, and mean of the other: {least}",
        ]
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Coverage of the calibration's intervals")
    parser.add_argument("--projects", type=int, default=1000, help="for each world and number of units")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--figure", nargs="+", choices=FIGURES, default=[*FIGURES])
    parser.add_argument("--units", nargs="+", type=int, default=[])
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    found = [
        [of(world, units, options.projects) for world in worlds for units in options.units or at]
        for name, (of, worlds, at) in FIGURES.items()
        if name in options.figure
    ]
    if options.json:
        print(json.dumps([asdict(one) for part in found for one in part]))
        return 0
    print(f"{options.projects} projects a row\n\n" + "\n\n".join(map(table, found)))
    print(f"\n{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
