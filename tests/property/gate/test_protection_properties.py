"""However a command against the gate is wrapped, spelled and joined, self-protection sees it."""

import json

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT
from running.guarded import Guarded
from samples.protected_lines import EXPANSIONS, WRAPPERS, lines

from evaluator.shell.rows.tables import field_of

SPELLED = (
    "~/.onlooker/compass",
    "~/.onlooker",
    "$HOME/.onlooker/compass",
    '"${HOME}"/.onlooker/compass',
    "~/.onl*",
    "~/.onlooker/c*",
    "~/{.onlooker,x}/compass",
    "../.onlooker/compass",
    "./../.onlooker/compass/compass.db",
    ".claude/settings.local.json",
    "./.claude",
    "linked/compass.db",
)
HARMS = ("rm -rf {}", "rm -r -f -- {}", "shred -u {}", "mv {} /tmp/x", "chmod -R 000 {}")
BEFORE = (
    "",
    "cd src && cd .. && ",
    "ls; ",
    "true && ",
    "git status && ",
    "cat README.md | wc -l; ",
    "mkdir -p dist && ",
)
AFTER = ("", " && echo done", "; ls", " || true", " 2>/dev/null")
QUOTES = ("'", '"')
INNER = ("rm -rf src", "rm -rf dist", "rm x")
CALLED = {
    row["command"].replace(inner, "{}")
    for row in map(json.loads, (ROOT / "fixtures/bash/rows-run.jsonl").read_text().splitlines())
    for inner in INNER
    if inner in row["command"] and " -C " not in row["command"] and " -D " not in row["command"]
}
"""How each program that runs another is called."""
LINES_OF_NAMES = {"npm-run-all", "run-p", "run-s", "sudoedit"}
"""They take names of scripts, or of files."""
FORMS = tuple(
    form
    for form in (*lines(WRAPPERS), *lines(EXPANSIONS), *sorted(CALLED), "{}")
    # Two of a kind would end each other's quotation, and what they stand for is not the command any more.
    if not form.endswith("&") and not form.startswith("BASH_ENV")
)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    return Guarded(tmp_path_factory.mktemp("guarded"))


def fits(form, command):
    """Whether the command can stand there: quotation inside of the same quotation would end it."""
    before = form.partition("{}")[0]
    return not any(before.count(quote) % 2 and quote in command for quote in QUOTES)


def test_each_wrapper_is_among_the_forms():
    named = {form.split()[0] for form in CALLED}
    assert set(field_of("wrappers").programs) - named - LINES_OF_NAMES == set()


@corpus("form", sorted(CALLED))
def test_no_program_that_runs_another_hides_the_state_folder(guarded, form):
    assert guarded.bash(form.replace("{}", "rm -rf ~/.onlooker/compass"))


@given(
    place=st.sampled_from(SPELLED),
    harm=st.sampled_from(HARMS),
    form=st.sampled_from(FORMS),
    before=st.sampled_from(BEFORE),
    after=st.sampled_from(AFTER),
)
def test_no_wrapper_and_no_spelling_hides_a_protected_place(guarded, place, harm, form, before, after):
    command = harm.format(place)
    if not fits(form, command):
        return
    line = before + form.replace("{}", command + after if form == "{}" else command)
    assert guarded.bash(line), line


@given(
    harm=st.sampled_from(HARMS),
    form=st.sampled_from(FORMS),
    before=st.sampled_from(BEFORE),
    place=st.sampled_from(("build", "src/old.py", "./dist/a.js", "~/notes.txt", "/tmp/x/y")),
)
def test_the_same_with_another_place_is_no_offence(guarded, harm, form, before, place):
    line = before + form.replace("{}", harm.format(place))
    assert guarded.bash(line) == "", line
