"""`compass replay FOLDER`: sessions of whichever host are found and told by what they look like."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from repository import ROOT
from running.hookrun import Place
from samples.recordings import CLEAR, Recording, replayed

from hooks.registry import find_hosts_sessions, host_of_session

HOSTS = ROOT / "fixtures" / "hosts"


def test_a_folder_of_several_hosts_is_replayed_each_as_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path, {"COMPASS_ENABLED": "false"})
    kept = tmp_path / "kept"
    recording = Recording(str(place.project))
    recording.prompt(CLEAR, "p1")
    recording.write_of("notes.txt", "c1")
    recording.save(kept)
    shutil.copy(HOSTS / "codex/two-turns.jsonl", kept / "rollout-1.jsonl")
    (kept / "data.jsonl").write_text('{"text": "no session"}\n')
    found = replayed(place, kept)
    assert found["sessions"] == 2
    assert len({case["request"] for case in found["cases"]}) > 1


@pytest.mark.parametrize(
    ("file", "host"),
    [
        ("chibi/context.jsonl", "chibi"),
        ("codex/two-turns.jsonl", "codex"),
        ("codex/code-mode.jsonl", "codex"),
        ("copilot/two-turns.jsonl", "copilot"),
        ("cursor/transcript.jsonl", "cursor"),
        ("gemini/first.jsonl", "gemini"),
        ("gemini/resumed.jsonl", "gemini"),
    ],
)
def test_every_recorded_file_is_told_by_its_shape_whatever_its_name(
    tmp_path: Path, file: str, host: str
) -> None:
    path = Path(shutil.copy(HOSTS / file, tmp_path / "any.jsonl"))
    assert host_of_session(str(path)) == host
    assert find_hosts_sessions([str(tmp_path)]) == [str(path)]
