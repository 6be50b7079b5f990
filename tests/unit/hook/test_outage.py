"""Readers that are down, through the real hook: closed stays closed, and the person is told once, and of the end."""

import json
import time
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply, status
from running.hookrun import NO_RETRY, place, point_at, rows, run

OVERLOADED = 529
SAYS = {
    "closed": ("every write that needs to be judged is held", "`compass config set error_policy embedded`"),
    "open": ("writes run unjudged", "`compass config set error_policy closed`"),
    "embedded": ("rules judge in their place", "`compass config set error_policy closed`"),
}


@pytest.fixture
def here(tmp_path):
    found = place(tmp_path)
    found.say("Create the parts of the engine below src, one module a folder, as we agreed in the plan")
    return found


@pytest.fixture
def api(here):
    with LoopbackApi(default=status(OVERLOADED, retry_after=NO_RETRY)) as found:
        point_at(here, found, deadline=30)
        yield found


def told(stdout: bytes) -> str:
    """What the person is shown, empty for nothing; fails for more than eight lines or a hundred columns."""
    value = json.loads(stdout) if stdout.strip() else {}
    text: str = value.get("systemMessage", "")
    lines = text.splitlines()
    assert len(lines) <= 8
    assert all(len(line) <= 100 for line in lines), lines
    return text


def payload(here, number: int, session: str = "") -> dict[str, Any]:
    given = {"file_path": str(here.project / f"src/{number}/part{number}.py"), "content": "x = 1\n"}
    found: dict[str, Any] = here.payload("Write", given, tool_use_id=f"w{number}{session}")
    return found | ({"session_id": session} if session else {})


def write(here, number: int, session: str = "") -> str:
    return told(run(here, "pre-tool-use", payload(here, number, session)).stdout)


def is_down(text: str) -> bool:
    return ": anthropic, http://127.0.0.1:" in text and "answering again" not in text


def back(api: LoopbackApi):
    api.default = reply(answer(score=0.95))


@pytest.mark.spread(1)
@pytest.mark.parametrize("policy", ["closed", "open", "embedded"])
def test_down_is_told_once_and_back_once(here, api, policy):
    here.env["COMPASS_ERROR_POLICY"] = policy
    ended = [run(here, "pre-tool-use", payload(here, number)) for number in range(5)]
    texts = [told(one.stdout) for one in ended]
    assert len(api.requests) == 3 * 5, "three evaluations that failed open the breaker"
    if policy == "closed":
        reasons = [str(one.reason) for one in ended]
        assert "529" in reasons[0] and "not be asked for a while" in reasons[-1]
        assert all("no judgement on the request" in reason for reason in reasons)
    for words in ("the readers return errors (since ", *SAYS[policy]):
        assert words in texts[0]
    first, *_, last = texts[0].splitlines()
    assert "Compass" in first
    if policy == "closed":
        assert first == "Compass could not check: create src/0/part0.py" and "compass: proceed" in last
    assert [number for number, text in enumerate(texts) if is_down(text)] == [0]
    back(api)
    here.env["COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS"] = "1"
    time.sleep(1.1)
    again = [write(here, number) for number in range(10, 13)]
    assert "answering again; they failed from" in again[0]
    assert not any("answering again" in text or is_down(text) for text in again[1:])
    assert rows(here, "SELECT count(*) FROM outages WHERE ended IS NULL") == [(0,)]


def reason(here, number: int) -> str | None:
    found: str | None = run(here, "pre-tool-use", payload(here, number)).reason
    return found


@pytest.mark.full
def test_what_failed_spends_nothing_of_the_turns_budget(here, api):
    here.env |= {"COMPASS_CIRCUIT_BREAKER__ENABLED": "false", "COMPASS_MAX_CHECKS_PER_TURN": "3"}
    assert None not in [reason(here, number) for number in range(8)]
    api.default = reply(answer(score=0.2, primary_concern="scope"))
    judged = [reason(here, number) for number in range(8, 11)]
    assert all("Compass held back" in str(one) for one in judged), "the turn's three checks are all there"


@pytest.mark.full
@pytest.mark.parametrize(
    ("policy", "behaviour", "runs"), [("closed", "open", True), ("open", "closed", False)]
)
def test_an_open_breaker_answers_as_the_user_set_it(here, api, policy, behaviour, runs):
    here.env["COMPASS_ERROR_POLICY"] = policy
    here.env["COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR"] = f"fail_{behaviour}"
    for number in range(3):
        write(here, number)
    assert (reason(here, 9) is None) is runs
    deletion = here.payload("Bash", {"command": "rm -r src"})
    assert run(here, "pre-tool-use", deletion).reason is not None, "what destroys never runs unjudged"


def test_in_observe_mode_nothing_is_said_to_be_held(here, api):
    here.env["COMPASS_MODE"] = "observe"
    done = run(here, "pre-tool-use", payload(here, 1))
    assert done.reason is None
    text = told(done.stdout)
    assert "In observe mode nothing is held" in text
    assert "is held." not in text.replace("nothing is held.", "")


def test_answers_that_are_merely_invalid_are_no_outage(here, api):
    api.default = reply("nonsense")
    assert not is_down(write(here, 1))
    assert rows(here, "SELECT count(*) FROM outages") == [(0,)]
