"""`compass replay` on engines: a session to a worker, and the same document as of one process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running.hookrun import Place
from running.tree import Ran, ran
from samples.many import sessions

pytestmark = pytest.mark.full

COUNT = 40
TURNS = 16
"""Enough text that processes are worth starting."""


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Path, bytes]:
    root = tmp_path_factory.mktemp("replayed")
    place = Place(root)
    folder = sessions(root / "kept", str(place.project), COUNT, TURNS)
    done = place.command("replay", str(folder), "--json", "--jobs", "1", timeout=110)
    assert done.returncode == 0 and done.stderr == b""
    return place, folder, done.stdout


def test_one_process_writes_whole_json_and_passes_over_what_a_resumed_session_repeats(
    replayed: tuple[Place, Path, bytes],
) -> None:
    _, _, told = replayed
    found = json.loads(told)
    assert told.decode() == json.dumps(found, indent=2) + "\n"
    assert found["sessions"] == COUNT and found["calls"] == found["writes"] == len(found["cases"])
    # Of the tenth sessions, each repeats the lines of the one before.
    assert found["calls"] == COUNT * TURNS * 2
    assert len({one["current"]["reason"] for one in found["cases"]}) > 2
    assert {one["current"]["verdict"] for one in found["cases"]} >= {"skipped", "failed"}


@pytest.mark.timeout(200)
@pytest.mark.parametrize("words", [(), ("--engine", "ray")], ids=["processes", "ray"])
def test_any_engine_replays_to_the_same_document_as_one_process(
    replayed: tuple[Place, Path, bytes], words: tuple[str, ...]
) -> None:
    place, folder, one = replayed
    done: Ran = ran(place, "replay", folder, "--json", "--jobs", 2, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.peaks) >= 2
    assert done.stdout == one
