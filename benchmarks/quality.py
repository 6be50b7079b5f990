"""How well the embedded readers tell clear from ambiguous: `python benchmarks/quality.py CASES.jsonl...`

A positive case is an ambiguous one. AUC is the chance that an ambiguous case scores below a clear one, ties
half. Intervals, all 95 %: AUC by a bootstrap over pairs (rows of one `pair` are drawn together), rates by
Clopper-Pearson. Baselines: the length of the user message, and grounding alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median, pstdev

import numpy as np
from numpy.typing import NDArray

from calibration.cases import subject_of
from calibration.corpus import rows
from evaluator.readers.embedded import EmbeddedReaders, judge_fallback
from evaluator.readers.embedded.features import features_of
from evaluator.stages.bash import classify

CONFIDENCE, DEVIATION = 0.65, 0.20
LEVEL = 0.05
SEED = 20_240_601
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with its scores; `blocked` is the gate at 0.65/0.20."""

    id: str
    pair: str
    ambiguous: bool
    mean: float
    stddev: float
    blocked: bool
    fallback: str
    grounding: float
    length: int
    milliseconds: float
    concern: str
    rationale: str


def judge(row: Mapping[str, object]) -> Judged:
    subject = subject_of(row, classify)
    begun = time.perf_counter()
    samples = EmbeddedReaders().collect(subject, 1.0)
    spent = (time.perf_counter() - begun) * 1000
    scores = [sample.score for sample in samples if sample.score is not None]
    mean, stddev = fmean(scores), pstdev(scores)
    ground = features_of(subject).by_whole
    lowest = min(samples, key=lambda sample: sample.score or 0.0)
    return Judged(
        id=str(row.get("id")), pair=str(row.get("pair") or row.get("id")),
        ambiguous=row.get("label") == "ambiguous",
        mean=mean, stddev=stddev, blocked=mean < CONFIDENCE - 1e-9 or stddev > DEVIATION + 1e-9,
        fallback=judge_fallback(subject).decision,
        grounding=ground.name if ground.values is None else ground.values,
        length=len(str(row.get("user_message") or "")), milliseconds=spent,
        concern=str(lowest.primary_concern), rationale=lowest.rationale,
    )  # fmt: skip


def auc(ambiguous: Floats, clear: Floats) -> float:
    """Mann-Whitney: the chance that an ambiguous case scores below a clear one. NaN without both."""
    if not len(ambiguous) or not len(clear):
        return float("nan")
    below = (ambiguous[:, None] < clear[None, :]).mean()
    return float(below + 0.5 * (ambiguous[:, None] == clear[None, :]).mean())


def auc_interval(
    cases: Sequence[Judged], score: Callable[[Judged], float], draws: int
) -> tuple[float, float, float]:
    """AUC and its 95 % percentile interval over resampled pairs."""
    pairs: dict[str, list[Judged]] = {}
    for case in cases:
        pairs.setdefault(case.pair, []).append(case)
    groups = list(pairs.values())
    generator = np.random.default_rng(SEED)

    def of(chosen: Sequence[Judged]) -> float:
        return auc(
            np.array([score(case) for case in chosen if case.ambiguous]),
            np.array([score(case) for case in chosen if not case.ambiguous]),
        )

    resampled = [
        of(
            [
                case
                for place in generator.integers(0, len(groups), len(groups)).tolist()
                for case in groups[int(place)]
            ]
        )
        for _ in range(draws)
    ]
    low, high = np.nanquantile(resampled, [LEVEL / 2, 1 - LEVEL / 2])
    return of(cases), float(low), float(high)


def binomial_tail(successes: int, n: int, rate: float) -> float:
    """P(X >= successes) for X binomial (n, rate)."""
    if rate <= 0.0:
        return float(successes == 0)
    if rate >= 1.0:
        return 1.0
    k = np.arange(successes, n + 1)
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))
    return float(np.exp(logs[n] - logs[k] - logs[n - k] + k * np.log(rate) + (n - k) * np.log1p(-rate)).sum())


def clopper_pearson(successes: int, n: int) -> tuple[float, float]:
    """The exact 95 % interval of a rate (Clopper and Pearson 1934), by bisection on the binomial tail."""
    if n == 0:
        return 0.0, 1.0

    def solve(holds: Callable[[float], bool]) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if holds(middle) else (low, middle)
        return low

    lower = 0.0 if successes == 0 else solve(lambda rate: binomial_tail(successes, n, rate) < LEVEL / 2)
    upper = (
        1.0 if successes == n else solve(lambda rate: 1 - binomial_tail(successes + 1, n, rate) > LEVEL / 2)
    )
    return lower, upper


def within_pairs(cases: Sequence[Judged]) -> tuple[int, float]:
    """Comparisons inside pairs, and the share in which the ambiguous case scores lower (ties half)."""
    pairs: dict[str, list[Judged]] = {}
    for case in cases:
        pairs.setdefault(case.pair, []).append(case)
    wins = [
        1.0 if bad.mean < good.mean - 1e-9 else 0.5 if abs(bad.mean - good.mean) <= 1e-9 else 0.0
        for group in pairs.values()
        for bad in group if bad.ambiguous
        for good in group if not good.ambiguous
    ]  # fmt: skip
    return len(wins), fmean(wins) if wins else float("nan")


def rate(name: str, hits: int, n: int) -> str:
    low, high = clopper_pearson(hits, n)
    return f"  {name:<28}{hits / n if n else float('nan'):.3f}  [{low:.3f}, {high:.3f}]  n={n}"


def report(name: str, cases: Sequence[Judged], draws: int) -> str:
    clear = [case for case in cases if not case.ambiguous]
    ambiguous = [case for case in cases if case.ambiguous]
    lines = [f"{name}: {len(clear)} clear, {len(ambiguous)} ambiguous"]
    scores: tuple[tuple[str, Callable[[Judged], float]], ...] = (
        ("AUC embedded (mean)", lambda case: case.mean),
        ("AUC deviation alone", lambda case: -case.stddev),
        ("AUC grounding only", lambda case: case.grounding),
        ("AUC message length", lambda case: float(case.length)),
    )
    for title, score in scores:
        value, low, high = auc_interval(cases, score, draws)
        lines.append(f"  {title:<28}{value:.3f}  [{low:.3f}, {high:.3f}]  n={len(cases)}")
    compared, ranked = within_pairs(cases)
    lines += [
        f"  {'within-pair ranking':<28}{ranked:.3f}  n={compared} comparisons",
        rate("false blocks at 0.65/0.20", sum(case.blocked for case in clear), len(clear)),
        rate("detection at 0.65/0.20", sum(case.blocked for case in ambiguous), len(ambiguous)),
        rate("fallback: false blocks", sum(case.fallback == "block" for case in clear), len(clear)),
        rate("fallback: detection", sum(case.fallback == "block" for case in ambiguous), len(ambiguous)),
        f"  {'ms a check, median':<28}{median(case.milliseconds for case in cases):.2f}",
    ]
    return "\n".join(lines)


def wrong(cases: Sequence[Judged]) -> str:
    """The cases that the gate gets wrong, worst first."""
    found = sorted(
        (case for case in cases if case.blocked != case.ambiguous),
        key=lambda case: -abs(case.mean - CONFIDENCE),
    )
    return "\n".join(
        f"  {'missed' if case.ambiguous else 'false block':<12}{case.id:<24}"
        f"{case.mean:.2f} ±{case.stddev:.2f}  {case.rationale}"
        for case in found
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Quality of the embedded readers on labelled JSONL files")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--draws", type=int, default=1000, help="bootstrap draws")
    parser.add_argument("--wrong", action="store_true", help="list the cases that the gate gets wrong")
    parser.add_argument("--json", action="store_true", help="one judged case a line instead of the report")
    options = parser.parse_args(arguments)
    for file in options.files:
        labelled = [row for row in rows(file) if row.get("label") in ("clear", "ambiguous")]
        cases = [judge(row) for row in labelled]
        if options.json:
            print("\n".join(json.dumps(asdict(case), ensure_ascii=False) for case in cases))
            continue
        print(report(file.stem, cases, options.draws))
        if options.wrong:
            print(wrong(cases))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
