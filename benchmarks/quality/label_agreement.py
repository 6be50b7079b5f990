"""Krippendorff's alpha for nominal labels: do those who labelled the cases agree beyond chance?

`python benchmarks/quality/label_agreement.py` tells it of the shipped collections: the author's label against the
votes of those who labelled again. Krippendorff 2011, Computing Krippendorff's Alpha-Reliability. Any number of
labellers, gaps allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from rates import DRAWS, resampled

from calibration.cases.sources import CaseRow, case_rows, corpus_dir
from calibration.stats.estimates import Estimate, Floats, TooLittle, clopper_pearson

COLLECTIONS = (("tune", "test"), ("tune-2", "test-2"))
HALF = 5
"""`votes` are of ten."""
SEED = 20_261_122
Labels = Sequence[Sequence[str | None]]
"""The labels of each case, one for each labeller, None where there is none."""


def alpha(cases: Labels) -> float | None:
    """None if no case has two labels, or if all labels are the same: agreement then says nothing."""
    pairs = _coincidences(cases)
    value = float(_alpha(np.ones((1, len(pairs))), pairs)[0]) if len(pairs) else float("nan")
    return value if np.isfinite(value) else None


def alpha_interval(
    cases: Labels, generator: np.random.Generator, draws: int = DRAWS
) -> Estimate | TooLittle | None:
    """Alpha with a percentile interval over resampled cases; `n` counts labels. None as for `alpha`; needs 10 cases.

    Without any disagreement no resample has one either; the low end is then what the Clopper-Pearson bound
    on the share of cases with a disagreement leaves.
    """
    pairs = _coincidences(cases)
    if len(pairs) < 10:
        return TooLittle("cases with two labels", len(pairs), 10)

    def statistic(weights: Floats) -> Floats:
        return _alpha(weights, pairs)

    value = alpha(cases)
    if value is None:
        return None
    ends = resampled(statistic, len(pairs), generator, draws)
    low, high = min(ends[0], value), max(ends[1], value)
    if value >= 1:
        shares = pairs.sum(axis=(0, 1)) / pairs.sum()
        low = 1 - clopper_pearson(0, len(pairs))[1] / float(1 - (shares**2).sum())
    return Estimate(value, low, high, round(float(pairs.sum())), len(pairs))


def _coincidences(cases: Labels) -> Floats:
    """For each case with two labels or more its coincidences, of shape (cases, labels, labels)."""
    counted = [[label for label in case if label is not None] for case in cases]
    names = sorted({label for case in counted for label in case})
    found: list[Floats] = []
    for case in counted:
        if len(case) > 1:
            counts = np.array([case.count(name) for name in names], dtype=np.float64)
            found.append((np.outer(counts, counts) - np.diag(counts)) / (len(case) - 1))
    return np.stack(found) if found else np.zeros((0, len(names), len(names)))


def _alpha(weights: Floats, pairs: Floats) -> Floats:
    """1 - observed over expected disagreement for each row of case weights; NaN if none is expected."""
    cases, size = pairs.shape[:2]
    table = (weights @ pairs.reshape(cases, size * size)).reshape(-1, size, size)
    marginal = table.sum(axis=2)
    total = marginal.sum(axis=1)
    observed = total - np.trace(table, axis1=1, axis2=2)
    expected = total**2 - (marginal**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return cast(Floats, np.where(expected > 0, 1 - (total - 1) * observed / expected, np.nan))


def _labels(row: CaseRow) -> tuple[str | None, ...]:
    votes = row.get("votes")
    voted = None if not isinstance(votes, int) else "clear" if votes > HALF else "ambiguous"
    return cast("str | None", row.get("meant")), voted


def main() -> None:
    for names in COLLECTIONS:
        cases = [
            _labels(row) for name in names for row in case_rows(corpus_dir() / "cases" / f"{name}.jsonl")
        ]
        found = alpha_interval(cases, np.random.default_rng(SEED))
        told = (
            f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
            if isinstance(found, Estimate)
            else found
        )
        print(f"{' and '.join(names)}: {len(cases)} cases, alpha {told}")


if __name__ == "__main__":
    main()
