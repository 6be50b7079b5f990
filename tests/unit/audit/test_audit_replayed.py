"""`compass audit TRANSCRIPT...`: sessions judged once more, hosted readers only after a yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import Place
from samples.sessions import Session

VAGUE = "make it better"
CLEAR = "Create notes.txt that says hello"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def session(place: Place, name: str, request: str, file: str) -> str:
    """A recorded session with one write."""
    made = Session()
    said = {"timestamp": "2026-11-21T20:00:00.000Z", "cwd": str(place.project), "sessionId": name}
    made.prompt(request, f"{name}-p1", **said)
    given = {"file_path": str(place.project / file), "content": "hello\n"}
    made.calls("Write", given, f"{name}-t1", "", **said)
    made.result("done", f"{name}-t1", toolUseResult={"type": "create"}, **said)
    folder = place.root / "kept"
    folder.mkdir(exist_ok=True)
    return str(made.write(folder / f"{name}.jsonl"))


def test_named_sessions_are_judged_by_rules_and_their_writes_asked_about(place: Place) -> None:
    for number in range(4):
        session(place, f"s{number}", CLEAR, f"notes{number}.txt")
    done = place.command("audit", "--json", str(place.root / "kept"))
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(done.stdout)
    assert (found["source"], found["judged_writes"], found["sessions"]) == ("replayed", 4, 4)
    assert all(one["request"] == CLEAR and "Write: create" in one["write"] for one in found["ask"])
    again = place.command("audit", "--json", str(place.root / "kept"))
    assert again.returncode == 1 and b"--fresh" in again.stderr


def test_hosted_readers_are_asked_nothing_before_a_yes_and_the_cost_is_told(place: Place) -> None:
    path = session(place, "s1", VAGUE, "notes.txt")
    with LoopbackApi() as api:
        api.default = reply(answer(score=0.3, target="notes.txt"))
        place.env |= {"ANTHROPIC_API_KEY": "test", "COMPASS_EVALUATOR__BASE_URL": api.url}
        words = ("audit", path, "--json", "--backend", "anthropic")
        done = place.command(*words)
        assert done.returncode == 1 and not api.requests
        told = done.stderr.decode()
        assert "Calls to make: 5" in told and "Cost:" in told and "Sent to" in told
        assert not list((place.state / "compass").glob("*/audit.json"))
        done = place.command(*words, "--yes")
        assert done.returncode == 0 and len(api.requests) == 5
        assert json.loads(done.stdout)["judged_writes"] == 1


def test_a_folder_without_sessions_is_named(place: Place) -> None:
    (place.root / "empty").mkdir()
    done = place.command("audit", str(place.root / "empty"))
    assert done.returncode == 1 and b"no transcript of Claude Code" in done.stderr
