"""The hook as a real process, where disk, home, database or clock fail it."""

from __future__ import annotations

import os
import resource
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running.hookrun import (
    CLEAR,
    assert_sound,
    deletion,
    doctor,
    fault_lines,
    place,
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
    assert "src/old_auth.py" in (denied.reason or ""), denied
    for ended in (clear, denied):
        assert b"Traceback" not in ended.stderr, ended.stderr


# Disk and home


@corpus("found, size", [("nothing", 0), ("a state", 8_000), ("a state", 60_000)], each={"here": new_here})
def test_on_a_full_disk_the_verdict_stands(here: Any, found: str, size: int) -> None:
    if found == "a state":
        run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        run(here, "pre-tool-use", here.payload())
    # A disk on which no file grows beyond `size` bytes; pipes are not concerned.
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))
    assert_the_verdict_stands(here, limits=full)
    if found == "a state":
        assert_sound(here)
    valid_events(here)
    assert run(here, "pre-tool-use", deletion(here)).reason is not None, "where room is again"
    assert valid_events(here)[-1]["event_type"] == "compass.check.failed"


@corpus("home", ["/proc/self", "/dev/null"], each={"here": new_here})
def test_in_a_home_that_cannot_be_written_the_verdict_stands(here: Any, home: str) -> None:
    env = {**without(here.environment(), "ONLOOKER_DIR"), "HOME": home}
    assert_the_verdict_stands(here, env=env)
    findings = doctor(here, env=env)
    assert not findings["state folder"]["ok"] or not findings["database"]["ok"], findings


NOBODY = """
import os, pwd
def nobody(*_): raise KeyError("no such user")
pwd.getpwuid = nobody
"""


def test_without_a_home_the_verdict_stands_and_no_litter_in_the_project(here: Any) -> None:
    assert_the_verdict_stands(here, env=without(here.environment(), "HOME"))
    env = without(here.environment(), "HOME", "ONLOOKER_DIR")
    assert run(here, "pre-tool-use", deletion(here), env=env, altered=NOBODY).reason is not None
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


@pytest.mark.full
@pytest.mark.parametrize("statements", LOCKS.values(), ids=LOCKS)
def test_while_the_database_is_locked_the_verdict_stands(here: Any, statements: list[str]) -> None:
    run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
    holder = start_python(HOLD, str(here.state / "compass" / "compass.db"), *statements)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    try:
        denied = run(here, "pre-tool-use", deletion(here), env={**here.environment(), **OPEN})
        assert "src/old_auth.py" in str(denied.reason)
        prompt = run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        assert (prompt.code, prompt.stdout) == (0, b"")
    finally:
        holder.kill()
        holder.communicate()
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
