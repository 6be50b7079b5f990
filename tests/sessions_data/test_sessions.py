"""Whole sessions of people with an agent, played through the real hook command; one test each."""

from __future__ import annotations

from pathlib import Path

import pytest
from sessionplay import play
from sessionscript import load, paths

PATHS = paths()
SESSIONS, CALLS = 75, 372
"""At least so many stand in the folder: coverage must not shrink unseen."""


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_each_call_of_a_session_meets_what_the_spec_says_of_it(path: Path, tmp_path: Path) -> None:
    played = play(load(path), tmp_path)
    assert not played.faults, "\n".join(played.faults)


def test_every_session_is_in_the_format_and_there_are_enough_of_them() -> None:
    scripts = [load(path) for path in PATHS]
    assert len(scripts) >= SESSIONS and sum(script.calls for script in scripts) >= CALLS
    assert all(script.calls for script in scripts)
