"""The hook as a real process: signals, pipes that end early, huge input, readers and steps that hang."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, hang
from running.hookstart import (
    CLEAR,
    Ended,
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
    assert_whole_or_nothing(ended)
    assert_sound(here)
    valid_events(here)
    here.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    assert run(here, "pre-tool-use", deletion(here)).reason is not None


def assert_whole_or_nothing(ended: Ended) -> None:
    """An answer by policy, or an end that the host takes for a failure and answers by `onFailure`."""
    if ended.stdout:
        assert reason_of(ended.stdout) is not None
    else:
        assert ended.code != 0, "an empty answer with exit code 0 would let the write through"


# Input and output


@pytest.mark.full
@pytest.mark.parametrize(
    ("tool", "field"), [("Write", "content"), ("Bash", "command"), ("Write", "file_path")]
)
def test_64_megabytes_on_stdin_are_answered_in_time(here: Any, tool: str, field: str) -> None:
    given = {"file_path": str(here.project / "notes.txt"), "content": "x", "command": "rm -rf a"}
    wanted = {"Write": ("file_path", "content"), "Bash": ("command",)}[tool]
    given = {name: given[name] for name in wanted}
    given[field] += " a/b" * (15 * MEBIBYTE)
    raw = json.dumps(here.payload(tool, given)).encode()
    assert 60 * MEBIBYTE < len(raw) < 64 * MEBIBYTE
    here.env["COMPASS_DEADLINE_SECONDS"] = "5"
    began = time.monotonic()
    ended = run(here, "pre-tool-use", raw)
    assert time.monotonic() - began < 50
    reason_of(ended.stdout, ended.code)
    assert b"Traceback" not in ended.stderr


def test_a_prompt_of_60_megabytes_holds_up_nobody_after_it(here: Any) -> None:
    prompt = run(here, "user-prompt-submit", here.payload(prompt="please " * (9 * MEBIBYTE)))
    assert (prompt.code, prompt.stdout) == (0, b"")
    began = time.monotonic()
    assert run(here, "pre-tool-use", deletion(here)).reason is not None
    assert time.monotonic() - began < 50


def test_little_memory_is_answered_by_policy(here: Any) -> None:
    """A payload that the process has no room for, as in a small container."""
    raw = json.dumps(here.payload(given={"file_path": "/p/a.txt", "content": "x" * 50 * MEBIBYTE})).encode()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (160 * MEBIBYTE, 160 * MEBIBYTE))

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


def closed(*descriptors: int) -> Callable[[], None]:
    def close() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return close


def test_a_stdout_that_is_closed_from_the_start_gets_the_answer_nowhere_else(here: Any) -> None:
    """Above all not into a file that took its place, such as the database."""
    ended = run(here, "pre-tool-use", deletion(here), limits=closed(1))
    assert ended.code != 0
    assert b"permissionDecision" not in ended.stderr
    assert run(here, "pre-tool-use", here.payload()).code == 0
    assert_sound(here)


def test_a_stdin_that_is_closed_from_the_start_is_answered_by_policy(here: Any) -> None:
    ended = run(here, "pre-tool-use", None, stdin=subprocess.DEVNULL, limits=closed(0))
    assert ended.reason is not None


def test_whatever_stderr_is_the_answer_is_still_given(here: Any) -> None:
    """None at all, one whose reader left early, one on a full device."""
    for raw in (b"{oops", json.dumps(deletion(here)).encode()):
        assert run(here, "pre-tool-use", raw, limits=closed(2)).reason is not None
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


STUCK = """
sys.path.insert(0, {root!r})
import time
from evaluator.state import database
database.LOCK_SECONDS = 60.0
from evaluator.gate import pipeline
steps = list(pipeline.STEPS)
steps[{number}] = lambda run: time.sleep(60)
pipeline.STEPS = tuple(steps)
"""


@pytest.mark.full
@pytest.mark.parametrize(("policy", "first"), [("closed", 0), ("open", len(pipeline.STEPS) - 1)])
def test_a_step_that_hangs_is_answered_by_policy_at_the_deadline(here: Any, policy: str, first: int) -> None:
    here.env.update({"COMPASS_DEADLINE_SECONDS": "1.5", "COMPASS_ERROR_POLICY": policy})
    root = str(Path(pipeline.__file__).parents[2])
    raw = json.dumps(here.payload()).encode()
    stuck = [
        start(here, "pre-tool-use", altered=STUCK.format(root=root, number=number))
        for number in range(first, len(pipeline.STEPS))
    ]
    with ThreadPoolExecutor(len(stuck)) as pool:
        ends = list(pool.map(partial(end, payload=raw), stuck))
    for ended, step in zip(ends, pipeline.STEPS[first:], strict=True):
        assert (ended.reason is not None) == (policy == "closed"), step.__name__
        assert ended.reason is None or "no verdict within 1.5 s" in ended.reason
    assert len([line for line in fault_lines(here) if "no verdict within" in line]) == len(stuck)
    assert_sound(here)
