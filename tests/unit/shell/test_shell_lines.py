"""The parse, held against bash's own: the commands of a text, their words, their folder, and what feeds them."""

import pytest
from lines import understood
from lines.compared import CWD, compare, seen, told_apart
from lines.made import Made

LINES = 2500
REFUSED_MAX = 0.005
"""Of these lines, which are odder than any that somebody writes."""

pytestmark = pytest.mark.skipif(bool(understood.unusable()), reason=understood.unusable())


@pytest.mark.parametrize("lines", [LINES // 4, pytest.param(LINES, marks=pytest.mark.full)])
def test_lines_by_chance_run_the_commands_that_bash_understands(tmp_path, lines):
    tally = compare(0, lines, tmp_path)
    assert tally.differing == []
    assert sum(tally.refused.values()) < lines * REFUSED_MAX, tally.refused
    assert tally.rejected < lines * REFUSED_MAX


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            "ls | sort | head -3\nrm -rf src 2>/dev/null",
            [("ls", "", True), ("sort", "", False), ("head -3", "", False), ("rm -rf src", "", True)],
        ),
        (
            "cd d && make 2>&1 | tail > log\nrm out",
            [
                ("cd d", "", True), ("make", "/d", True), ("log", "/d", None), ("tail", "/d", False),
                ("rm out", "/d", True),
            ],
        ),
        (
            "cd d & rm x; (cd e; ls) | cat; rm y",
            [
                ("cd d", "", True), ("rm x", "", True), ("cd e", "", True), ("ls", "/e", True), ("cat", "", False),
                ("rm y", "", True),
            ],
        ),
        (
            'if ! cd d; then rm "$(cd e && ls)"; fi < in | wc; rm z',
            [
                ("cd d", "", False), ("cd e", "/d", True), ("ls", "/d/e", True), ("rm $()", "/d", False),
                ("wc", "", False), ("rm z", "", True),
            ],
        ),
    ],
)  # fmt: skip
def test_a_line_of_known_commands_is_understood_by_both(text, commands, tmp_path):
    one = Made(text, inner={"cd e && ls": Made("cd e && ls")})
    known = told_apart([(tuple(words.split()), CWD + folder, opened) for words, folder, opened in commands])
    (body,) = understood.printed([text], tmp_path)
    assert told_apart(understood.commands(body, one, CWD)) == known
    assert told_apart(seen(one)[1]) == known


def test_what_bash_does_not_accept_is_told_apart(tmp_path):
    assert understood.printed(["ls", "if ls", "}", "rm x"], tmp_path) == [
        "    ls\n",
        None,
        None,
        "    rm x\n",
    ]
    assert list((tmp_path / "empty").iterdir()) == []
