"""What is called reading reads: each command of `fixtures/bash/sandbox.jsonl` runs in a sandbox and changes nothing.

The list is what runs; every line of it was read before it was put there. No command of another set ever runs. Every
path below the folders that a command can write to counts, with its mode, its content or link, and a file's time of
change; `.git` without an exception. Not in the list: what imports the project's modules, for that leaves bytecode.
"""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

import pytest
from full.sandbox import Sandbox, changes
from full.tally import TALLY
from repository import ROOT

pytestmark = pytest.mark.full

LISTED = ROOT / "fixtures/bash/sandbox.jsonl"
NOT_FOUND = 127
LEAST = 0.95
"""The share of the rows that ran which must end as recorded: a command that fails at once proves nothing."""


class Listed(TypedDict):
    """A line of the list. `exit` where it is not 0."""

    id: str
    command: str
    programs: list[str]
    exit: NotRequired[int]


ROWS: list[Listed] = [json.loads(line) for line in LISTED.read_text().splitlines()]


@pytest.fixture(scope="module")
def absent(sandbox: Sandbox) -> set[str]:
    """Every program of the list that this machine lacks."""
    programs = " ".join(sorted({program for row in ROWS for program in row["programs"]}))
    return set(
        sandbox.run(f"for p in {programs}; do command -v $p >/dev/null || echo $p; done").stdout.split()
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_that_reads_changes_nothing(row: Listed, sandbox: Sandbox, absent: set[str]) -> None:
    lacking = [program for program in row["programs"] if program in absent]
    if lacking:
        reason = f"no {lacking[0]} here"
        TALLY.not_run[reason] += 1
        pytest.skip(reason)

    before = sandbox.digest()
    ran = sandbox.run(row["command"])
    assert changes(before, sandbox.digest()) == [], row["command"]

    assert ran.code != NOT_FOUND, f"{row['command']}: a program is not named in the row: {ran.stderr}"
    if ran.code == row.get("exit", 0):
        TALLY.read += 1
    else:
        TALLY.otherwise.append(f"{row['id']}: {row['command']} (exit {ran.code}) {ran.stderr.strip()[:200]}")


def test_nearly_every_row_ended_as_recorded(sandbox: Sandbox) -> None:
    ran = TALLY.read + len(TALLY.otherwise)
    if ran + TALLY.not_run.total() < len(ROWS):
        pytest.skip("only some of the rows were asked for")
    assert TALLY.read >= LEAST * ran > 0, TALLY.otherwise
