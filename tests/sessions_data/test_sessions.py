"""Whole sessions of people with an agent; one test each, every fourth one through the real hook command.

The others send to the socket what the command would: the process is the same for every session.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running.serving import Serving
from sessions_data.playing.play import play
from sessions_data.playing.script import load, paths

PATHS = paths()
SESSIONS, CALLS = 85, 408
"""At least so many stand in the folder: coverage must not shrink unseen."""

ASKS = frozenset(("low_confidence", "disagreement", "low_agreement"))
"""Why a judged call is held: the person is asked. Repeats from memory, and outages, ask nothing."""
QUESTIONS: dict[str, int] = json.loads(Path(__file__).with_name("questions.json").read_text())
"""{session: how often the person may be asked}: false blocks must not grow unseen."""


@pytest.mark.spread(16)
@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_each_call_of_a_session_meets_what_the_spec_says_of_it(
    path: Path, tmp_path: Path, served: Serving
) -> None:
    played = play(load(path), tmp_path, served, processes=PATHS.index(path) % 4 == 0)
    assert not played.faults, "\n".join(played.faults)
    asked = sum(met.decision == "deny" and met.reason in ASKS for _, met in played.outcomes)
    assert asked <= QUESTIONS.get(path.stem, asked), f"{asked} questions"


def test_every_session_is_in_the_format_and_there_are_enough_of_them() -> None:
    scripts = [load(path) for path in PATHS]
    assert len(scripts) >= SESSIONS and sum(script.calls for script in scripts) >= CALLS
    assert all(script.calls for script in scripts)
    assert set(QUESTIONS) <= {script.name for script in scripts}
