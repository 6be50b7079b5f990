"""Real hooks killed at random instants of their life: what stays behind is sound and holds nobody up for long."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any, TypeVar

import pytest
from apis.backends import claude_error, claude_result
from apis.loopback_api import answer
from running.hookrun import (
    CLEAR,
    Json,
    assert_sound,
    deletion,
    end,
    fault_lines,
    first_on_path,
    hand_over,
    place,
    rows,
    run,
    start,
    valid_events,
)
from running.processes import until

from evaluator.breaker import PROBE_MARGIN_SECONDS, BreakerRules
from evaluator.state.store import open_store

T = TypeVar("T")

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
def here(tmp_path: Path) -> Any:
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


def payload(where: Any, kind: Kind, number: int, chance: random.Random) -> Json:
    tool, given = ("Bash", {"command": kind.command}) if kind.command else ("Write", None)
    made: Json = where.payload(
        tool, given, session_id=chance.choice(SESSIONS), tool_use_id=f"toolu_{number}", prompt=CLEAR
    )
    return made


def outlived(where: Any, kind: Kind, given: Json, after: float) -> float | None:
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


def in_parallel(tasks: Sequence[Callable[[], T]]) -> list[T]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [future.result() for future in [pool.submit(task) for task in tasks]]


@pytest.mark.full
def test_a_hundred_kills_leave_a_state_that_the_next_hook_works_with(here: Any) -> None:
    """Of each kind the instants are spread over the life of the hook, as the ones that got away show it."""
    chance = random.Random(SEED)
    unhurt = [partial(outlived, here, kind, payload(here, kind, 0, chance), 60.0) for kind in KINDS]
    life = [lived for lived in in_parallel(unhurt) if lived is not None]
    assert len(life) == len(KINDS)
    kills = tries = 0
    while kills < KILLS:
        assert tries < 3 * KILLS, "most of the kills have to hit a living hook"
        batch = [(tries + number) % len(KINDS) for number in range(BATCH)]
        tasks: list[Callable[[], float | None]] = []
        for number, which in enumerate(batch, tries):
            given, after = payload(here, KINDS[which], number, chance), chance.uniform(0, life[which])
            tasks.append(partial(outlived, here, KINDS[which], given, after))
        for which, lived in zip(batch, in_parallel(tasks), strict=True):
            kills += lived is None
            life[which] = life[which] if lived is None else (life[which] + lived) / 2
        tries += BATCH
        assert_the_next_hook_works(here, tries)
    assert_sound(here)
    assert fault_lines(here) == []
    for session in SESSIONS:
        numbers = [event["sequence"] for event in valid_events(here) if event["session_id"] == session]
        assert len(numbers) == len(set(numbers))
    assert_no_lease_outlives_its_time(here)


def assert_the_next_hook_works(where: Any, number: int) -> None:
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


def assert_no_lease_outlives_its_time(where: Any) -> None:
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


def kill_in_its_reading(where: Any, env: dict[str, str]) -> None:
    """A hook whose readers hang, killed while it waits for them."""
    sign = where.root / "asked"
    process = start(where, "pre-tool-use", env={**where.environment(), **env, "FAKE_HANGS": str(sign)})
    hand_over(process, where.payload())
    until(sign.exists, 60)
    process.kill()
    assert end(process).code == -9


@pytest.mark.full
def test_a_killed_checks_flight_and_slot_hold_nobody_up_longer_than_its_deadline(here: Any) -> None:
    """The same call is answered within a deadline, another one is judged at once, in the only slot there is."""
    env = {**PAID, "COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": "3", "COMPASS_EVALUATOR__N": "3"}
    here.env.update(env)
    kill_in_its_reading(here, env)
    assert rows(here, "SELECT count(*) FROM flights WHERE outcome IS NULL") == [(1,)]
    given = {"file_path": str(here.project / "other/hello.txt"), "content": "hello\n"}
    assert run(here, "pre-tool-use", here.payload(given=given)).reason is None
    assert rows(here, "SELECT reason FROM checks") == [("confident",)]
    began = time.monotonic()
    run(here, "pre-tool-use", here.payload())
    assert time.monotonic() - began < DEADLINE + 10
    time.sleep(max(0.0, DEADLINE - (time.monotonic() - began)))
    began = time.monotonic()
    assert run(here, "pre-tool-use", here.payload()).reason is None
    assert time.monotonic() - began < DEADLINE - 1


LEASE_LATER = f"""
import time
real = time.time
time.time = lambda: real() + {DEADLINE + PROBE_MARGIN_SECONDS}
"""


@pytest.mark.full
def test_a_killed_probe_shuts_the_breaker_for_no_longer_than_its_lease(here: Any) -> None:
    here.env.update(PAID | {"COMPASS_ERROR_POLICY": "open"})
    run(here, "pre-tool-use", here.payload(), env={**here.environment(), "FAKE_FAILS": "yes"})
    assert rows(here, "SELECT state FROM breakers") == [("open",)]
    kill_in_its_reading(here, PAID)
    assert rows(here, "SELECT state, token IS NULL FROM breakers") == [("half-open", 0)]
    other = here.payload(given={"file_path": str(here.project / "other/hello.txt"), "content": "hello\n"})
    run(here, "pre-tool-use", other)
    run(here, "pre-tool-use", other, altered=LEASE_LATER)
    assert [reason for (reason,) in rows(here, "SELECT reason FROM checks ORDER BY rowid")] == [
        "sampler_error", "circuit_open", "confident",
    ]  # fmt: skip
    assert rows(here, "SELECT count(*) FROM breakers") == [(0,)]
