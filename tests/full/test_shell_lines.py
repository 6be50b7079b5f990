"""A hundred thousand lines by chance, read by the shell room and by bash."""

import os

import pytest
from lines import understood
from lines.compared import compare

LINES = int(os.environ.get("COMPASS_SHELL_LINES", "100000"))

pytestmark = [
    pytest.mark.full,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(bool(understood.unusable()), reason=understood.unusable()),
]


def test_a_hundred_thousand_lines_run_the_commands_that_bash_understands(tmp_path):
    tally = compare(0, LINES, tmp_path)
    print(f"{tally.lines} lines, {tally.rejected} that bash rejects, refused: {dict(tally.refused)}")
    assert tally.differing == []
    assert sum(tally.refused.values()) < LINES * 0.005, tally.refused
