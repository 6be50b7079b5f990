"""Calls that only read: no fault of ours denies one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from compass.hook import entry


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A gate that enforces, and that cannot be made."""

    def broken(*_: object, **__: object) -> None:
        raise OSError("no state")

    for name in [name for name in os.environ if name.startswith(("COMPASS_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    for name, value in {"COMPASS_ENABLED": "true", "COMPASS_MODE": "enforce"}.items():
        monkeypatch.setenv(name, value)
    for name in ("HOME", "ONLOOKER_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("compass.hook.dispatch.wire", broken)
    return tmp_path


@pytest.mark.parametrize("late", ["", "no verdict within 20 s"])
def test_a_fault_denies_writes_and_never_reads(place: Path, late: str) -> None:
    late_answers: list[bytes] = []

    def answer(tool: str) -> bytes:
        payload = {
            "session_id": "s",
            "cwd": str(place),
            "tool_name": tool,
            "tool_input": {"file_path": "a.py"},
        }
        return entry.judge("pre-tool-use", json.dumps(payload).encode(), late_answers.append, late=late)

    assert answer("Read") == b""
    assert b'"deny"' in answer("Write")
    assert late_answers == []
