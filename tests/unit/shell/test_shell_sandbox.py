"""The commands that `make full` runs are rows that read, word for word, and the classifier says so."""

from __future__ import annotations

import json

from repository import ROOT

from evaluator.shell.bash import classify

BASH = ROOT / "fixtures/bash"
ROWS = [json.loads(line) for line in (BASH / "sandbox.jsonl").read_text().splitlines()]
COUNT = 1371


def reading() -> dict[str, str]:
    """{file and id: command} of every row that is labelled as reading."""
    found = {}
    for path in (*sorted(BASH.glob("*.jsonl")), BASH / "first-sight/reads.jsonl"):
        for line in path.read_text().splitlines() if path.name != "sandbox.jsonl" else ():
            row = json.loads(line)
            if path.name == "reads.jsonl" or (row["verdict"] == "read_only" and row["family"] != "evasion"):
                found[f"{path.stem}/{row['id']}"] = row["command"]
    return found


def test_each_command_is_a_row_that_is_labelled_as_reading() -> None:
    labelled = reading()
    assert [row["id"] for row in ROWS if labelled.get(row["id"]) != row["command"]] == []


def test_the_classifier_says_that_each_reads() -> None:
    assert [row["id"] for row in ROWS if classify(row["command"], "/repo").verdict != "read_only"] == []


def test_each_command_stands_once_and_names_its_programs() -> None:
    assert len({row["id"] for row in ROWS}) == len({row["command"] for row in ROWS}) == len(ROWS)
    assert [row["id"] for row in ROWS if any(name not in row["command"] for name in row["programs"])] == []


def test_the_list_does_not_shrink() -> None:
    assert len(ROWS) == COUNT
