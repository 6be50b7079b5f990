"""Sets that measured the classifier once, at first sight, and keep what was mended since."""

import json
import posixpath

import pytest
from repository import ROOT

from evaluator.shell.bash import classify

FOLDER = ROOT / "fixtures" / "bash" / "first-sight"
CWD = "/home/dev/project"
BUILDS = {"ch-132"}
"""`docker build`: a build, which is no write by default."""


def rows(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(("name", "least"), [("changes", 600), ("changes-2", 600), ("changes-3", 260)])
def test_nothing_that_changes_something_reads(name, least):
    found = rows(name)
    assert len(found) >= least
    passed = {row["id"] for row in found if classify(row["command"], CWD).verdict == "read_only"}
    assert passed <= BUILDS


@pytest.mark.parametrize(("name", "least"), [("reads", 700), ("reads-2", 140)])
def test_what_reads_is_hardly_ever_taken_for_more(name, least):
    found = [classify(row["command"], CWD) for row in rows(name)]
    assert len(found) >= least
    more = [one for one in found if one.verdict != "read_only"]
    unlisted = [one for one in more if (one.operation, one.operation_class) == ("unknown", "modifying")]
    assert len(more) - len(unlisted) <= 0.01 * len(found)
    assert len(unlisted) <= 0.04 * len(found)


def test_the_files_that_are_written_are_named():
    found = rows("targets")

    def absolute(targets):
        return {posixpath.normpath(posixpath.join(CWD, target)) for target in targets}

    right = sum(absolute(classify(row["command"], CWD).targets) == absolute(row["targets"]) for row in found)
    assert len(found) >= 240
    assert right >= 0.98 * len(found)
