"""The hook as a real process, where disk, home, database or clock fail it."""

from __future__ import annotations

import os
import resource
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, status
from corpora import corpus
from running.hookstart import (
    CLEAR,
    NO_RETRY,
    assert_sound,
    deletion,
    doctor,
    fault_lines,
    place,
    point_at,
    rows,
    run,
    valid_events,
    without,
)
from running.processes import start as start_python

OPEN = {"COMPASS_ERROR_POLICY": "open"}


def new_here(tmp_path: Path) -> Any:
    found = place(tmp_path)
    found.say(CLEAR)
    return found


here = pytest.fixture(new_here, name="here")


def assert_the_verdict_stands(where: Any, **how: Any) -> None:
    """A state that fails overrules no readers that answered: neither to deny when closed, nor to allow when open."""
    env = how.pop("env", where.environment())
    where.say(CLEAR)
    clear = run(where, "pre-tool-use", where.payload(), env=env, **how)
    assert clear.reason is None, clear
    denied = run(where, "pre-tool-use", deletion(where), env={**env, **OPEN}, **how)
    assert denied.reason is not None, denied
    assert "src/old_auth.py" in denied.reason, denied
    for ended in (clear, denied):
        assert b"Traceback" not in ended.stderr, ended.stderr


# Disk and home


def limit_files_to(size: int) -> Callable[[], None]:
    """A disk on which no file grows beyond `size` bytes; pipes are not concerned."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@corpus("found, size", [("nothing", 0), ("a state", 8_000), ("a state", 60_000)], each={"here": new_here})
def test_on_a_full_disk_the_verdict_stands(here: Any, found: str, size: int) -> None:
    if found == "a state":
        run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        run(here, "pre-tool-use", here.payload())
    assert_the_verdict_stands(here, limits=limit_files_to(size))
    if found == "a state":
        assert_sound(here)
    valid_events(here)
    where_room_is_again = run(here, "pre-tool-use", deletion(here))
    assert where_room_is_again.reason is not None
    assert valid_events(here)[-1]["event_type"] == "compass.check.failed"


def test_a_disk_that_fills_up_is_named_by_the_doctor(here: Any) -> None:
    """What could not be written is told as soon as a line fits again: the log of faults is a file too."""
    run(here, "pre-tool-use", here.payload())
    size = (here.state / "compass" / "compass.db").stat().st_size
    assert run(here, "pre-tool-use", deletion(here), limits=limit_files_to(size // 4)).reason is not None
    assert any("compass.db" in line for line in fault_lines(here)), fault_lines(here)
    assert "compass.db" in doctor(here)["faults"]["detail"]


def test_an_event_log_on_a_full_device_costs_the_event_and_no_verdict(here: Any) -> None:
    here.env["ONLOOKER_EVENTS_LOG"] = "/dev/full"
    assert_the_verdict_stands(here)
    assert any("No space left" in line for line in fault_lines(here))
    assert "No space left" in doctor(here)["faults"]["detail"]


@corpus("home", ["/proc/self", "/dev/null"], each={"here": new_here})
def test_in_a_home_that_cannot_be_written_the_verdict_stands(here: Any, home: str) -> None:
    env = {**without(here.environment(), "ONLOOKER_DIR"), "HOME": home}
    assert_the_verdict_stands(here, env=env)
    findings = doctor(here, env=env)
    assert not findings["state folder"]["ok"] or not findings["database"]["ok"], findings


def test_without_a_home_the_verdict_stands(here: Any) -> None:
    assert_the_verdict_stands(here, env=without(here.environment(), "HOME"))
    emptied = run(here, "pre-tool-use", deletion(here), env={**here.environment(), "HOME": ""})
    assert emptied.reason is not None


NOBODY = """
import os, pwd
def nobody(*_): raise KeyError("no such user")
pwd.getpwuid = nobody
"""


def test_a_user_without_home_and_account_gets_an_answer_and_no_litter_in_the_project(here: Any) -> None:
    env = without(here.environment(), "HOME", "ONLOOKER_DIR")
    ended = run(here, "pre-tool-use", deletion(here), env=env, altered=NOBODY)
    assert ended.reason is not None
    assert list(here.project.iterdir()) == []


# Database


TORN = b"torn"


@corpus("content", [b"", b"SQLite format 3\0" + b"\xff" * 9000, TORN], each={"here": new_here})
def test_a_corrupt_database_costs_nothing_but_itself(here: Any, content: bytes) -> None:
    file = here.state / "compass" / "compass.db"
    said = "corrupt" if content == TORN else "was corrupt"
    if content == TORN:
        run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        rows(here, "PRAGMA wal_checkpoint(TRUNCATE)")
        whole = file.read_bytes()
        content = whole[:4096] + os.urandom(len(whole) - 4096)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    assert_the_verdict_stands(here)
    told = [event["event_type"] for event in valid_events(here)]
    assert told == ["compass.check.skipped", "compass.check.failed"]
    if content:
        assert any(said in line for line in fault_lines(here))
        assert said in doctor(here)["faults"]["detail"]


HOLD = """
import sqlite3
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement)
print("held", flush=True)
time.sleep(60)
"""
LOCKS = {
    "whole": ["PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "CREATE TABLE held (a)"],
    "for writing": ["BEGIN IMMEDIATE"],
}


@contextmanager
def held(where: Any, statements: list[str]) -> Generator[None]:
    holder = start_python(HOLD, str(where.state / "compass" / "compass.db"), *statements)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield
    finally:
        holder.kill()
        holder.communicate()


@pytest.mark.full
@pytest.mark.parametrize("statements", LOCKS.values(), ids=LOCKS)
def test_while_the_database_is_locked_the_verdict_stands(here: Any, statements: list[str]) -> None:
    run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
    with held(here, statements):
        denied = run(here, "pre-tool-use", deletion(here), env={**here.environment(), **OPEN})
        assert denied.reason is not None
        assert "src/old_auth.py" in denied.reason
        prompt = run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        assert (prompt.code, prompt.stdout) == (0, b"")
    assert any("locked" in line for line in fault_lines(here))
    assert "locked" in doctor(here)["faults"]["detail"]
    assert_sound(here)
    assert run(here, "pre-tool-use", deletion(here)).reason is not None


# Clock

LATER = """
import time
real, real_ns = time.time, time.time_ns
time.time, time.time_ns = lambda: real() + 86400, lambda: real_ns() + 86400 * 10**9
"""


def test_after_the_clock_jumped_back_a_day_nothing_is_excused_that_was_not_judged(here: Any) -> None:
    """A cooldown and a pause of the future do not count; a denial of the future is still remembered."""
    here.env["COMPASS_COVERAGE__MAX_CALLS"] = "0"
    run(here, "user-prompt-submit", here.payload(prompt=CLEAR), altered=LATER)
    assert run(here, "pre-tool-use", here.payload(), altered=LATER).reason is None
    run(here, "post-tool-use", here.payload(), altered=LATER)
    assert run(here, "pre-tool-use", deletion(here), altered=LATER).reason is not None
    here.say(CLEAR)
    assert run(here, "pre-tool-use", here.payload()).reason is None
    assert run(here, "pre-tool-use", deletion(here)).reason is not None
    kinds = [(event["event_type"], event["payload"].get("reason")) for event in valid_events(here)]
    assert ("compass.check.skipped", "dir_plus_stem_cooldown") not in kinds
    assert [event["sequence"] for event in valid_events(here)] == list(range(len(kinds)))
    run(here, "session-start", here.payload())
    assert doctor(here)["database"]["ok"]


@pytest.mark.full
def test_a_flight_and_a_breaker_of_the_future_hold_nobody_up(here: Any) -> None:
    """The flight is taken over at once; the breaker stays open for one whole duration, from now."""
    with LoopbackApi(*[status(503, retry_after=NO_RETRY)] * 5) as api:
        point_at(here, api, deadline=30)
        here.env.update({
            "COMPASS_CIRCUIT_BREAKER__CONSECUTIVE_FAILURES_TO_OPEN": "1",
            "COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS": "2",
        })  # fmt: skip
        assert run(here, "pre-tool-use", here.payload()).reason is not None
        change(
            here, "UPDATE flights SET started_at = started_at + 86400, until = until + 86400, outcome = NULL"
        )
        change(here, "UPDATE breakers SET since = since + 86400")
        began = time.monotonic()
        assert "not asked for a while" in str(run(here, "pre-tool-use", here.payload()).reason)
        assert time.monotonic() - began < 25
        assert len(api.requests) == 5
        time.sleep(2)
        assert run(here, "pre-tool-use", here.payload()).reason is None
        assert len(api.requests) == 10
    reasons = [event["payload"].get("reason") for event in valid_events(here)]
    assert reasons == ["sampler_error", "circuit_open", None]


def change(where: Any, statement: str) -> None:
    """In the database, beside Compass; exactly one row."""
    with closing(sqlite3.connect(where.state / "compass" / "compass.db")) as connection, connection:
        assert connection.execute(statement).rowcount == 1
