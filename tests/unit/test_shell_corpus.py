"""Every labelled command of this half of the corpus gets exactly its label; the counts are pinned per family."""

import json
from collections import Counter
from pathlib import Path

import pytest

from evaluator.stages.bash import classify

CWD = "/repo"
ROWS = [
    json.loads(line)
    for line in Path(__file__).parents[2].joinpath("fixtures/bash/cases.jsonl").read_text().splitlines()
]
FAMILIES = {
    "quoted": 56, "descriptors": 26, "git-read": 43, "files-read": 54, "shell-read": 46, "build": 45,
    "packages-read": 23, "services-read": 44, "code-read": 20, "redirect": 42, "heredoc": 14, "files": 72,
    "text": 31, "format": 16, "code": 30, "git": 66, "packages": 28, "network": 50, "unlisted": 23,
    "evasion": 118, "mixed": 12,
}  # fmt: skip
READ_ONLY = 357
RAN = 413


def relative(target):
    if target == CWD:
        return "."
    return target[len(CWD) + 1 :] if target.startswith(CWD + "/") else target


def label_of(effect):
    reading = effect.verdict == "read_only"
    return {
        "verdict": effect.verdict,
        "operation": None if reading else effect.operation,
        "class": None if reading else effect.operation_class,
        "targets": [relative(target) for target in effect.targets],
    }


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_command_gets_its_label(row):
    wanted = {key: row[key] for key in ("verdict", "operation", "class", "targets")}
    assert label_of(classify(row["command"], CWD)) == wanted, row["command"]


def test_the_corpus_does_not_shrink():
    assert Counter(row["family"] for row in ROWS) == FAMILIES
    assert sum(row["verdict"] == "read_only" for row in ROWS) == READ_ONLY
    assert sum(row["ran"] for row in ROWS) == RAN


def test_each_command_and_id_stands_once():
    assert len({row["id"] for row in ROWS}) == len({row["command"] for row in ROWS}) == len(ROWS)


def test_no_evasion_is_read_as_read_only():
    evasions = [row for row in ROWS if row["family"] == "evasion"]
    assert [row["id"] for row in evasions if classify(row["command"], CWD).verdict == "read_only"] == []
