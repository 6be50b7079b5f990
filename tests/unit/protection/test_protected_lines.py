"""Self-protection over many commands, with real folders: what reaches the gate, and what only looks like it."""

import pytest
from running.guarded import Guarded
from samples.protected_lines import ATTACKS, HARMLESS


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    return Guarded(tmp_path_factory.mktemp("guarded"))


def test_what_reaches_the_gate_is_denied(guarded):
    assert [command for command in ATTACKS if not guarded.bash(command)] == []


def test_ordinary_work_is_not(guarded):
    assert {command: why for command in HARMLESS if (why := guarded.bash(command)) != ""} == {}


def test_a_wrapper_is_not_what_makes_the_difference(guarded):
    """The same wrappers around a harmless command pass, so the denials above are of what is wrapped."""
    from samples.protected_lines import EXPANSIONS, WRAPPERS, around, lines

    for command in around([*lines(WRAPPERS), *lines(EXPANSIONS)], "rm -rf build"):
        assert guarded.bash(command) == "", command
