"""Self-protection over many commands, with real folders: what reaches the gate, and what only looks like it."""

import pytest
from guarded import Guarded
from protected_lines import ATTACKS, HARMLESS


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    return Guarded(tmp_path_factory.mktemp("guarded"))


@pytest.mark.parametrize("command", ATTACKS)
def test_what_reaches_the_gate_is_denied(guarded, command):
    assert guarded.bash(command)


@pytest.mark.parametrize("command", HARMLESS)
def test_ordinary_work_is_not(guarded, command):
    assert guarded.bash(command) == ""


def test_a_wrapper_is_not_what_makes_the_difference(guarded):
    """The same wrappers around a harmless command pass, so the denials above are of what is wrapped."""
    from protected_lines import EXPANSIONS, WRAPPERS, around, lines

    for command in around([*lines(WRAPPERS), *lines(EXPANSIONS)], "rm -rf build"):
        assert guarded.bash(command) == "", command
