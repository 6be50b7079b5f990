"""The hook as a real process: signals, pipes that end early, huge input, readers and steps that hang."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, hang
from running.hookrun import (
    CLEAR,
    assert_sound,
    deletion,
    end,
    fault_lines,
    hand_over,
    place,
    point_at,
    reason_of,
    rows,
    run,
    start,
    valid_events,
)

from evaluator.gate import pipeline

MEBIBYTE = 1024 * 1024


@pytest.fixture
def here(tmp_path: Path) -> Any:
    found = place(tmp_path)
    found.say(CLEAR)
    return found


STUCK = f"""
sys.path.insert(0, {str(Path(pipeline.__file__).parents[2])!r})
import time
from evaluator.gate import pipeline
steps = list(pipeline.STEPS)
steps[NUMBER] = lambda run: time.sleep(60)
pipeline.STEPS = tuple(steps)
"""

# Signals


@pytest.mark.spread(1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda s: s.name)
def test_a_signal_in_mid_check_leaves_no_partial_answer_and_a_sound_state(
    here: Any, number: signal.Signals
) -> None:
    with LoopbackApi(default=hang()) as api:
        point_at(here, api, deadline=20)
        process = start(here, "pre-tool-use")
        hand_over(process, here.payload())
        assert api.wait_for_requests(5, 20)
        process.send_signal(number)
        # A signal may come while nothing can take it: then the deadline ends the check.
        ended = end(process, timeout=30)
    # An answer by policy, or an end that the host takes for a failure and answers by `onFailure`.
    assert reason_of(ended.stdout) is not None if ended.stdout else ended.code != 0
    assert_sound(here)
    valid_events(here)
    here.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    assert run(here, "pre-tool-use", deletion(here)).reason is not None


# Input and output


def test_60_megabytes_are_answered_in_time_and_hold_up_nobody_after_them(here: Any) -> None:
    prompt = run(here, "user-prompt-submit", here.payload(prompt="please " * (9 * MEBIBYTE)))
    assert (prompt.code, prompt.stdout) == (0, b"")
    began = time.monotonic()
    here.env["COMPASS_DEADLINE_SECONDS"] = "5"
    long = here.payload("Bash", {"command": "rm -rf a" + " a/b" * (15 * MEBIBYTE)})
    ended = run(here, "pre-tool-use", long)
    reason_of(ended.stdout, ended.code)
    assert b"Traceback" not in ended.stderr
    assert run(here, "pre-tool-use", deletion(here)).reason is not None
    assert time.monotonic() - began < 90


def test_little_memory_is_answered_by_policy(here: Any) -> None:
    """A payload that the process has no room for, as in a small container."""
    raw = json.dumps(here.payload(given={"file_path": "/p/a.txt", "content": "x" * 50 * MEBIBYTE})).encode()

    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (160 * MEBIBYTE, 160 * MEBIBYTE))
    ended = run(here, "pre-tool-use", raw, limits=limit)
    assert reason_of(ended.stdout, ended.code) is not None


def test_a_reader_of_stdout_that_left_early_costs_the_answer_alone(here: Any) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb", closefd=True) as out:
        ended = run(here, "pre-tool-use", deletion(here), stdout=out)
    assert ended.code != 0, "the host must not take it for an answer"
    assert_sound(here)
    assert [event["event_type"] for event in valid_events(here)] == ["compass.check.failed"]


def test_a_stdin_or_stdout_that_is_closed_from_the_start_lets_nothing_through(here: Any) -> None:
    """The answer goes nowhere else, above all not into a file that took its place, such as the database."""
    ended = run(here, "pre-tool-use", deletion(here), limits=partial(os.close, 1))
    assert ended.code != 0
    assert b"permissionDecision" not in ended.stderr
    assert run(here, "pre-tool-use", here.payload()).code == 0
    assert_sound(here)
    unasked = run(here, "pre-tool-use", None, stdin=subprocess.DEVNULL, limits=partial(os.close, 0))
    assert unasked.reason is not None


def test_whatever_stderr_is_the_answer_is_still_given(here: Any) -> None:
    """None at all, one whose reader left early, one on a full device."""
    for raw in (b"{oops", json.dumps(deletion(here)).encode()):
        assert run(here, "pre-tool-use", raw, limits=partial(os.close, 2)).reason is not None
    reading, writing = os.pipe()
    os.close(reading)
    for stderr in (writing, "/dev/full"):
        with open(stderr, "wb") as errors:
            assert run(here, "pre-tool-use", b"{oops", stderr=errors).reason is not None


# Deadline


@pytest.mark.spread(1)
@pytest.mark.parametrize(
    ("policy", "denies", "deadline"),
    [("closed", True, 30), ("closed", True, 8), ("open", False, 30), ("embedded", False, 30)],
)
def test_readers_that_hang_are_answered_by_policy_before_the_deadline(
    here: Any, policy: str, denies: bool, deadline: float
) -> None:
    """Of the check, or of each sample. The embedded readers find nothing against this write."""
    here.env["COMPASS_ERROR_POLICY"] = policy
    with LoopbackApi(default=hang()) as api:
        point_at(here, api, deadline=deadline)
        if deadline > 8:
            here.env["COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS"] = "1"
        began = time.monotonic()
        ended = run(here, "pre-tool-use", here.payload())
    assert time.monotonic() - began < 25
    assert (ended.reason is not None) == denies
    assert not denies or "timeout" in str(ended.reason)
    ((reason,),) = rows(here, "SELECT json_extract(record, '$.reason') FROM checks")
    assert reason == "sampler_error"


@pytest.mark.parametrize(("policy", "number"), [("closed", 0), ("closed", -1), ("open", -1)])
def test_a_step_that_hangs_is_answered_by_policy_at_the_deadline(here: Any, policy: str, number: int) -> None:
    here.env.update({"COMPASS_DEADLINE_SECONDS": "1.5", "COMPASS_ERROR_POLICY": policy})
    ended = run(here, "pre-tool-use", here.payload(), altered=STUCK.replace("NUMBER", str(number)))
    assert (ended.reason is not None) == (policy == "closed")
    assert ended.reason is None or "no verdict within 1.5 s" in ended.reason
    assert len([line for line in fault_lines(here) if "no verdict within" in line]) == 1
    assert_sound(here)


SPENT = """
from compass.hook import dispatch
decide = dispatch.decide
dispatch.decide = lambda *given, **more: decide(*given, **more | {"spent": 28.0})
"""


def test_what_a_killed_service_took_of_the_deadline_is_gone(here: Any) -> None:
    here.env["COMPASS_DEADLINE_SECONDS"] = "29"
    began = time.monotonic()
    altered = STUCK.replace("NUMBER", "0") + SPENT
    assert run(here, "pre-tool-use", here.payload(), altered=altered).reason is not None
    assert time.monotonic() - began < 25
