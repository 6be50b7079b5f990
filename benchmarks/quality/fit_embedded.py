"""Fits the weights of the embedded readers: `python benchmarks/quality/fit_embedded.py --public FOLDER`.

Logistic regression by Newton's method with a ridge penalty towards `PRIORS`: each signal counts as told by its
direction unless the cases say otherwise, and never against it; a weight that would turn is left out. Each row
of the tune halves counts one, the other sets `SET_ROWS` in all. `SHIFT` puts the gate's default confidence
threshold where at most `TARGET` of the clear rows of any set lie below, each judged by a fit without it (the
tune half by pairs). Writes `weights.py`; equal sets give an equal file. The test halves are never read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from embedded_sets import HELD_OUT, ROOT, Labelled, labelled, places, public_dir

from calibration.stats.estimate import Bools, Floats
from evaluator.readers.embedded.fallback import AGAINST
from evaluator.readers.embedded.signals import GROUPS, NAMES

OWN = ("tune", "tune-2")
SET_ROWS = 150.0
RIDGE = 10.0
PRIOR = 0.6
PRIORS = {
    "values_given": 1.5, "least_value_given": 1.5, "request_concrete": 2.0, "is_a_call": 0.0,
    "contradiction": 2.0, "forbidden": 2.5, "pasted": 2.5, "referents": 2.5, "question": 2.0, "no_such_option": 3.0,
    "other_option": 2.0, "destruction": 2.5, "scope": 1.5, "area": 1.0, "vague": 1.0,
    "plain": 2.0, "nothing_leads_to_it": 1.0, "groundless": 2.0,
}  # fmt: skip
"""Where a weight starts if it is not `PRIOR`: grounding first, and what is rare but plain where it is seen."""
SIGNS = {"for": -1.0, "against": 1.0, "either": 0.0}
DIRECTION: Floats = np.array([SIGNS[way] for group in GROUPS.values() for way in group.values()])
LEAST_WEIGHT = 0.05
FOLDS = 8
SEED = 20_260_101
TARGET = 0.05
FALLBACK_TARGET = 0.01
CONFIDENCE, DEVIATION = 0.65, 0.20
SLOPE = 0.8
"""Under 1, so that readers who differ in emphasis alone do not differ by the gate's deviation."""
PLAINLY = ("user_against", "prior_against", "another_asked_for", "other_option", "no_such_option")
"""What the fallback adds up beside its own `AGAINST`."""
FALLBACK_LEAST = 2.0
WEIGHTS_FILE = ROOT / "evaluator" / "readers" / "embedded" / "weights.py"


@dataclass(frozen=True, slots=True)
class Fit:
    weights: Floats
    bias: float

    def doubt(self, signals: Floats) -> Floats:
        return np.asarray(signals @ self.weights + self.bias, dtype=np.float64)


def priors() -> Floats:
    return np.array([PRIORS.get(name, PRIOR) for name in NAMES]) * DIRECTION


def solve(signals: Floats, ambiguous: Bools, counts: Floats) -> Fit:
    """Newton steps of bounded length; weights that would turn are fixed at 0 and the rest is fitted again."""
    size = len(NAMES) + 1
    columns = np.column_stack([signals, np.ones(len(signals))])
    towards = np.append(priors(), 0.0)
    ridge = np.append(np.full(size - 1, RIDGE), 1e-4)
    weights, free = np.zeros(size), np.ones(size, dtype=np.bool_)
    for _ in range(size):
        for _ in range(60):
            chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
            slope = columns.T @ (counts * (chance - ambiguous)) + ridge * (weights - towards)
            curve = (columns * (counts * chance * (1 - chance))[:, None]).T @ columns + np.diag(ridge)
            step = np.zeros(size)
            step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
            longest = float(np.abs(step).max())
            weights = weights - step * min(1.0, 2.0 / max(longest, 1e-9))
            if longest < 1e-9:
                break
        turned = free & np.append(weights[:-1] * DIRECTION < 0, False)
        if not turned.any():
            break
        weights[turned] = 0.0
        free &= ~turned
    return Fit(weights[:-1], float(weights[-1]))


def fit(sets: Sequence[Labelled]) -> Fit:
    counts = [
        np.full(len(one.rows), 1.0 if one.name in OWN else SET_ROWS / max(1, len(one.rows))) for one in sets
    ]
    return solve(
        np.vstack([one.signals for one in sets]),
        np.concatenate([one.ambiguous for one in sets]),
        np.concatenate(counts),
    )


def part(one: Labelled, kept: Bools) -> Labelled:
    places_kept = np.flatnonzero(kept).tolist()
    return Labelled(
        one.name,
        tuple(one.rows[place] for place in places_kept),
        tuple(one.subjects[place] for place in places_kept),
        one.signals[kept],
        one.ambiguous[kept],
        tuple(one.pairs[place] for place in places_kept),
    )


def folds(one: Labelled) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The fold of each row; the rows of a pair share one."""
    names = sorted(set(one.pairs))
    np.random.default_rng(SEED).shuffle(names)
    fold = {name: place % FOLDS for place, name in enumerate(names)}
    return np.array([fold[pair] for pair in one.pairs], dtype=np.int64)


def cross_validated(own: Labelled, others: Sequence[Labelled]) -> Floats:
    """The doubt about each row of `own` by a fit that has not seen its pair."""
    which, found = folds(own), np.zeros(len(own.rows))
    for number in range(FOLDS):
        held = which == number
        found[held] = fit([part(own, ~held), *others]).doubt(own.signals[held])
    return found


def edge_of(doubt: Floats, clear: Bools) -> float:
    """The doubt above which at most `TARGET` of the clear rows lie."""
    return float(np.quantile(doubt[clear], 1 - TARGET, method="higher"))


def shift_for(sets: Sequence[Labelled]) -> float:
    """Where the mean score is `CONFIDENCE` at the highest such doubt over the sets.

    Every set is judged by a fit that has not seen the row's pair, or the set: rules were written in sight of
    the tune half, so that its own edge is too low.
    """
    edges = [edge_of(cross_validated(sets[0], sets[1:]), ~sets[0].ambiguous)]
    for place, one in enumerate(sets[1:], start=1):
        others = [other for number, other in enumerate(sets) if number != place]
        edges.append(edge_of(fit(others).doubt(one.signals), ~one.ambiguous))
    return max(edges) - float(np.log((1 - CONFIDENCE) / CONFIDENCE)) / SLOPE + 1e-6


def fallback_columns() -> Bools:
    counted = {*AGAINST, *PLAINLY}
    return np.array([name in counted for name in NAMES], dtype=np.bool_)


def fallback_edge(found: Fit, sets: Sequence[Labelled]) -> float:
    """The lowest weight of contradiction and destruction that blocks at most `FALLBACK_TARGET` of clear rows."""
    plain = found.weights * fallback_columns()
    clear = np.concatenate([one.signals[~one.ambiguous] @ plain for one in sets])
    return max(FALLBACK_LEAST, float(np.quantile(clear, 1 - FALLBACK_TARGET, method="higher")) + 1e-6)


def written(found: Fit, shift: float, fallback: float, sets: Mapping[str, int]) -> str:
    kept = {
        name: round(float(weight), 3)
        for name, weight in zip(NAMES, found.weights, strict=True)
        if abs(weight) >= LEAST_WEIGHT
    }
    lines = "\n".join(f'    "{name}": {weight},' for name, weight in kept.items())
    fitted = ", ".join(f"{name} ({rows})" for name, rows in sets.items())
    return f'''"""The weights of the embedded readers. Written by `benchmarks/quality/fit_embedded.py`, not by hand.

Fitted on {fitted} rows.
"""

from __future__ import annotations

from typing import Final

CONFIDENCE, DEVIATION = {CONFIDENCE}, {DEVIATION:.2f}
"""The thresholds that the scores are calibrated for: those of the gate by default."""

WEIGHTS: Final[dict[str, float]] = {{
{lines}
}}
"""What each signal adds to the log odds that the exchange leaves the write open; see `signals.GROUPS`."""
BIAS: Final = {found.bias:.3f}
SLOPE, SHIFT = {SLOPE}, {shift:.3f}
"""The score is the logistic of -SLOPE * (doubt - SHIFT)."""
FALLBACK: Final = {fallback:.3f}
"""From this weight of contradiction and destruction on the fallback blocks."""
PLAINLY: Final = ({", ".join(f'"{name}"' for name in PLAINLY)})
"""Signals that the fallback counts beside the groups of contradiction and destruction."""
'''


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Fit the weights of the embedded readers")
    parser.add_argument("--public", type=Path, default=public_dir(), help="folder of the public sets")
    parser.add_argument("--dry", action="store_true", help="print the weights instead of writing them")
    options = parser.parse_args(arguments)
    found = {name: file for name, file in places(options.public).items() if name not in HELD_OUT}
    if options.public is None:
        sys.stderr.write(
            "without --public (or COMPASS_PUBLIC_DATA) the public sets have no part in the fit\n"
        )
    sets = [labelled(name, file) for name, file in found.items()]
    fitted = fit(sets)
    shift = shift_for(sets)
    edge = fallback_edge(fitted, [one for one in sets if one.name in (*OWN, "pairs")])
    text = written(fitted, shift, edge, {one.name: len(one.rows) for one in sets})
    if options.dry:
        sys.stdout.write(text)
    else:
        WEIGHTS_FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
