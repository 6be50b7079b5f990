"""git and the forges read only by proof, whatever stands around an option that nobody knows."""

import json

import pytest
from corpora import corpus
from repository import ROOT

from evaluator.shell.bash import classify
from evaluator.shell.handlers import git

ROWS = [json.loads(line) for line in ROOT.joinpath("fixtures/bash/rows-git.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("program", ["git", "git-lfs", "gh", "glab"])
def test_a_program_has_a_row_per_verdict_and_does_not_read_with_an_unknown_option(program):
    rows = [row for row in ROWS if row["id"].startswith(f"row-{program}-")]
    assert {"read_only", "write"} <= {row["verdict"] for row in rows}
    assert any("--frobnicate" in row["command"] for row in rows)
    assert classify(f"{program} --frobnicate", "/repo").verdict != "read_only"


@corpus("command", sorted(git.COMMANDS))
def test_a_subcommand_of_git_does_not_read_with_an_unknown_option_anywhere(command):
    for words in ("--frobnicate", "a --frobnicate", "-q --frobnicate=x a", "a b c -@"):
        assert classify(f"git {command} {words}", "/repo").verdict != "read_only", words
