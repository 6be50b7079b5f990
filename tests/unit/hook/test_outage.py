"""Readers that are down, through the real hook: closed stays closed, and a failed check spends no budget."""

from __future__ import annotations

from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply, status
from running.hookstart import place, point_at, run

WRITES = 8
OVERLOADED = 529


@pytest.fixture
def here(tmp_path: Any) -> Any:
    found = place(tmp_path, {"COMPASS_EVALUATOR__RETRIES": "0", "COMPASS_MAX_CHECKS_PER_TURN": "3"})
    found.say("Create the parts of the engine below src, one module a folder, as we agreed in the plan")
    return found


def write(here: Any, number: int) -> Any:
    """The reason of the denial of one write, each of another file; None if it was let through."""
    given = {"file_path": str(here.project / f"src/{number}/part{number}.py"), "content": "x = 1\n"}
    return run(here, "pre-tool-use", here.payload("Write", given, tool_use_id=f"w{number}")).reason


def test_of_eight_writes_none_runs_while_the_readers_are_down(here: Any) -> None:
    with LoopbackApi(default=status(OVERLOADED)) as api:
        point_at(here, api, deadline=30)
        reasons = [write(here, number) for number in range(WRITES)]
        asked = len(api.requests)
    assert None not in reasons
    assert asked == 3 * 5, "three evaluations that failed open the breaker"
    assert "529" in reasons[0] and "not asked for a while" in reasons[-1]
    assert all("no judgement of the request" in reason for reason in reasons)


@pytest.mark.full
def test_what_failed_spends_nothing_of_the_turns_budget(here: Any) -> None:
    here.env["COMPASS_CIRCUIT_BREAKER__ENABLED"] = "false"
    with LoopbackApi(default=status(OVERLOADED)) as api:
        point_at(here, api, deadline=30)
        assert None not in [write(here, number) for number in range(WRITES)]
        api.default = reply(answer(score=0.2, primary_concern="scope"))
        judged = [write(here, number) for number in range(WRITES, WRITES + 3)]
    assert all("Compass held back" in reason for reason in judged), "the turn's three checks are all there"


@pytest.mark.full
@pytest.mark.parametrize(
    ("variables", "runs"),
    [
        ({"COMPASS_ERROR_POLICY": "open"}, True),
        ({"COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR": "fail_open"}, True),
        ({"COMPASS_ERROR_POLICY": "open", "COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR": "fail_closed"}, False),
    ],
)
def test_an_open_breaker_answers_as_the_policy_says_unless_the_user_set_it(
    here: Any, variables: dict[str, str], runs: bool
) -> None:
    with LoopbackApi(default=status(OVERLOADED)) as api:
        point_at(here, api, deadline=30)
        here.env.update(variables)
        for number in range(3):
            write(here, number)
        assert (write(here, 9) is None) is runs
        assert len(api.requests) == 3 * 5


def test_a_destructive_call_never_runs_unjudged(here: Any) -> None:
    with LoopbackApi(default=status(OVERLOADED)) as api:
        point_at(here, api, deadline=30)
        here.env["COMPASS_ERROR_POLICY"] = "open"
        for number in range(3):
            write(here, number)
        deletion = here.payload("Bash", {"command": "rm -r src"})
        assert run(here, "pre-tool-use", deletion).reason is not None
