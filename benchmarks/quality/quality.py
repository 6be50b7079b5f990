"""How well the rules tell clear from ambiguous: `make quality`, or `python benchmarks/quality/quality.py`.

A positive case is an ambiguous one. AUC is the chance that an ambiguous case scores below a clear one, ties
half. Figures and their 95 % intervals are those of `calibration.stats`: rows of one `pair` depend on each other,
so AUC is clustered by pair and rates count each pair once. Baselines: the length of the user message, grounding
alone, and always clear. The public sets have no part in what the rules say of themselves. The test half prints
totals only.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median, pstdev
from time import perf_counter

import numpy as np
from embedded_sets import HELD_OUT, OWN, Labelled, labelled, pair_of, places, public_dir

from calibration.stats.binary import rates_at, within_pairs
from calibration.stats.checks import DIGITS, CheckColumns
from calibration.stats.estimate import Estimate, TooLittle, codes
from calibration.stats.intervals import rate_of_units
from calibration.stats.roc import auc_interval
from evaluator.model import Sample, Subject, Thresholds
from evaluator.readers.embedded import EmbeddedReaders, judge_fallback
from evaluator.readers.embedded.case import case_of
from evaluator.readers.embedded.evaluator import samples_of

RECORDED = Path(__file__).parent / "embedded_quality.json"
CONFIDENCE, DEVIATION = 0.65, 0.20
"""The thresholds of the gate as shipped."""
SEED = 20_260_102
LEAST_ROWS = 8
WORST = 20
SHOWN_CHARS = 90
Figure = Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with its five scores, before a hold, and what the baselines say of it."""

    row: Mapping[str, object]
    ambiguous: bool
    samples: tuple[Sample, ...]
    mean: float
    stddev: float
    fallback: str
    grounding: float
    milliseconds: float
    destructive: bool
    held: bool

    @property
    def pair(self) -> str:
        return pair_of(self.row)


def judge(row: Mapping[str, object], subject: Subject) -> Judged:
    begun = perf_counter()
    found = EmbeddedReaders().collect(subject, 1.0)
    spent = (perf_counter() - begun) * 1000
    case = case_of(subject)
    samples = samples_of(case, holding=False)
    scores = [sample.score for sample in samples if sample.score is not None]
    return Judged(
        row, row.get("label") != "clear", samples, fmean(scores), pstdev(scores),
        judge_fallback(subject, holding=False).decision, fmean(case.levels or (0.0,)), spent,
        subject.effects.operation_class == "destructive", any(sample.holds for sample in found),
    )  # fmt: skip


def judged(one: Labelled) -> list[Judged]:
    return [judge(row, subject) for row, subject in zip(one.rows, one.subjects, strict=True)]


def columns(cases: Sequence[Judged], scores: Sequence[float] | None = None) -> CheckColumns:
    means = np.array(scores if scores is not None else [case.mean for case in cases], dtype=np.float64)
    return CheckColumns(
        means.round(DIGITS),
        np.array([case.stddev if scores is None else 0.0 for case in cases]).round(DIGITS),
        np.array([case.ambiguous for case in cases]),
        codes([case.pair for case in cases], len(cases)),
        codes([str(case.row.get("id")) for case in cases], len(cases)),
        np.ones(len(cases)),
    )


def figure(found: Estimate | TooLittle) -> Figure:
    if isinstance(found, TooLittle):
        return {"missing": f"needs {found.needed} {found.of}, has {found.units}"}
    return {
        "value": round(found.value, 4), "low": round(found.low, 4), "high": round(found.high, 4),
        "n": found.n, "units": found.units,
    }  # fmt: skip


def share(cases: Sequence[Judged], hit: Callable[[Judged], bool]) -> Figure:
    return figure(rate_of_units([float(hit(case)) for case in cases], [case.pair for case in cases]))


def figures(cases: Sequence[Judged]) -> dict[str, Figure]:
    """Every figure of one set, by name."""
    checks = columns(cases)
    clear = [case for case in cases if not case.ambiguous]
    ambiguous = [case for case in cases if case.ambiguous]
    at = rates_at(checks, Thresholds(CONFIDENCE, DEVIATION))
    found: dict[str, Figure] = {"AUC": figure(auc_interval(checks.mean, checks.ambiguous, checks.unit))}
    for name, scores in baselines(cases).items():
        found[f"AUC, {name}"] = figure(auc_interval(np.array(scores), checks.ambiguous, checks.unit))
    found["within-pair ranking"] = figure(within_pairs(checks))
    found["false blocks"] = figure(at.false_blocks)
    found["detection"] = figure(at.detection)
    found["balanced accuracy"] = figure(at.balanced_accuracy)
    for name, group in (("clear", clear), ("ambiguous", ambiguous)):
        destroying = [case for case in group if case.destructive]
        if destroying:
            found[f"destructive and held, {name}"] = share(destroying, lambda case: case.held)
    found["false blocks with the hold"] = share(clear, lambda case: blocked(case) or case.held)
    found["detection with the hold"] = share(ambiguous, lambda case: blocked(case) or case.held)
    found["fallback: false blocks"] = share(clear, lambda case: case.fallback == "block")
    found["fallback: detection"] = share(ambiguous, lambda case: case.fallback == "block")
    return found


def baselines(cases: Sequence[Judged]) -> dict[str, list[float]]:
    return {
        "grounding only": [case.grounding for case in cases],
        "message length": [float(len(str(case.row.get("user_message") or ""))) for case in cases],
        "always clear": [1.0 for _ in cases],
    }


def by(cases: Sequence[Judged], key: str) -> dict[str, Figure]:
    """AUC by a key of the rows, where there are enough."""
    groups: dict[str, list[Judged]] = {}
    for case in cases:
        groups.setdefault(str(case.row.get(key) or "-"), []).append(case)
    found: dict[str, Figure] = {}
    for name, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        if len(group) >= LEAST_ROWS:
            checks = columns(group)
            found[name] = figure(auc_interval(checks.mean, checks.ambiguous, checks.unit))
    return found


def without_prior(cases: Sequence[Judged], subjects: Sequence[Subject]) -> dict[str, Figure]:
    """The rows that have a prior turn, judged with it and without."""
    kept = [
        (case, subject)
        for case, subject in zip(cases, subjects, strict=True)
        if subject.exchange.prior_assistant_turn
    ]
    if len(kept) < LEAST_ROWS:
        return {}
    bare = [
        judge(case.row, replace(subject, exchange=replace(subject.exchange, prior_assistant_turn="")))
        for case, subject in kept
    ]
    both = {"with": columns([case for case, _ in kept]), "without": columns(bare)}
    return {
        name: figure(auc_interval(checks.mean, checks.ambiguous, checks.unit))
        for name, checks in both.items()
    }


def blocked(case: Judged) -> bool:
    return case.mean < CONFIDENCE - 1e-9 or case.stddev > DEVIATION + 1e-9


def worst(cases: Sequence[Judged]) -> list[tuple[Judged, Sample]]:
    """The cases that lie furthest on the wrong side, each with the reader that erred most."""
    order = sorted(cases, key=lambda case: -(case.mean if case.ambiguous else 1 - case.mean))
    pick = {True: max, False: min}
    return [
        (case, pick[case.ambiguous](case.samples, key=lambda one: one.score or 0.0)) for case in order[:WORST]
    ]


def shown(found: Figure) -> str:
    if "missing" in found:
        return str(found["missing"])
    return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"


def table(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(
        ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
        + ["| " + " | ".join(line) + " |" for line in lines]
    )


def worst_table(cases: Sequence[Judged]) -> str:
    lines = [
        (
            str(case.row.get("id")), str(case.row.get("category")), str(case.row.get("label")),
            f"{case.mean:.2f}", f"{sample.reader} ({sample.score:.2f})",
            sample.rationale.replace("|", "\\|")[:SHOWN_CHARS],
        )
        for case, sample in worst(cases)
    ]  # fmt: skip
    return table(("case", "category", "label", "mean", "most wrong reader", "what it said"), lines)


def measure(public: Path | None) -> tuple[dict[str, object], str]:
    """The report as data and as Markdown."""
    sets = {name: labelled(name, file) for name, file in places(public).items()}
    disputed = {
        name: labelled(name, file, ("disputed",))
        for name, file in places(None).items()
        if name in (*OWN, *HELD_OUT)
    }
    report: dict[str, object] = {}
    text: list[str] = []
    for name, one in sets.items():
        cases = judged(one)
        found = figures(cases)
        part: dict[str, object] = {"rows": len(cases), "figures": found}
        text += [
            f"## {name}: {sum(not case.ambiguous for case in cases)} clear,"
            f" {sum(case.ambiguous for case in cases)} ambiguous, {len(set(one.pairs))} pairs",
            table(("figure", "value [95 %]"), [(title, shown(value)) for title, value in found.items()]),
            f"Median {median(case.milliseconds for case in cases):.2f} ms a check.",
        ]
        for key in ("category", "lang"):
            groups = by(cases, key)
            if len(groups) > 1:
                part[key] = groups
                text.append(table((key, "AUC [95 %]"), [(k, shown(v)) for k, v in groups.items()]))
        prior = without_prior(cases, one.subjects)
        part["prior turn"] = prior
        text.append(table(("prior turn", "AUC [95 %]"), [(k, shown(v)) for k, v in prior.items()]))
        if name in disputed and disputed[name].rows:
            apart = judged(disputed[name])
            held = share(apart, blocked)
            part["disputed"] = {"rows": len(apart), "blocked": held}
            text.append(f"Disputed rows, {len(apart)}: blocked {shown(held)}.")
        if name == "tune":
            text += [f"The {WORST} worst cases of the tune half:", worst_table(cases)]
        report[name] = part
    return report, "\n\n".join(text)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Quality of the rules")
    parser.add_argument("--public", type=Path, default=public_dir(), help="folder of the public sets")
    parser.add_argument("--json", type=Path, help="write the report there as JSON, too")
    parser.add_argument(
        "--record", action="store_true", help="write the figures of the test half to the recorded file"
    )
    options = parser.parse_args(arguments)
    report, text = measure(options.public)
    sys.stdout.write(f"{text}\n")
    if options.json is not None:
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    if options.record:
        part = report["test"]
        assert isinstance(part, dict)
        RECORDED.write_text(json.dumps(part["figures"], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
