"""Agreement of readings: the formula on readers with known meanings, and whether it tells more than the score does.

`python benchmarks/quality/agreement.py CASES.jsonl... [--json]` reads labelled cases and asks the embedded readers.
With `--backend anthropic` it asks hosted ones, which costs a check a case: no such figure is published here.

Simulation: n readers draw their meaning from a known distribution; the truth is the chance that two of them share one,
the sum of its squared shares. AUROC: an ambiguous case should score lower. Intervals, all 95 %: cluster DeLong for a
single AUROC, percentile bootstrap over pairs for a difference.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rates import resampled

from calibration.cases.corpus import rows
from calibration.cases.subjects import exchange_of, subject_of
from calibration.stats.estimate import Estimate
from calibration.stats.roc import auc_interval
from compass.joining.shell import classify
from evaluator.model import Exchange, Sample, Subject
from evaluator.ports import Readers
from evaluator.readers.embedded import EmbeddedReaders
from evaluator.verdict.readings import agreement, clusters

SEED = 20_261_122
CHECKS = 20_000
MEANINGS = {
    "separable: one meaning": (1.0,),
    "overlapping: 0.7, 0.2, 0.1": (0.7, 0.2, 0.1),
    "bimodal: 0.5, 0.5": (0.5, 0.5),
    "one dissenter in five: 0.8, 0.2": (0.8, 0.2),
    "scattered: ten alike": (0.1,) * 10,
}
SIZES = (3, 5, 7)
UNKNOWN = 0.0
"""Agreement of a check in which fewer than two readers gave a reading: as little as there is."""


@dataclass(frozen=True, slots=True)
class Simulated:
    meanings: str
    n: int
    truth: float
    mean: float
    spread: float
    below_half: float
    """The share of checks under the threshold of 0.5."""


def simulate(generator: np.random.Generator) -> list[Simulated]:
    found: list[Simulated] = []
    for name, shares in MEANINGS.items():
        truth = sum(share * share for share in shares)
        for n in SIZES:
            counts = generator.multinomial(n, shares, size=CHECKS)
            values = np.array([agreement(row[row > 0].tolist()) for row in counts], dtype=np.float64)
            found.append(
                Simulated(
                    name, n, truth, float(values.mean()), float(values.std()), float((values < 0.5).mean())
                )
            )
    return found


@dataclass(frozen=True, slots=True)
class Judged:
    pair: str
    ambiguous: bool
    mean: float
    agreement: float | None


def judge(row: Mapping[str, object], readers: Readers) -> Judged | None:
    subject: Subject = subject_of(row, classify)
    samples: Sequence[Sample] = [one for one in readers.collect(subject, 30.0) if one.valid]
    if not samples:
        return None
    exchange: Exchange = exchange_of(row)
    held = clusters(samples, subject.pending.project_dir, exchange)
    return Judged(
        pair=str(row.get("pair") or row.get("id")),
        ambiguous=row.get("label") == "ambiguous",
        mean=sum(sample.score or 0.0 for sample in samples) / len(samples),
        agreement=agreement([len(cluster.readers) for cluster in held]),
    )


def columns(judged: Sequence[Judged]) -> dict[str, NDArray[np.float64]]:
    mean = np.array([one.mean for one in judged])
    agreed = np.array([UNKNOWN if one.agreement is None else one.agreement for one in judged])
    return {"mean": mean, "agreement": agreed, "both": (mean + agreed) / 2}


def difference(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    judged: Sequence[Judged],
    generator: np.random.Generator,
) -> tuple[float, float, float]:
    """AUROC of `one` less that of `other`, with its interval."""
    names = {pair: code for code, pair in enumerate(dict.fromkeys(item.pair for item in judged))}
    units = np.array([names[item.pair] for item in judged])
    ambiguous = np.array([item.ambiguous for item in judged])

    def wins(scores: NDArray[np.float64]) -> NDArray[np.float64]:
        low, high = scores[ambiguous], scores[~ambiguous]
        found: NDArray[np.float64] = (low[:, None] < high[None, :]) + 0.5 * (low[:, None] == high[None, :])
        return found

    gain = wins(one) - wins(other)

    def statistic(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        of_low, of_high = weights[:, units[ambiguous]], weights[:, units[~ambiguous]]
        total = of_low.sum(axis=1) * of_high.sum(axis=1)
        found: NDArray[np.float64] = np.einsum("di,ij,dj->d", of_low, gain, of_high) / total
        return found

    value = float(statistic(np.ones((1, len(names))))[0])
    ends = resampled(statistic, len(names), generator, 1000)
    return (value, *ends)


def report(path: str, readers: Readers) -> dict[str, object]:
    cases = [row for row in rows(Path(path)) if row.get("label") in ("clear", "ambiguous")]
    judged = [one for one in (judge(row, readers) for row in cases) if one is not None]
    generator = np.random.default_rng(SEED)
    by = columns(judged)
    ambiguous = np.array([one.ambiguous for one in judged])
    pairs = [one.pair for one in judged]
    found: dict[str, object] = {
        "cases": path,
        "n": len(judged),
        "without_agreement": sum(one.agreement is None for one in judged),
    }
    for name, column in by.items():
        estimate = auc_interval(column, ambiguous, pairs)
        assert isinstance(estimate, Estimate), estimate
        found[name] = (estimate.value, estimate.low, estimate.high)
    found["agreement - mean"] = difference(by["agreement"], by["mean"], judged, generator)
    found["both - mean"] = difference(by["both"], by["mean"], judged, generator)
    return found


def readers_of(backend: str) -> Readers:
    if backend == "embedded":
        return EmbeddedReaders()
    from compass.joining.gate import wire

    os.environ["COMPASS_EVALUATOR__BACKEND"] = backend
    return wire(dict(os.environ), os.path.expanduser("~"), os.getcwd(), keep=False).parts.readers()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--backend", default="embedded")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    simulated = simulate(np.random.default_rng(SEED))
    measured = [report(path, readers_of(args.backend)) for path in args.cases]
    if args.json:
        print(json.dumps({"simulated": [vars_of(one) for one in simulated], "measured": measured}, indent=1))
        return 0
    print("| meanings | n | truth | mean | spread | under 0.5 |\n|---|---|---|---|---|---|")
    for one in simulated:
        print(
            f"| {one.meanings} | {one.n} | {one.truth:.3f} | {one.mean:.3f} | {one.spread:.3f} | {one.below_half:.1%} |"
        )
    for found in measured:
        print(
            f"\n{found['cases']}: n {found['n']}, {found['without_agreement']} with fewer than two readings"
        )
        for name in ("mean", "agreement", "both", "agreement - mean", "both - mean"):
            value, low, high = found[name]  # type: ignore[misc]
            print(f"  {name:<18} {value:+.3f} [{low:+.3f}, {high:+.3f}]")
    return 0


def vars_of(one: Simulated) -> dict[str, object]:
    return {name: getattr(one, name) for name in one.__slots__}


if __name__ == "__main__":
    sys.exit(main())
