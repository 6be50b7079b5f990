"""Many real hooks at once on one session, with paid readers: nothing is counted twice, nothing lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, barrier, reply
from running.hookrun import (
    Json,
    assert_sound,
    at_once,
    fault_lines,
    place,
    readers_at,
    rows,
    run,
    valid_events,
)

HOOKS = 32
READERS = 5
REQUEST = (
    "Create the thirty-two reports of this week, each in a folder of its own below reports/, with a line of "
    "text that says which one it is"
)


@pytest.fixture
def here(tmp_path: Path) -> Any:
    found = place(tmp_path, {
        **readers_at(""),
        "COMPASS_EVALUATOR__N": str(READERS),
        "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "60",
        "COMPASS_DEADLINE_SECONDS": "80",
    })  # fmt: skip
    found.say(REQUEST)
    run(found, "user-prompt-submit", found.payload(prompt=REQUEST))
    return found


def report(where: Any, number: int, tool_use_id: str) -> Json:
    """A write of the report with that number, each in a folder of its own."""
    path = where.project / f"reports/{number}/report{number}.txt"
    payload: Json = where.payload(given={"file_path": str(path), "content": "x"}, tool_use_id=tool_use_id)
    return payload


def reasons(where: Any) -> Counter[str]:
    return Counter(reason for (reason,) in rows(where, "SELECT reason FROM checks"))


def assert_nothing_is_lost(where: Any, checks: int) -> list[Json]:
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


@pytest.mark.parametrize("limit", [6])
@pytest.mark.full
def test_a_turn_pays_for_exactly_its_number_of_checks_within_the_machines_bound(here, limit):
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
