"""Self-protection behind every program that runs another: the corpus says how each is called."""

import json

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT
from running.guarded import Guarded

from evaluator.shell.rows.tables import field_of

FIXTURE = ROOT / "fixtures/bash/rows-run.jsonl"
INNER = ("rm -rf src", "rm -rf dist", "rm x")
HARMS = ("rm -rf {}", "shred -u {}", "mv {} /tmp/x", "chmod -R 000 {}")
PLACES = (
    "~/.onlooker/compass",
    "$HOME/.onlooker",
    "~/.onl*",
    ".claude/settings.local.json",
    "linked/compass.db",
)
ROWS = [json.loads(line) for line in FIXTURE.read_text().splitlines()]
FORMS = sorted(
    row["command"].replace(inner, "{}")
    for row in ROWS
    for inner in INNER
    if inner in row["command"] and " -C " not in row["command"] and " -D " not in row["command"]
)
LINES_OF_NAMES = {"npm-run-all", "run-p", "run-s", "sudoedit"}
"""They take names of scripts, or of files."""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    return Guarded(tmp_path_factory.mktemp("guarded"))


def test_each_wrapper_is_among_the_forms():
    named = {form.split()[0] for form in FORMS}
    assert set(field_of("wrappers").programs) - named - LINES_OF_NAMES == set()


@corpus("form", FORMS)
def test_no_wrapper_hides_the_state_folder(guarded, form):
    line = form.replace("{}", "rm -rf ~/.onlooker/compass")
    assert guarded.bash(line), line


@given(form=st.sampled_from(FORMS), harm=st.sampled_from(HARMS), place=st.sampled_from(PLACES))
def test_no_wrapper_hides_another_place_or_harm(guarded, form, harm, place):
    line = form.replace("{}", harm.format(place))
    assert guarded.bash(line), line
