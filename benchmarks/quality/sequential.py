"""Sequential sampling on held-out cases: `python benchmarks/quality/sequential.py TUNE.jsonl TEST.jsonl`.

The risk table comes from the embedded readers' scores on the first file, and is played on the second through the rule
that the gate uses. Their readers are five fixed views, not draws of one kind, so each case is played in every order in
which they could have been asked. Simulated readers are in `calibration_simulation.py`. Upper bounds: Clopper-Pearson,
95 %, one-sided, over pairs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.cases.corpus import rows
from calibration.cases.subjects import subject_of
from calibration.stats.checks import Measured
from calibration.stats.sequential import Savings, evaluate, risk_table, simulated
from compass.joining.shell import classify
from evaluator.model import Thresholds
from evaluator.readers.embedded import EmbeddedReaders

THRESHOLDS = Thresholds(0.65, 0.20)
MIN_VALID = 3
SEED = 20_261_122


def measured(row: Mapping[str, object]) -> Measured:
    samples = EmbeddedReaders().collect(subject_of(row, classify), 30.0)
    scores = tuple(sample.score for sample in samples if sample.score is not None)
    name = str(row.get("id"))
    return Measured(name, str(row.get("pair") or name), row.get("label") == "ambiguous", scores)


def read(path: str) -> list[Measured]:
    return [measured(row) for row in rows(Path(path)) if row.get("label") in ("clear", "ambiguous")]


def in_every_order(checks: Sequence[Measured]) -> tuple[NDArray[np.float64], list[str]]:
    orders = [(order, check.unit) for check in checks for order in permutations(check.scores)]
    return np.array([order for order, _ in orders]), [unit for _, unit in orders]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tune")
    parser.add_argument("test")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    tune, test = read(args.tune), read(args.test)
    generator = np.random.default_rng(SEED)
    drawn = simulated(tune, len(tune[0].scores), generator)
    if not isinstance(drawn, np.ndarray):
        print(f"too little to fit a risk table: {drawn}", file=sys.stderr)
        return 1
    table = risk_table(drawn, THRESHOLDS, min_valid_samples=MIN_VALID)
    scores, units = in_every_order(test)
    found = evaluate(scores, units, table, min_valid_samples=MIN_VALID)
    assert isinstance(found, Savings), found
    document = {
        "cases": len(test),
        "units": found.units,
        "share_of_calls": found.share,
        "different_verdicts": found.different,
        "upper": found.upper,
        "table": table.as_dict(),
    }
    if args.json:
        print(json.dumps(document, indent=1))
    else:
        print(f"{len(test)} cases, {found.units} pairs: {found.share:.1%} of the calls of fixed n;")
        print(f"different verdicts {found.different:.2%}, at most {found.upper:.2%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
