"""The figures of the embedded readers on the test half do not fall below the recorded ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TypedDict

import numpy as np
import pytest
from repository import ROOT

from calibration.cases.corpus import corpus_dir, rows
from calibration.cases.subjects import subject_of
from calibration.stats.roc import auc
from evaluator.model import Thresholds
from evaluator.readers.embedded import judge_fallback
from evaluator.readers.embedded.case import case_of
from evaluator.readers.embedded.evaluator import FAMILIES, fired, samples_of
from evaluator.readers.kinds import embedded
from evaluator.shell.bash import classify
from evaluator.verdict.convergence import converge, passes

DEFAULTS = Thresholds(0.65, 0.20)


class Figure(TypedDict):
    value: float
    low: float
    high: float


RECORDED: dict[str, Figure] = json.loads(
    (ROOT / "benchmarks" / "quality" / "embedded_quality.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def judged() -> list[tuple[str, float, str]]:
    """(label, mean, what the fallback decides) of each row: totals only are asserted, no row is shown."""
    found: list[tuple[str, float, str]] = []
    for row in rows(corpus_dir() / "cases" / "test.jsonl"):
        subject = subject_of(row, classify)
        convergence = converge(samples_of(case_of(subject), holding=False), 3)
        assert convergence is not None
        found.append((str(row["label"]), convergence.mean, judge_fallback(subject, holding=False).decision))
    return found


def test_the_area_under_the_curve_stays_within_the_recorded_interval_or_above(
    judged: list[tuple[str, float, str]],
) -> None:
    means = {label: [mean for each, mean, _ in judged if each == label] for label in ("clear", "ambiguous")}
    value = auc(np.array(means["ambiguous"]), np.array(means["clear"]))
    assert value is not None and value >= RECORDED["AUC"]["low"]


def test_the_fallback_blocks_no_more_clear_rows_than_recorded(judged: list[tuple[str, float, str]]) -> None:
    decided = [decision == "block" for label, _, decision in judged if label == "clear"]
    assert sum(decided) / len(decided) <= RECORDED["fallback: false blocks"]["high"]


def test_the_fallback_finds_no_fewer_ambiguous_rows_than_recorded(
    judged: list[tuple[str, float, str]],
) -> None:
    decided = [decision == "block" for label, _, decision in judged if label == "ambiguous"]
    assert sum(decided) / len(decided) >= RECORDED["fallback: detection"]["low"]


def test_the_chosen_readers_block_no_more_clear_rows_than_recorded(
    judged: list[tuple[str, float, str]],
) -> None:
    blocked = [mean < DEFAULTS.confidence for label, mean, _ in judged if label == "clear"]
    assert sum(blocked) / len(blocked) <= RECORDED["false blocks"]["high"]


def test_what_a_rule_says_of_itself_is_counted_on_the_development_rows() -> None:
    own = [Path(__file__).parent / f"embedded_{name}.jsonl" for name in ("cases", "pairs")]
    halves = [corpus_dir() / "cases" / f"{name}.jsonl" for name in ("tune", "tune-2")]
    hits, every = Counter[str](), Counter[str]()
    for row in (
        row for file in (*own, *halves) for row in rows(file) if row["label"] in ("clear", "ambiguous")
    ):
        for rule, _ in fired(case_of(subject_of(row, classify))).values():
            every[rule.name] += 1
            hits[rule.name] += row["label"] == "ambiguous"
    told = {rule.name: (rule.hits, rule.n) for family in FAMILIES.values() for rule in family.each}
    assert told == {name: (hits[name], every[name]) for name in told}


def test_what_people_are_told_of_rules_is_what_they_do_on_both_test_halves() -> None:
    blocked: dict[str, list[bool]] = {"clear": [], "ambiguous": []}
    for half in ("test", "test-2"):
        for row in rows(corpus_dir() / "cases" / f"{half}.jsonl"):
            if row["label"] in blocked:
                convergence = converge(samples_of(case_of(subject_of(row, classify)), holding=False), 3)
                assert convergence is not None
                blocked[str(row["label"])].append(not passes(convergence, DEFAULTS))
    assert (sum(blocked["ambiguous"]), len(blocked["ambiguous"])) == (embedded.FOUND, embedded.UNCLEAR)
    assert (sum(blocked["clear"]), len(blocked["clear"])) == (embedded.WRONG, embedded.CLEAR)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    told = "one unclear write in eight (40 of 308 test cases) and block one clear write in 25 (14 of 351)"
    assert told in readme and told.replace("eight", "8") in embedded.FINDS
