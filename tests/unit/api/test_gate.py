"""`judge` and `Gate`: calls and whole sessions of a program's own through the real gate."""

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, answer, hang, reply
from corpora import corpus
from running.hookrun import KEY, MAIN

from compass import CompassError, Gate, judge
from evaluator.gate import pipeline
from evaluator.settings.places import state_dir
from evaluator.state.history import History

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
DELETE = {"command": "rm src/old_auth.py"}


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


def files(project):
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
def api(project, monkeypatch):
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


def test_what_was_sent_counts_where_a_judge_is_interrupted(api, project):
    api.default = hang()

    def interrupt():
        assert api.wait_for_requests(2)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        judge("Create a.txt that says hi", path="a.txt", content="hi\n")
    other.join()
    with closing(sqlite3.connect(project.parent / "state/compass/compass.db")) as state:
        booked = state.execute("SELECT sum(samples) FROM spending").fetchone()
    assert booked == (2,), "samples of today, as the machine's caps count them"


def test_judge_may_be_called_within_a_running_loop(api):
    async def inside():
        return judge("Create a.txt that says hi", path="a.txt", content="hi\n")

    assert asyncio.run(inside()).verdict == "passed"


def _judged_in_child(connection):
    found = judge("Create b.txt that says hi", path="b.txt", content="hi\n")
    connection.send((found.verdict, found.backend))


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
        judge("Do it", **given)


@pytest.fixture
def gate(project):
    with Gate() as found:
        yield found


def asked(gate, name="one"):
    """A session in which the agent is about to act on an order that names nothing."""
    session = gate.session(name)
    session.user("Find unused files")
    session.agent(FOUND)
    assert session.user("Just delete it.").message == ""
    return session


def test_what_is_held_is_asked_once_and_stays_held(gate):
    session = asked(gate)
    held = session.before("Bash", DELETE, call_id="c1")
    assert not held.allowed and "1. " in held.question and "Compass held back" in held.agent_message
    again = session.before("Bash", DELETE, call_id="c2")
    assert (again.reason, again.allowed, again.question) == ("denied_before", False, "")
    for number in range(3, 6):
        last = session.before("Bash", DELETE, call_id=f"c{number}")
    assert last.ends_turn


def test_controls_that_need_no_model_stop_there(gate):
    session = asked(gate)
    session.before("Bash", DELETE, call_id="c1")
    status = session.user("compass: status")
    assert status.stops and "Held in this session: delete src/old_auth.py" in status.message
    slip = session.user("compass proceed")
    assert slip.stops and "did you mean" in slip.message
    assert not session.before("Bash", DELETE, call_id="c2").allowed
    session.user("compass: cancel")
    assert session.before("Bash", DELETE, call_id="c3").reason == "cancelled"
    assert session.user("compass: pause").stops
    assert session.before("Bash", {"command": "rm src/legacy_auth.py"}, call_id="c4").reason == "paused"


def test_sessions_do_not_share_what_was_said_or_released(gate):
    one, two = asked(gate, "one"), asked(gate, "two")
    one.before("Bash", DELETE, call_id="c1")
    two.before("Bash", DELETE, call_id="c1b")
    one.user("compass: proceed")
    assert one.before("Bash", DELETE, call_id="c2").allowed
    assert not two.before("Bash", DELETE, call_id="c2b").allowed


def test_tools_of_the_program_are_gated_by_their_rows(project):
    with Gate(tools={"sh": "shell:line"}) as gate:
        session = asked(gate)
        assert session.before("look", {"path": "src"}, call_id="c0").reason == "not_write_class"
        assert not session.before("sh", {"line": "rm src/old_auth.py"}, call_id="c1").allowed


def test_observing_lets_all_run_and_tells_what_it_would_have_held(project):
    with Gate(mode="observe") as gate:
        found = asked(gate).before("Bash", DELETE, call_id="c1")
        assert (found.verdict, found.allowed, found.question) == ("failed", True, "")
        assert found.readings


def test_without_a_person_held_calls_are_what_the_settings_say(project, monkeypatch):
    for word, allowed, ends in (("deny", False, False), ("stop", False, True), ("pass", True, False)):
        monkeypatch.setenv("COMPASS_INTERVENTION__HEADLESS", word)
        with Gate(attended=False) as gate:
            found = asked(gate).before("Bash", DELETE, call_id="c1")
            assert (found.allowed, found.ends_turn) == (allowed, ends), word


def test_a_recording_gate_tells_its_checks_as_those_of_a_program(project):
    with Gate(record=True) as gate:
        asked(gate).before("Bash", DELETE, call_id="c1")
    log = Path(os.environ["ONLOOKER_DIR"]) / "logs/onlooker-events.jsonl"
    (event,) = map(json.loads, log.read_text().splitlines())
    assert (event["runtime"], event["adapter_id"], event["session_id"]) == ("custom", "python", "one")


def test_a_reader_that_hangs_holds_up_no_other_session(api):
    api.queue(hang(), hang())
    api.default = reply(answer(0.95))
    with Gate() as gate:
        one, two = gate.session("one"), gate.session("two")
        one.user("Create one.txt that says hello")
        two.user("Create two.txt that says hello")
        given = {"file_path": "one.txt", "content": "hello"}
        waiting = threading.Thread(
            target=one.before, args=("Write", given), kwargs={"call_id": "1"}, daemon=True
        )
        waiting.start()
        assert api.wait_for_requests(2)
        assert two.before("Write", {"file_path": "two.txt", "content": "hello"}, call_id="2").allowed
        assert waiting.is_alive()


def test_a_call_made_twice_at_once_is_read_once_and_recorded_as_two_checks(api):
    given = {"file_path": "one.txt", "content": "hello"}
    api.default = replace(reply(answer(0.95)), delay=1.0)
    with Gate(record=True) as gate:
        session = gate.session("one")
        session.user("Create one.txt that says hello")
        first = threading.Thread(target=session.before, args=("Write", given), kwargs={"call_id": "1"})
        first.start()
        assert api.wait_for_requests(1)
        assert session.before("Write", given, call_id="2").allowed
        first.join()
    folder = state_dir(os.environ, os.environ["HOME"])
    found = [one.record for one in History(folder, time.time()).newest(None, 9)]
    shared, read = sorted(found, key=lambda one: not one["notes"])
    assert shared["check_id"] != read["check_id"]
    assert shared["notes"] == [f"shared with check {read['check_id']}"] and read["notes"] == []
    assert (shared["reason"], shared["decision"]) == (read["reason"], read["decision"])


def test_what_breaks_inside_is_answered_by_the_error_policy(project, monkeypatch, caplog):
    def broken(_run):
        raise ZeroDivisionError("a step broke")

    monkeypatch.setattr(pipeline, "STEPS", (broken,))
    with Gate() as gate:
        found = asked(gate).before("Bash", DELETE, call_id="c1")
    assert (found.verdict, found.reason, found.allowed) == ("failed", "sampler_error", False)
    assert "ZeroDivisionError: a step broke" in found.agent_message
    assert caplog.records[0].exc_info
    with Gate(mode="observe") as gate:
        assert asked(gate).before("Bash", DELETE, call_id="c1").allowed
    monkeypatch.setenv("COMPASS_ERROR_POLICY", "open")
    with Gate() as gate:
        assert asked(gate).before("Bash", DELETE, call_id="c1").allowed


def test_misuse_is_an_error_of_the_family(project):
    with pytest.raises(CompassError, match="no such mode"):
        Gate(mode="off")
    with pytest.raises(CompassError, match="no such folder"):
        Gate("nowhere")
    with Gate() as gate:
        with pytest.raises(CompassError, match="needs an id"):
            gate.session("")
        session = gate.session("one")
        with pytest.raises(CompassError, match="a unique id"):
            session.before("Bash", DELETE, call_id="")
        with pytest.raises(CompassError, match="name of its tool"):
            session.before("", {}, call_id="c1")
        session.end()
