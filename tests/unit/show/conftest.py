"""A project whose sessions are recorded, as tests of `compass replay` find it."""

from __future__ import annotations

from pathlib import Path

import pytest
from running.hookrun import Place
from samples.recordings import CLEAR, Recording


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, {"COMPASS_ENABLED": "false", "COLUMNS": "200"})


@pytest.fixture
def recording(place: Place) -> Recording:
    return Recording(str(place.project))


@pytest.fixture
def noted(recording: Recording) -> Recording:
    """One request, and the one write that it asks for."""
    recording.prompt(CLEAR, "p1")
    recording.write_of("notes.txt", "t1")
    return recording
