"""Many real hooks at once, and hooks killed at random instants: nothing is counted twice or lost, nobody held up."""

import json
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import TimeoutExpired

import pytest
from apis.backends import claude_error, claude_result
from apis.loopback_api import LoopbackApi, answer, barrier, reply
from running.hookrun import (
    CLEAR,
    assert_sound,
    at_once,
    deletion,
    end,
    fault_lines,
    first_on_path,
    hand_over,
    place,
    readers_at,
    rows,
    run,
    start,
    valid_events,
)
from running.processes import until

from evaluator.breaker import PROBE_MARGIN_SECONDS, BreakerRules
from evaluator.state.store import open_store

HOOKS = 32
READERS = 5
REQUEST = (
    "Create the thirty-two reports of this week, each in a folder of its own below reports/, with a line of "
    "text that says which one it is"
)


@pytest.fixture
def here(tmp_path):
    found = place(tmp_path, {
        **readers_at(""),
        "COMPASS_EVALUATOR__N": str(READERS),
        "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "60",
        "COMPASS_DEADLINE_SECONDS": "80",
    })  # fmt: skip
    found.say(REQUEST)
    run(found, "user-prompt-submit", found.payload(prompt=REQUEST))
    return found


def report(where, number, tool_use_id):
    """A write of the report with that number, each in a folder of its own."""
    path = where.project / f"reports/{number}/report{number}.txt"
    return where.payload(given={"file_path": str(path), "content": "x"}, tool_use_id=tool_use_id)


def reasons(where):
    return Counter(reason for (reason,) in rows(where, "SELECT reason FROM checks"))


def assert_nothing_is_lost(where, checks):
    """One record and one event for each check, numbered without a gap, and no fault anywhere."""
    events = valid_events(where)
    assert len(events) == checks
    assert sorted(event["sequence"] for event in events) == list(range(checks))
    assert len({event["id"] for event in events}) == checks
    assert rows(where, "SELECT count(DISTINCT check_id) FROM checks") == [(checks,)]
    assert fault_lines(where) == []
    assert_sound(where)
    return events


@pytest.mark.parametrize("hooks", [HOOKS // 4, pytest.param(HOOKS, marks=pytest.mark.full)])
def test_identical_calls_share_one_check_and_every_one_is_recorded(here, hooks):
    """Two questions, each several times: two checks are paid for, with one request for each reader."""
    with LoopbackApi(default=reply(delay=0.3)) as api:
        here.env["COMPASS_EVALUATOR__BASE_URL"] = api.url
        calls = [("pre-tool-use", report(here, number % 2, f"toolu_{number}")) for number in range(hooks)]
        ended = at_once(here, calls)
        asked = [request.body["messages"] for request in api.requests]
    assert [(one.reason, one.stderr) for one in ended] == [(None, b"")] * hooks
    assert len(asked) == 2 * READERS
    for number in (0, 1):
        assert sum(f"report{number}.txt" in str(messages) for messages in asked) == READERS
    assert rows(here, "SELECT sum(checks_taken + destructive_taken) FROM turns") == [(2,)]
    kinds = reasons(here)
    assert set(kinds) <= {"confident", "covered"}, "who comes after the check's end is covered by it"
    events = valid_events(here)
    assert {event["event_type"] for event in events} == {"compass.check.passed"}
    assert len(events) == kinds["confident"], "the schema cannot say covered"
    assert sum(kinds.values()) == hooks
    assert sorted(event["sequence"] for event in events) == list(range(len(events)))
    assert fault_lines(here) == []
    assert_sound(here)
    assert rows(here, "SELECT count(*) FROM flights WHERE outcome IS NULL") == [(0,)]


@pytest.mark.full
def test_a_turn_pays_for_exactly_its_number_of_checks_within_the_machines_bound(here):
    limit = 6
    here.env.update({
        "COMPASS_MAX_CHECKS_PER_TURN": str(limit),
        "COMPASS_ON_EXHAUSTED": "skip",
        "COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": str(2 * READERS),
    })  # fmt: skip
    with LoopbackApi(default=barrier(2 * READERS, reply(delay=0.4))) as api:
        here.env["COMPASS_EVALUATOR__BASE_URL"] = api.url
        calls = [("pre-tool-use", report(here, number, f"toolu_{number}")) for number in range(HOOKS)]
        ended = at_once(here, calls)
        assert len(api.requests) == limit * READERS
        assert api.in_flight_max == 2 * READERS, "two checks at a time, and no third"
    assert [(one.reason, one.stderr) for one in ended] == [(None, b"")] * HOOKS
    assert reasons(here) == {"confident": limit, "turn_budget_exhausted": HOOKS - limit}
    assert rows(here, "SELECT checks_taken, destructive_taken FROM turns") == [(limit, 0)]
    events = assert_nothing_is_lost(here, HOOKS)
    told = Counter(event["event_type"].rpartition(".")[2] for event in events)
    assert told == {"passed": limit, "skipped": HOOKS - limit}

    results = [("post-tool-use", report(here, number, f"toolu_{number}")) for number in range(HOOKS)]
    assert [(one.code, one.stdout, one.stderr) for one in at_once(here, results)] == [(0, b"", b"")] * HOOKS
    passed = [one["payload"] for one in events if one["event_type"] == "compass.check.passed"]
    judged = {Path(one["file_path"]).stem for one in passed}
    assert {stem for (stem,) in rows(here, "SELECT stem FROM cooldowns")} == judged
    assert rows(here, "SELECT count(*) FROM writes") == [(HOOKS,)]


@pytest.mark.full
def test_no_cooldown_of_calls_released_at_once_is_lost(here):
    """Every call is judged, each result starts its cooldown, and each next call of the file is excused by it."""
    paths = [here.project / f"report{number}.txt" for number in range(4)]
    for path in paths:
        path.write_text("What the session made would be its own, and need no check.")
    here.env["COMPASS_COVERAGE__MAX_CALLS"] = "0"
    here.env["COMPASS_MAX_CHECKS_PER_TURN"] = str(len(paths))
    request = f"Write a line of text into each of {', '.join(path.name for path in paths)}"
    here.say(request)
    run(here, "user-prompt-submit", here.payload(prompt=request, prompt_id="prompt-1"))
    with LoopbackApi(default=reply()) as api:
        here.env["COMPASS_EVALUATOR__BASE_URL"] = api.url
        for event in ("pre-tool-use", "post-tool-use", "pre-tool-use"):
            given = [{"file_path": str(path), "content": "x"} for path in paths]
            calls = [(event, here.payload(given=one, tool_use_id=one["file_path"])) for one in given]
            assert [(one.reason, one.stderr) for one in at_once(here, calls)] == [(None, b"")] * len(paths)
    assert reasons(here) == {"confident": len(paths), "dir_plus_stem_cooldown": len(paths)}
    assert_nothing_is_lost(here, 2 * len(paths))


SEED = 20260
KILLS = 120
AT_ONCE = 4
BATCH = 25
DEADLINE = 8.0
SESSIONS = ("session-1", "session-2", "session-3")

FAKE_CLIENT = """#!/bin/sh
cat >/dev/null
if [ -n "$FAKE_HANGS" ]; then : >"$FAKE_HANGS"; exec sleep 60; fi
if [ -n "$FAKE_FAILS" ]; then printf '%s' '{fails}'; exit 1; fi
printf '%s' '{says}'
"""
PAID = {
    "COMPASS_EVALUATOR__BACKEND": "claude-cli",
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2",
    "COMPASS_COVERAGE__MAX_CALLS": "0",
    "COMPASS_MAX_CHECKS_PER_TURN": "1000",
}
FAILS = {**PAID, "FAKE_FAILS": "yes"}


@dataclass(frozen=True)
class Kind:
    """A hook call of which some are killed."""

    event: str
    env: dict[str, str] = field(default_factory=dict[str, str])
    command: str = ""


KINDS = (
    Kind("pre-tool-use"),
    Kind("pre-tool-use", command="rm src/old_auth.py"),
    Kind("user-prompt-submit"),
    Kind("post-tool-use"),
    Kind("pre-tool-use", PAID),
    Kind("pre-tool-use", FAILS),
)


@pytest.fixture
def killed(tmp_path):
    """The paid readers are a program that answers at once; a breaker opens at the first failure, for no time."""
    client = tmp_path / "client"
    fails = claude_error("overloaded", api_error_status=529)["stdout"]
    says = claude_result(result=answer())["stdout"]
    client.write_text(FAKE_CLIENT.format(fails=fails, says=says))
    client.chmod(0o755)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    found = place(tmp_path, {
        "PATH": first_on_path(tmp_path, client),
        "COMPASS_DEADLINE_SECONDS": f"{DEADLINE:g}",
        "COMPASS_CIRCUIT_BREAKER__CONSECUTIVE_FAILURES_TO_OPEN": "1",
        "COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS": "0",
        "TMPDIR": str(scratch),
    })  # fmt: skip
    found.say(CLEAR)
    return found


def payload(where, kind, number, chance):
    tool, given = ("Bash", {"command": kind.command}) if kind.command else ("Write", None)
    return where.payload(
        tool, given, session_id=chance.choice(SESSIONS), tool_use_id=f"toolu_{number}", prompt=CLEAR
    )


def outlived(where, kind, given, after):
    """None if it was killed, `after` seconds from its start; else how long it lived."""
    began = time.monotonic()
    process = start(where, kind.event, env={**where.environment(), **kind.env})
    hand_over(process, given)
    try:
        out, err = process.communicate(timeout=max(0.0, began + after - time.monotonic()))
    except TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    assert not out or json.loads(out), "an answer is whole, however near its end the hook was"
    if process.returncode == 0:
        assert b"Traceback" not in err
        return time.monotonic() - began
    assert process.returncode == -9, err
    return None


def in_parallel(tasks):
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [future.result() for future in [pool.submit(task) for task in tasks]]


@pytest.mark.full
def test_a_hundred_kills_leave_a_state_that_the_next_hook_works_with(killed):
    """Of each kind the instants are spread over the life of the hook, as the ones that got away show it."""
    chance = random.Random(SEED)
    unhurt = [partial(outlived, killed, kind, payload(killed, kind, 0, chance), 60.0) for kind in KINDS]
    life = [lived for lived in in_parallel(unhurt) if lived is not None]
    assert len(life) == len(KINDS)
    kills = tries = 0
    while kills < KILLS:
        assert tries < 3 * KILLS, "most of the kills have to hit a living hook"
        batch = [(tries + number) % len(KINDS) for number in range(BATCH)]
        tasks = []
        for number, which in enumerate(batch, tries):
            given, after = payload(killed, KINDS[which], number, chance), chance.uniform(0, life[which])
            tasks.append(partial(outlived, killed, KINDS[which], given, after))
        for which, lived in zip(batch, in_parallel(tasks), strict=True):
            kills += lived is None
            life[which] = life[which] if lived is None else (life[which] + lived) / 2
        tries += BATCH
        assert_the_next_hook_works(killed, tries)
    assert_sound(killed)
    assert fault_lines(killed) == []
    for session in SESSIONS:
        numbers = [event["sequence"] for event in valid_events(killed) if event["session_id"] == session]
        assert len(numbers) == len(set(numbers))
    assert_no_lease_outlives_its_time(killed)


def assert_the_next_hook_works(where, number):
    before = len(valid_events(where))
    given = {**deletion(where), "session_id": f"next-{number}"}
    assert run(where, "pre-tool-use", given).reason is not None
    where.say(CLEAR)
    events = valid_events(where)
    assert events[-1]["event_type"] == "compass.check.failed"
    assert len(events) == before + 1
    opened = open_store(str(where.state / "compass"), now=time.time())
    opened.store.close()
    assert opened.fault is None


def assert_no_lease_outlives_its_time(where):
    """Nothing is held now that a hook of one lease later would still wait for."""
    now, rules = time.time(), BreakerRules(1, 0.0, DEADLINE + PROBE_MARGIN_SECONDS)
    later = now + DEADLINE
    flights = rows(where, "SELECT session_id, identity FROM flights WHERE outcome IS NULL")
    breakers = rows(where, "SELECT key FROM breakers")
    with closing(open_store(str(where.state / "compass"), now=now).store) as store:
        for session, identity in flights:
            assert store.enter_flight(session, identity, "next", later, later, DEADLINE)
        for (key,) in breakers:
            assert store.admit(key, rules, now + rules.probe_lease_seconds).answer != "open"


def kill_in_its_reading(where, env):
    """A hook whose readers hang, killed while it waits for them."""
    sign = where.root / "asked"
    process = start(where, "pre-tool-use", env={**where.environment(), **env, "FAKE_HANGS": str(sign)})
    hand_over(process, where.payload())
    until(sign.exists, 60)
    process.kill()
    assert end(process).code == -9


@pytest.mark.full
def test_a_killed_checks_flight_and_slot_hold_nobody_up_longer_than_its_deadline(killed):
    """The same call is answered within a deadline, another one is judged at once, in the only slot there is."""
    env = {**PAID, "COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": "3", "COMPASS_EVALUATOR__N": "3"}
    killed.env.update(env)
    kill_in_its_reading(killed, env)
    assert rows(killed, "SELECT count(*) FROM flights WHERE outcome IS NULL") == [(1,)]
    given = {"file_path": str(killed.project / "other/hello.txt"), "content": "hello\n"}
    assert run(killed, "pre-tool-use", killed.payload(given=given)).reason is None
    assert rows(killed, "SELECT reason FROM checks") == [("confident",)]
    began = time.monotonic()
    run(killed, "pre-tool-use", killed.payload())
    assert time.monotonic() - began < DEADLINE + 10
    time.sleep(max(0.0, DEADLINE - (time.monotonic() - began)))
    began = time.monotonic()
    assert run(killed, "pre-tool-use", killed.payload()).reason is None
    assert time.monotonic() - began < DEADLINE - 1


LEASE_LATER = f"""
import time
real = time.time
time.time = lambda: real() + {DEADLINE + PROBE_MARGIN_SECONDS}
"""


@pytest.mark.full
def test_a_killed_probe_shuts_the_breaker_for_no_longer_than_its_lease(killed):
    killed.env.update(PAID | {"COMPASS_ERROR_POLICY": "open"})
    run(killed, "pre-tool-use", killed.payload(), env={**killed.environment(), "FAKE_FAILS": "yes"})
    assert rows(killed, "SELECT state FROM breakers") == [("open",)]
    kill_in_its_reading(killed, PAID)
    assert rows(killed, "SELECT state, token IS NULL FROM breakers") == [("half-open", 0)]
    other = killed.payload(given={"file_path": str(killed.project / "other/hello.txt"), "content": "hello\n"})
    run(killed, "pre-tool-use", other)
    run(killed, "pre-tool-use", other, altered=LEASE_LATER)
    assert [reason for (reason,) in rows(killed, "SELECT reason FROM checks ORDER BY rowid")] == [
        "sampler_error", "circuit_open", "confident",
    ]  # fmt: skip
    assert rows(killed, "SELECT count(*) FROM breakers") == [(0,)]
