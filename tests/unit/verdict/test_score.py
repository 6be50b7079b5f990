"""The one score, where it stands to the cuts, and the small file that both are read from."""

import json
import time

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from evaluator.configuration.calibrated import (
    THRESHOLDS_BYTES_MAX,
    Calibrated,
    Certificate,
    as_dict,
    of,
    read_thresholds,
)
from evaluator.model import NO_BLOCK, NO_PASS, Thresholds
from evaluator.verdict.score import Cuts, Score, side, total

CUTS = Cuts(0.8, 1.1, 0.1, 0.05)
WHOLE = Calibrated(
    "anthropic",
    "a-model",
    "print",
    "2026-01-01T00:00:00Z",
    {5: Certificate(Score(), {"": CUTS, "destructive": Cuts(NO_BLOCK, 1.2, 1.0, 0.05)})},
    {5: {"n": 5, "bounds": {"3": 0.1}}},
    {5: Thresholds(0.6, 0.2), 3: Thresholds(0.55, 0.25)},
)


@corpus(
    ("mean", "stddev", "agreement", "score", "expected"),
    [
        (0.8, 0.1, 0.6, Score(), 0.95),
        (0.8, 0.5, 0.6, Score(), 0.95),
        (0.8, 0.1, None, Score(), 1.05),
        (0.8, 0.5, 1.0, Score(0.1, 0.5, 0.2), 0.75),
        (0.8, 0.2, 0.0, Score(0.1, 0.5, 0.2), 0.8),
    ],
)
def test_the_score_is_mean_and_weighted_agreement_less_what_deviates(
    mean, stddev, agreement, score, expected
):
    assert total(mean, stddev, agreement, score) == pytest.approx(expected, abs=1e-12)


@corpus(
    ("at", "expected"),
    [
        (0.8, "zone"),
        (0.8 - 1e-10, "zone"),
        (0.8 - 1e-8, "block"),
        (1.1, "pass"),
        (1.1 - 1e-10, "pass"),
        (1.0999, "zone"),
    ],
)
def test_equality_passes_at_either_cut(at, expected):
    assert side(at, CUTS) == expected


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 1) | st.none())
def test_a_side_that_is_absent_decides_nothing(mean, stddev, agreement):
    at = total(mean, stddev, agreement, Score())
    assert side(at, Cuts(NO_BLOCK, NO_PASS, 1.0, 1.0)) == "zone"


def test_the_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(as_dict(WHOLE)))
    assert read_thresholds(str(path)) == of(as_dict(WHOLE)) == WHOLE
    assert read_thresholds(str(tmp_path / "none.json")) is None


def test_a_class_without_cuts_of_its_own_has_those_of_all():
    held = WHOLE.per_n[5]
    assert held.of_class("modifying") == CUTS
    assert held.of_class("destructive") == held.cuts["destructive"]
    assert Certificate(Score(), {"destructive": CUTS}).of_class("additive") is None


def changed(path, value):
    found = json.loads(json.dumps(as_dict(WHOLE)))
    at = found
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return found


@corpus(
    "broken",
    [
        [],
        {},
        changed(("version",), 1),
        changed(("per_n",), [1]),
        changed(("per_n", "five"), {}),
        changed(("per_n", "5", "cuts"), {}),
        changed(("per_n", "5", "cuts", "every"), {"block": 0.1, "passing": 0.2, "alpha": 0.1, "beta": 0.1}),
        changed(("per_n", "5", "cuts", "", "block"), 1.3),
        changed(("per_n", "5", "cuts", "", "block"), "0.3"),
        changed(("per_n", "5", "cuts", "", "block"), True),
        changed(("per_n", "5", "cuts", "", "block"), float("nan")),
        changed(("per_n", "5", "cuts", "", "passing"), float("inf")),
        changed(("per_n", "5", "cuts", "", "passing"), 10**400),
        changed(("thresholds", "5"), {"confidence": -(10**400), "deviation": 0.1}),
        changed(("per_n", "5", "cuts", "", "alpha"), 1.5),
        changed(("per_n", "5", "cuts", "", "more"), 1.0),
        changed(("per_n", "5", "score"), {"agreement_weight": 0.25}),
        changed(("per_n", "5", "score", "deviation_weight"), -0.1),
        changed(("thresholds", "5"), {"confidence": 2.0, "deviation": 0.1}),
        changed(("model",), 3),
    ],
)
def test_what_is_no_such_file_is_named_and_never_used(tmp_path, broken):
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(broken))
    with pytest.raises(ValueError, match=r"thresholds\.json: "):
        read_thresholds(str(path))


def test_a_file_over_the_bound_is_not_parsed(tmp_path):
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(as_dict(WHOLE)) + " " * THRESHOLDS_BYTES_MAX)
    with pytest.raises(ValueError, match="over 65536 bytes"):
        read_thresholds(str(path))


def test_reading_takes_no_longer_with_a_large_calibration_beside_it(tmp_path):
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(as_dict(WHOLE)))

    def quickest():
        spent = []
        for _ in range(30):
            started = time.perf_counter()
            read_thresholds(str(path))
            spent.append(time.perf_counter() - started)
        return min(spent)

    alone = quickest()
    (tmp_path / "calibration.json").write_text(
        json.dumps({"cases": [{"id": str(n)} for n in range(200_000)]})
    )
    assert quickest() < 3 * alone
