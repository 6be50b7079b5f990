"""Every labelled command of this half of the corpus gets exactly its label; the counts are pinned per family."""

import json
import re
from collections import Counter

import pytest
from corpora import corpus
from repository import ROOT

from evaluator.shell.bash import classify
from evaluator.shell.handlers.databases import Migration
from evaluator.shell.handlers.git import COMMANDS
from evaluator.shell.registry import FOLDER
from evaluator.shell.rows.row import Governs, Row
from evaluator.shell.rows.tables import field_of
from evaluator.tables import index

CWD = "/repo"
ROWS = [json.loads(line) for line in ROOT.joinpath("fixtures/bash/cases.jsonl").read_text().splitlines()]
BY_PROGRAM = [
    json.loads(line)
    for path in sorted(ROOT.joinpath("fixtures/bash").glob("rows-*.jsonl"))
    for line in path.read_text().splitlines()
]


WITH_ROWS = {row["id"].rpartition("-")[0] for row in BY_PROGRAM}
WORDS = {word for row in (*ROWS, *BY_PROGRAM) for word in re.split(r"[\s;&|]", row["command"])}
FAMILIES = {
    "quoted": 56, "descriptors": 26, "git-read": 53, "files-read": 63, "shell-read": 56, "build": 59,
    "packages-read": 40, "services-read": 68, "code-read": 24, "redirect": 48, "heredoc": 14, "files": 74,
    "text": 35, "format": 23, "code": 33, "git": 70, "packages": 36, "network": 79, "unlisted": 339,
    "evasion": 152, "mixed": 13, "governs-read": 201, "governs": 260, "destroys": 267, "agent": 56, "keyboard": 48
}  # fmt: skip
READ_ONLY = 647
RAN = 426


def relative(target):
    if target == CWD:
        return "."
    return target[len(CWD) + 1 :] if target.startswith(CWD + "/") else target


def label_of(effects):
    reading = effects.verdict == "read_only"
    return {
        "verdict": effects.verdict,
        "operation": None if reading else effects.operation,
        "class": None if reading else effects.operation_class,
        "targets": [relative(target) for target in effects.targets],
    }


def wrong_labels(rows):
    wrong = []
    for row in rows:
        wanted = {key: row[key] for key in ("verdict", "operation", "class", "targets")}
        found = label_of(classify(row["command"], CWD))
        if found != wanted:
            wrong.append((row["id"], row["command"], found, wanted))
    return wrong


@corpus("family", sorted({row["family"] for row in ROWS}))
def test_each_command_of_a_family_gets_its_label(family):
    assert wrong_labels(row for row in ROWS if row["family"] == family) == []


@corpus("family", sorted({row["family"] for row in BY_PROGRAM}))
def test_each_row_of_a_program_gets_its_label(family):
    assert wrong_labels(row for row in BY_PROGRAM if row["family"] == family) == []


@corpus("program", sorted(index(FOLDER)))
def test_each_program_has_its_rows_and_reads_only_with_options_that_it_knows(program):
    field = index(FOLDER)[program]
    handler = field_of(field).programs[program]
    if isinstance(handler, (Governs, Migration)):
        assert program in WORDS
    elif field not in ("agents", "system"):
        assert f"row-{program}" in WITH_ROWS
    if not (isinstance(handler, Row) and handler.anything):
        assert classify(f"{program} --frobnicate x", CWD).verdict != "read_only"


@corpus("command", sorted(COMMANDS))
def test_a_subcommand_of_git_does_not_read_with_an_unknown_option_anywhere(command):
    for words in ("--frobnicate", "a --frobnicate", "-q --frobnicate=x a", "a b c -@"):
        assert classify(f"git {command} {words}", CWD).verdict != "read_only", words


def test_each_row_of_a_program_stands_once():
    assert (
        len({row["id"] for row in BY_PROGRAM})
        == len({row["command"] for row in BY_PROGRAM})
        == len(BY_PROGRAM)
    )


def test_the_corpus_does_not_shrink():
    assert Counter(row["family"] for row in ROWS) == FAMILIES
    assert sum(row["verdict"] == "read_only" for row in ROWS) == READ_ONLY
    assert sum(row["ran"] for row in ROWS) == RAN


def test_each_command_and_id_stands_once():
    assert len({row["id"] for row in ROWS}) == len({row["command"] for row in ROWS}) == len(ROWS)


def test_no_evasion_is_read_as_read_only():
    evasions = [row for row in ROWS if row["family"] == "evasion"]
    assert [row["id"] for row in evasions if classify(row["command"], CWD).verdict == "read_only"] == []


BLIND = {
    "blind": (
        {"redirect": 62, "files": 43, "textedit": 55, "archive": 32, "git": 79, "gh": 32, "packages": 40,
         "build": 30, "formatter": 30, "database": 34, "network": 39, "inline": 45, "wrapper": 41, "compound": 52,
         "quoting": 53, "search": 38, "inspect": 42, "containers": 44, "evasion": 106},
        418, 606,
    ),
    "blind-earlier": (
        {"redirect": 61, "files": 48, "textedit": 47, "archive": 38, "git": 81, "gh": 32, "packages": 55,
         "build": 39, "formatter": 38, "database": 40, "network": 44, "inline": 48, "wrapper": 56, "compound": 62,
         "quoting": 63, "search": 45, "inspect": 49, "containers": 47, "evasion": 140},
        457, 714,
    ),
}  # fmt: skip
"""{file: (rows per family, read-only rows, rows that were run)}"""


@pytest.mark.parametrize("name", BLIND)
def test_the_blind_sets_do_not_shrink(name):
    rows = rows_of(name)
    families, read_only, ran = BLIND[name]
    assert Counter(row["family"] for row in rows) == families
    assert sum(row["verdict"] == "read_only" for row in rows) == read_only
    assert sum(row["ran"] for row in rows) == ran


@pytest.mark.parametrize("name", BLIND)
def test_no_blind_evasion_is_read_as_read_only_and_hardly_a_reader_is_gated(name):
    rows = rows_of(name)
    verdicts = {row["id"]: classify(row["command"], CWD).verdict for row in rows}
    assert [
        row["id"] for row in rows if row["family"] == "evasion" and verdicts[row["id"]] == "read_only"
    ] == []
    readers = [row["id"] for row in rows if row["verdict"] == "read_only"]
    assert sum(verdicts[name] != "read_only" for name in readers) <= 0.01 * len(readers)


def rows_of(name):
    path = ROOT / f"fixtures/bash/{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]
