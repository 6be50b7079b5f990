"""How well the embedded readers tell clear from ambiguous: `python benchmarks/quality.py CASES.jsonl...`

A positive case is an ambiguous one. AUC is the chance that an ambiguous case scores below a clear one, ties
half. Figures and their 95 % intervals are those of `calibration.stats`: rows of one `pair` depend on each other,
so rates count each pair once. Baselines: the length of the user message, and grounding alone.
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

from calibration.cases import subject_of
from calibration.corpus import rows
from calibration.stats.binary import within_pairs
from calibration.stats.checks import DIGITS, Columns
from calibration.stats.estimate import Estimate, TooLittle, codes
from calibration.stats.intervals import rate_of_units
from calibration.stats.roc import auc_interval
from evaluator.readers.embedded import EmbeddedReaders, judge_fallback
from evaluator.readers.embedded.features import features_of
from evaluator.stages.bash import classify

CONFIDENCE, DEVIATION = 0.65, 0.20


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


def columns_of(cases: Sequence[Judged]) -> Columns:
    means, stddevs, labels = zip(*((case.mean, case.stddev, case.ambiguous) for case in cases), strict=True)
    return Columns(
        np.array(means).round(DIGITS), np.array(stddevs).round(DIGITS), np.array(labels),
        codes([case.pair for case in cases], len(cases)), codes([case.id for case in cases], len(cases)),
    )  # fmt: skip


def line(name: str, found: Estimate | TooLittle, of: str = "cases") -> str:
    if isinstance(found, TooLittle):
        return f"  {name:<28}needs {found.needed} {found.of}, has {found.units}"
    return f"  {name:<28}{found.value:.3f}  [{found.low:.3f}, {found.high:.3f}]  n={found.n} {of}, {found.units} pairs"


def rate(name: str, hits: Sequence[bool], cases: Sequence[Judged]) -> str:
    return line(name, rate_of_units([float(hit) for hit in hits], [case.pair for case in cases]))


def report(name: str, cases: Sequence[Judged]) -> str:
    clear = [case for case in cases if not case.ambiguous]
    ambiguous = [case for case in cases if case.ambiguous]
    lines = [f"{name}: {len(clear)} clear, {len(ambiguous)} ambiguous"]
    scores: tuple[tuple[str, Callable[[Judged], float]], ...] = (
        ("AUC embedded (mean)", lambda case: case.mean),
        ("AUC deviation alone", lambda case: -case.stddev),
        ("AUC grounding only", lambda case: case.grounding),
        ("AUC message length", lambda case: float(case.length)),
    )
    checks = columns_of(cases)
    lines += [
        line(title, auc_interval([score(case) for case in cases], checks.ambiguous, checks.unit))
        for title, score in scores
    ]
    lines += [
        line("within-pair ranking", within_pairs(checks), "comparisons"),
        rate("false blocks at 0.65/0.20", [case.blocked for case in clear], clear),
        rate("detection at 0.65/0.20", [case.blocked for case in ambiguous], ambiguous),
        rate("fallback: false blocks", [case.fallback == "block" for case in clear], clear),
        rate("fallback: detection", [case.fallback == "block" for case in ambiguous], ambiguous),
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
    parser.add_argument("--wrong", action="store_true", help="list the cases that the gate gets wrong")
    parser.add_argument("--json", action="store_true", help="one judged case a line instead of the report")
    options = parser.parse_args(arguments)
    for file in options.files:
        labelled = [row for row in rows(file) if row.get("label") in ("clear", "ambiguous")]
        cases = [judge(row) for row in labelled]
        if options.json:
            print("\n".join(json.dumps(asdict(case), ensure_ascii=False) for case in cases))
            continue
        print(report(file.stem, cases))
        if options.wrong:
            print(wrong(cases))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
