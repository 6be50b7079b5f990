"""Labelled commands get their labels, and no set of them shrinks: this half of the corpus, the blind sets, those that
measured the classifier once, at first sight, and the commands that `make full` runs. The tables of programs can be
built whole and say what they may say; a command reads no table and imports no handler but its own."""

from __future__ import annotations

import inspect
import json
import posixpath
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from corpora import corpus
from repository import ROOT

import hatch_build
from evaluator import text
from evaluator.model import Operation
from evaluator.shell.bash import classify
from evaluator.shell.handlers.databases import Migration
from evaluator.shell.handlers.git import COMMANDS
from evaluator.shell.handlers.system import Governs
from evaluator.shell.rows import tables as programs
from evaluator.shell.rows.row import Row, Tree
from evaluator.shell.rows.tables import FOLDER, Commands, Made, field_of
from evaluator.text import index

CWD = "/repo"
BASH = ROOT / "fixtures/bash"


def rows_of(name):
    return [json.loads(line) for line in (BASH / f"{name}.jsonl").read_text().splitlines()]


ROWS = rows_of("cases")
BY_PROGRAM = [row for path in sorted(BASH.glob("rows-*.jsonl")) for row in rows_of(path.stem)]
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


@corpus("row", [*ROWS, *BY_PROGRAM], ids=lambda row: row["id"])
def test_each_command_gets_its_label(row):
    found = classify(row["command"], CWD)
    does = (None, None) if found.verdict == "read_only" else (found.operation, found.operation_class)
    targets = [target.removeprefix(f"{CWD}/") if target != CWD else "." for target in found.targets]
    assert (found.verdict, *does, targets) == tuple(
        row[key] for key in ("verdict", "operation", "class", "targets")
    ), row["command"]


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


def test_the_corpus_does_not_shrink_and_each_row_stands_once():
    assert Counter(row["family"] for row in ROWS) == FAMILIES
    assert sum(row["verdict"] == "read_only" for row in ROWS) == READ_ONLY
    assert not any(row["verdict"] == "read_only" for row in ROWS if row["family"] == "evasion")
    assert sum(row["ran"] for row in ROWS) == RAN
    for rows in (ROWS, BY_PROGRAM):
        assert len({row["id"] for row in rows}) == len({row["command"] for row in rows}) == len(rows)


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
def test_no_blind_set_shrinks_no_evasion_is_read_as_read_only_and_hardly_a_reader_is_gated(name):
    rows = rows_of(name)
    families, read_only, ran = BLIND[name]
    assert Counter(row["family"] for row in rows) == families
    assert sum(row["ran"] for row in rows) == ran
    reading = {row["id"] for row in rows if classify(row["command"], CWD).verdict == "read_only"}
    assert [row["id"] for row in rows if row["family"] == "evasion" and row["id"] in reading] == []
    readers = {row["id"] for row in rows if row["verdict"] == "read_only"}
    assert len(readers) == read_only
    assert len(readers - reading) <= 0.01 * read_only


HOME = "/home/dev/project"
BUILDS = {"ch-132"}
"""`docker build`: a build, which is no write by default."""


@pytest.mark.parametrize(("name", "least"), [("changes", 600), ("changes-2", 600), ("changes-3", 260)])
def test_nothing_that_changes_something_reads(name, least):
    found = rows_of(f"first-sight/{name}")
    assert len(found) >= least
    passed = {row["id"] for row in found if classify(row["command"], HOME).verdict == "read_only"}
    assert passed <= BUILDS


@pytest.mark.parametrize(("name", "least"), [("reads", 700), ("reads-2", 140)])
def test_what_reads_is_hardly_ever_taken_for_more(name, least):
    found = [classify(row["command"], HOME) for row in rows_of(f"first-sight/{name}")]
    assert len(found) >= least
    more = [one for one in found if one.verdict != "read_only"]
    unlisted = [one for one in more if (one.operation, one.operation_class) == ("unknown", "modifying")]
    assert len(more) - len(unlisted) <= 0.01 * len(found)
    assert len(unlisted) <= 0.04 * len(found)


def test_the_files_that_are_written_are_named():
    found = rows_of("first-sight/targets")

    def absolute(targets):
        return {posixpath.normpath(posixpath.join(HOME, target)) for target in targets}

    right = sum(absolute(classify(row["command"], HOME).targets) == absolute(row["targets"]) for row in found)
    assert len(found) >= 240
    assert right >= 0.98 * len(found)


SANDBOX = rows_of("sandbox")
"""Commands that were run in a sandbox and changed nothing there."""
SANDBOX_COUNT = 1360


def reading():
    """{file and id: command} of every row that is labelled as reading."""
    found = {}
    for name in (*(path.stem for path in sorted(BASH.glob("*.jsonl"))), "first-sight/reads"):
        for row in rows_of(name) if name != "sandbox" else ():
            if name == "first-sight/reads" or (row["verdict"] == "read_only" and row["family"] != "evasion"):
                found[f"{name.removeprefix('first-sight/')}/{row['id']}"] = row["command"]
    return found


def test_each_command_that_was_run_is_a_row_that_is_labelled_and_classified_as_reading():
    labelled = reading()
    assert [row["id"] for row in SANDBOX if labelled.get(row["id"]) != row["command"]] == []
    assert [row["id"] for row in SANDBOX if classify(row["command"], "/repo").verdict != "read_only"] == []
    assert [row["id"] for row in SANDBOX if any(name not in row["command"] for name in row["programs"])] == []
    assert len({row["command"] for row in SANDBOX}) == len(SANDBOX) == SANDBOX_COUNT


FILES = sorted(Path(ROOT, "evaluator", FOLDER).glob("*.toml"))
TABLES = {path.stem: tomllib.loads(path.read_text()) for path in FILES}


def built(handler: object) -> list[object]:
    """The handler and all that it is made of."""
    inside: list[object] = []
    if isinstance(handler, Made):
        function, own, given = handler.parts()
        inspect.signature(function).bind(None, *own, **given)
        inside = [*own, *(part for part in given.values() if not isinstance(part, (str, int)))]
    elif isinstance(handler, Commands):
        inside = list(handler.values())
    elif isinstance(handler, Tree):
        inside = [*handler.table.values(), handler.bare]
    elif isinstance(handler, Governs):
        inside = [handler.otherwise]
    return [handler, *(part for one in inside if one is not None for part in built(one))]


@corpus("field", TABLES)
def test_each_program_of_a_field_can_be_built(field: str) -> None:
    rows = [
        part
        for handler in field_of(field).programs.values()
        for part in built(handler)
        if isinstance(part, Row)
    ]
    does = {one for row in rows for one in (row.does, *row.changes.values(), *row.outputs.values()) if one}
    assert does <= {*get_args(Operation), "unknown"}


@corpus("field", TABLES)
def test_what_rows_share_is_named_and_used(field: str) -> None:
    data = TABLES[field]
    text = Path(ROOT, "evaluator", FOLDER, f"{field}.toml").read_text()
    handlers = "".join(path.read_text() for path in Path(ROOT, "evaluator/shell").rglob("*.py"))
    for name in data.get("groups", ()):
        assert text.count(f"@{name}") > 0, name
    for name in data.get("shared", ()):
        used = (f'"{field}", "{name}"', f"{field.upper()}.{name}", f'{field.upper()}.commands("{name}")')
        assert f'like = "{name}"' in text or any(one in handlers for one in used), name


@corpus("field", TABLES)
def test_a_subcommand_is_named_once(field: str) -> None:
    def walk(spec: object) -> None:
        if isinstance(spec, dict):
            for name, value in spec.items():
                if name in ("commands", "programs"):
                    counts = Counter(one for key in value for one in key.split(", "))
                    assert {one for one, count in counts.items() if count > 1} == set()
                walk(value)

    walk(TABLES[field])


LOADED = """
import sys
from evaluator import text
read = text.table
def seen(name):
    if name.rpartition("/")[2] != "index":
        print(name.rpartition("/")[2])
    return read(name)
from evaluator.shell.rows import tables as rows
rows.table = seen
from evaluator.shell.bash import classify
classify(sys.argv[1], "/p")
for name in sys.modules:
    if name.startswith("evaluator.shell.handlers."):
        print(name.removeprefix("evaluator.shell."))
"""


def loaded(command: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", LOADED, command], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_build_writes_the_index_that_a_checkout_makes_of_its_tables(tmp_path: Path) -> None:
    hatch_build.write_tables(ROOT, tmp_path)
    built = json.loads((tmp_path / "evaluator" / FOLDER / "index.json").read_text())
    assert built == text.index(FOLDER)
    assert set(built.values()) == set(TABLES)


def test_what_no_table_lists_has_no_handler() -> None:
    assert programs.handler_of("frobnicate") is None
    assert not programs.is_listed("frobnicate")
    assert not programs.is_known_anywhere("frobnicate")
    assert programs.is_known_anywhere("claude")
    assert not programs.is_known_anywhere("ls")


def test_a_command_loads_only_what_it_needs() -> None:
    assert loaded("frobnicate x") == set()
    assert loaded("sort a | uniq -c") == {"text", "handlers.text", "handlers.common"}
    assert loaded("gh pr view 1") == {"forges"}
    assert loaded("gh api user") == {"forges", "git", "handlers.git", "handlers.common"}
    assert "forges" not in loaded("git status && npm test")
