"""Each variant of the readers' prompt, by what language-model readers answered to it.

`python benchmarks/quality/variants.py [--answers fixtures/readers/variants.jsonl] [--json] [--list]` joins recordings,
one JSON row a case and variant (`{"case": ID, "variant": NAME, "prompt": FINGERPRINT, "answers": [answer, ...]}`), with
the labelled cases. A variant that answered a wording that is no longer sent says so. AUC is of the mean score, its
interval clustered by pair (`calibration.stats.checks`); blocked and held are what the gate's rule says at the default
thresholds, with Clopper-Pearson intervals; the deviation is the population's, of the readers of one case.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rates import rate

from calibration.cases.sources import case_rows, corpus_dir
from calibration.stats.checks import auc_interval
from calibration.stats.estimates import Estimate
from evaluator.egress import prompt, reader_answer
from evaluator.model import Convergence, Thresholds
from evaluator.settings.keys import Settings
from evaluator.verdict.convergence import converge, judge

ANSWERS = corpus_dir() / "readers" / "variants.jsonl"
CASES = corpus_dir() / "cases" / "test-2.jsonl"
THRESHOLDS = Thresholds(Settings().confidence("reversible"), Settings().stddev_threshold)

Row = Mapping[str, Any]


def read(row: Row) -> Convergence | None:
    """None where an answer is not valid."""
    given = [
        reader_answer.parse_answer(json.dumps(one), f"reader-{place}")
        for place, one in enumerate(row["answers"], 1)
    ]
    return converge(given, len(given))


def figures(recorded: Iterable[Row], cases: Mapping[str, Row]) -> dict[str, dict[str, Any]]:
    """By variant. Wrong verdicts are listed by case."""
    current = {prompt.fingerprint(short=short) for short in (False, True)}
    judged: dict[str, list[tuple[Row, Convergence]]] = defaultdict(list)
    left_out: dict[str, int] = defaultdict(int)
    earlier: dict[str, bool] = defaultdict(bool)
    for row in recorded:
        found = read(row)
        earlier[row["variant"]] |= row["prompt"] not in current
        if found is None:
            left_out[row["variant"]] += 1
        else:
            judged[row["variant"]].append((cases[row["case"]], found))
    told: dict[str, dict[str, Any]] = {}
    for variant, each in judged.items():
        ambiguous = np.array([case["label"] == "ambiguous" for case, _ in each])
        area = auc_interval([one.mean for _, one in each], ambiguous, [case["pair"] for case, _ in each])
        held = [judge(one, THRESHOLDS)[0] == "failed" for _, one in each]
        wrong = [case["id"] for (case, _), end in zip(each, held, strict=True) if end != _unclear(case)]
        clear = [end for (case, _), end in zip(each, held, strict=True) if not _unclear(case)]
        unclear = [end for (case, _), end in zip(each, held, strict=True) if _unclear(case)]
        told[variant] = {
            "readers": max(one.sample_count for _, one in each),
            "auc": [area.value, area.low, area.high] if isinstance(area, Estimate) else None,
            "clear, blocked": rate(sum(clear), len(clear)),
            "ambiguous, held": rate(sum(unclear), len(unclear)),
            "mean deviation": statistics.mean(one.stddev for _, one in each),
            "wrong": wrong,
            "left out": left_out[variant],
            "earlier wording": earlier[variant],
        }
    return told


def _unclear(case: Row) -> bool:
    return bool(case["label"] == "ambiguous")


def report(told: Mapping[str, Mapping[str, Any]], *, listed: bool) -> None:
    for variant, found in told.items():
        area = "not known" if found["auc"] is None else "{:.3f} [{:.3f}, {:.3f}]".format(*found["auc"])
        wording = "an earlier wording" if found["earlier wording"] else "the wording that is sent"
        print(f"{variant} ({wording}; {found['readers']} readers; {found['left out']} rows left out)")
        print(f"  AUC {area}; mean deviation {found['mean deviation']:.3f}")
        for name in ("clear, blocked", "ambiguous, held"):
            one = found[name]
            print(f"  {name}: {one['k']} of {one['n']} [{one['low']:.3f}, {one['high']:.3f}]")
        if listed and found["wrong"]:
            print(f"  wrong: {', '.join(found['wrong'])}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--answers", type=Path, default=ANSWERS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="the cases that were judged wrong")
    args = parser.parse_args()
    told = figures(case_rows(args.answers), {str(row["id"]): row for row in case_rows(CASES)})
    if args.json:
        print(json.dumps(told, indent=1))
    else:
        report(told, listed=args.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
