"""`judge`: one call, judged as `compass check` does, by what the program says of it."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, hang
from corpora import corpus
from running.hookrun import KEY, MAIN

from compass import CompassError, Verdict, judge

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."


def test_a_pronoun_with_two_referents_is_held_and_both_are_shown(project):
    found = judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py")
    assert (found.verdict, found.allowed) == ("failed", False)
    assert set(found.readings) == {"delete src/old_auth.py", "delete src/legacy_auth.py"}
    for number, reading in enumerate(found.readings, 1):
        assert f"  {number}. {reading}" in found.question
    assert "src/old_auth.py" in found.agent_message
    assert (found.backend, found.cost_usd) == ("embedded", 0.0)


def test_without_a_model_a_clear_write_runs_unjudged_without_a_word(project):
    found = judge("Create notes.txt that says hello", path="notes.txt", content="hello\n")
    assert (found.verdict, found.allowed, found.question, found.agent_message) == ("skipped", True, "", "")
    assert found.reason == "insufficient_context" and found.confidence is None


def test_the_settings_are_those_of_the_project(project, tmp_path):
    held = judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py", project=project)
    file = Path(os.environ["ONLOOKER_DIR"]) / "compass/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"compass": {"mode": "observe", "enabled": False}}))
    ran = judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py", project=project)
    assert (held.allowed, ran.allowed, ran.verdict) == (False, True, "failed")
    (project / ".compass").mkdir()
    (project / ".compass/settings.json").write_text(json.dumps({"compass": {"mode": "enforce"}}))
    assert not judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py", project=project).allowed


def files(project: Path) -> set[str]:
    """The names of what was written beside the project."""
    found = (path for path in project.parent.rglob("*") if project not in path.parents)
    return {path.name for path in found if path.is_file()}


def test_nothing_is_kept_unless_it_is_asked_for(project):
    judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py")
    assert files(project) == set()
    found = judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py", record=True)
    log = Path(os.environ["ONLOOKER_DIR"]) / "logs/onlooker-events.jsonl"
    (event,) = map(json.loads, log.read_text().splitlines())
    told = event["runtime"], event["adapter_id"], event["event_type"]
    assert told == ("custom", "python", "compass.check.failed")
    words = [sys.executable, MAIN, "explain", found.check_id, "--json"]
    told = subprocess.run(words, env=dict(os.environ), capture_output=True, check=True)
    assert json.loads(told.stdout)["check_id"] == found.check_id


@pytest.fixture
def api(project: Path, monkeypatch: pytest.MonkeyPatch):
    with LoopbackApi() as found:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        yield found


def test_hosted_readers_keep_their_connections_and_their_cost_is_told_and_booked(api, project, monkeypatch):
    found = [judge(f"Create n{n}.txt that says hi", path=f"n{n}.txt", content="hi\n") for n in range(4)]
    (told,) = {(one.verdict, one.backend, one.model) for one in found}
    assert told == ("passed", "anthropic", "claude-haiku-4-5-20251001")
    assert all(one.cost_usd and one.cost_usd > 0 for one in found)
    assert len(api.requests) == 8
    assert len({request.client for request in api.requests}) <= 3
    monkeypatch.setenv("COMPASS_EVALUATOR__DAILY_BUDGET_USD", "0.001")
    capped = judge("Create z.txt that says hi", path="z.txt", content="hi\n")
    assert (len(api.requests), capped.verdict, capped.reason) == (8, "skipped", "evaluator_budget_exhausted")
    database = {"compass.db", "compass.db-wal", "compass.db-shm", "compass.lock"}
    assert files(project) <= {*database, *"01234567"}


def booked(project: Path) -> int:
    """Samples of today, as the machine's caps count them."""
    with closing(sqlite3.connect(project.parent / "state" / "compass" / "compass.db")) as state:
        return sum(row[0] for row in state.execute("SELECT samples FROM spending"))


def test_what_was_sent_counts_where_a_judge_is_interrupted(api, project):
    api.default = hang()

    def interrupt() -> None:
        assert api.wait_for_requests(2)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        judge("Create a.txt that says hi", path="a.txt", content="hi\n")
    other.join()
    assert booked(project) == 2


def test_judge_may_be_called_within_a_running_loop(api):
    async def inside() -> Verdict:
        return judge("Create a.txt that says hi", path="a.txt", content="hi\n")

    assert asyncio.run(inside()).verdict == "passed"


def _judged_in_child(connection: object) -> None:
    found = judge("Create b.txt that says hi", path="b.txt", content="hi\n")
    connection.send((found.verdict, found.backend))  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_child_connects_anew(api):
    assert judge("Create a.txt that says hi", path="a.txt", content="hi\n").verdict == "passed"
    forking = multiprocessing.get_context("fork")
    here, there = forking.Pipe()
    child = forking.Process(target=_judged_in_child, args=(there,))
    child.start()
    try:
        assert here.poll(30) and here.recv() == ("passed", "anthropic")
    finally:
        child.join(10)


@corpus(
    ("given", "told"),
    [
        ({}, "needs a command, a path or an input, and only one of them"),
        ({"command": "rm a", "path": "a"}, "only one of them"),
        ({"command": "rm a", "tool": "sh"}, "for other tools, pass the full input"),
        ({"path": "a", "tool": "Bash"}, "a path works only with"),
        ({"input": {"path": "a"}}, "needs a tool name"),
        ({"input": {"path": "a"}, "tool": "save", "command": "rm a"}, "only one of them"),
        ({"command": "rm a", "backend": "oracle"}, "no such backend: 'oracle'"),
        ({"command": "rm a", "project": "nowhere"}, "no such folder"),
        ({"command": "rm a", "project": "a\0b"}, "null byte"),
    ],
    ids=str,
)
def test_what_cannot_be_judged_is_an_error_of_the_family(project, given, told):
    with pytest.raises(CompassError, match=told):
        judge("Do it", **given)  # type: ignore[arg-type]
