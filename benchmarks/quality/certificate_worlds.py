"""Eight simulated worlds of checks with a known truth, for `certificates.py`. Seeded; reads and writes nothing.

A unit is a clear and an ambiguous check that share an effect, each judged by five readers whose scores are rounded to
0.05. A reader gives the usual reading of a check with chance `alike`, else one of some others; who does not see that a
check is ambiguous scores and reads it as a clear one. Split readers are two camps with a reading each: who reads the
other thing finds that the write does not fit. In the clustered world a unit holds 1 or 12 checks, and large ones are
the worse; in each, one check is drawn. A ninth world is where the shipped weights are at their worst: half of the
readers see an ambiguity, and nothing but the deviation of their scores shows it, for all read the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.stats.estimate import Bools, Floats

READERS = 5
LARGE = 12

Readings = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Kind:
    """Checks of one class. `sees` is the chance that a reader sees what is wrong; who does not judges as if clear.
    Who does not give the usual reading gives one of `others`.
    """

    centre: float
    spread: float
    noise: float
    alike: float
    sees: float = 1.0
    others: int = 3


@dataclass(frozen=True, slots=True)
class World:
    """`tails`: degrees of freedom of Student's t in place of the normal; `outliers`: the chance that a reader scores
    0.1 and reads at random whatever the check; `large`: the share of large units, whose checks score lower by `drop`.
    """

    name: str
    clear: Kind
    ambiguous: Kind
    tails: float | None = None
    outliers: float = 0.0
    large: float = 0.0
    drop: float = 0.0


WORLDS = (
    World("separated", Kind(0.92, 0.04, 0.03, 0.97), Kind(0.35, 0.10, 0.05, 0.60)),
    World("overlapping", Kind(0.72, 0.08, 0.10, 0.90), Kind(0.55, 0.10, 0.10, 0.75)),
    World("low floor", Kind(0.635, 0.06, 0.10, 0.85), Kind(0.45, 0.10, 0.10, 0.65)),
    World("heavy tails", Kind(0.80, 0.05, 0.05, 0.92), Kind(0.50, 0.08, 0.05, 0.70), tails=2.5),
    World("outlier readers", Kind(0.85, 0.04, 0.05, 0.95), Kind(0.60, 0.10, 0.05, 0.70), outliers=0.07),
    World("split readers", Kind(0.85, 0.05, 0.05, 0.95), Kind(0.35, 0.08, 0.05, 0.0, sees=0.5, others=1)),
    World("clustered", Kind(0.82, 0.05, 0.05, 0.92), Kind(0.55, 0.10, 0.05, 0.70), large=0.25, drop=0.12),
    World("agreement carries it", Kind(0.85, 0.05, 0.05, 0.97), Kind(0.83, 0.05, 0.05, 0.45)),
    World("split in scores alone", Kind(0.85, 0.05, 0.05, 0.95), Kind(0.35, 0.08, 0.05, 0.95, sees=0.5)),
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Scores and readings of shape (..., units, readers) of one class; `large` units, of shape (..., units)."""

    scores: Floats
    readings: Readings
    large: Bools


def units(world: World, shape: Sequence[int], rng: np.random.Generator) -> tuple[Drawn, Drawn]:
    """(clear, ambiguous), a check of either for each unit."""
    large = rng.random(shape) < world.large
    shared = _noise(world, shape, rng)
    return tuple(_checks(world, kind, shared, large, rng) for kind in (world.clear, world.ambiguous))  # type: ignore[return-value]


def _noise(world: World, shape: Sequence[int], rng: np.random.Generator) -> Floats:
    if world.tails is None:
        return rng.standard_normal(shape)
    return rng.standard_t(world.tails, shape)


def _checks(world: World, kind: Kind, shared: Floats, large: Bools, rng: np.random.Generator) -> Drawn:
    shape = (*shared.shape, READERS)
    # Half of the variance between checks is their unit's.
    effect = kind.spread * (shared + _noise(world, shared.shape, rng)) / np.sqrt(2)
    effect -= world.drop * large
    sees = rng.random(shape) < kind.sees
    centre = np.where(sees, kind.centre, world.clear.centre)
    alike = np.where(sees, kind.alike, world.clear.alike)
    scores = centre + effect[..., None] + kind.noise * _noise(world, shape, rng)
    other = 1 + rng.integers(0, kind.others, shape)
    readings = np.where(rng.random(shape) < alike, 0, other)
    out = rng.random(shape) < world.outliers
    scores = np.where(out, 0.1, scores)
    readings = np.where(out, other, readings)
    rounded: Floats = np.clip(np.round(scores * 20) / 20, 0, 1)
    return Drawn(rounded, readings.astype(np.int64), large)
