"""Calls that only read, where something is to be told at them: no fault of ours denies one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compass.hook.journey import Journey
from compass.hook.policy import Policy
from compass.joining.gate import Wired


def answer(place: Path, tool: str, *, late: bool) -> bytes:
    """Of a gate that enforces, whose state cannot be had."""

    def broken() -> Wired:
        raise OSError("no state")

    env = {
        "COMPASS_ENABLED": "true",
        "COMPASS_MODE": "enforce",
        "HOME": str(place),
        "ONLOOKER_DIR": str(place),
    }
    policy = Policy("pre-tool-use", env, str(place), lambda _: None)
    payload = {"session_id": "s", "cwd": str(place), "tool_name": tool, "tool_input": {"file_path": "a.py"}}
    journey = Journey("pre-tool-use", json.dumps(payload).encode(), policy, broken, lambda: 0.0)
    return journey.late("no verdict within 20 s") if late else journey.end(str(place))


@pytest.mark.parametrize("late", [False, True])
def test_a_fault_denies_writes_and_never_reads(tmp_path: Path, late: bool) -> None:
    assert answer(tmp_path, "Read", late=late) == b""
    assert b'"deny"' in answer(tmp_path, "Write", late=late)
