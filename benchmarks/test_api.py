"""`judge` beside `compass check` in one process, call by call."""

from __future__ import annotations

import contextlib
import io
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from compass import Verdict, judge
from compass.commands import check
from compass.composition import process

ALIKE = 1.05
"""What "no more" leaves to the noise of one run."""
FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
ROWS = {
    "read": ("Show me the folder", "ls -la src"),
    "held": ("Just delete it.", "rm src/old_auth.py"),
    "clear": ("Delete src/old_auth.py", "rm src/old_auth.py"),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("home", "state", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path / "project")
    yield tmp_path / "project"
    process.close()


def checked(project: Path, request: str, command: str) -> Callable[[], object]:
    """`compass check --json` of the same case, without the start of a process."""
    case = project / "case.json"
    row = {"user_message": request, "prior_assistant_turn": FOUND, "tool_name": "Bash", "command": command}
    case.write_text(json.dumps(row))
    parser = ArgumentParser()
    parser.add_argument("--json", action="store_true")
    check.add_check_arguments(parser)
    args: Namespace = parser.parse_args(["--json", "--case", str(case), "--backend", "embedded"])

    def run() -> object:
        with contextlib.redirect_stdout(io.StringIO()) as told:
            check.run_check(args)
        return json.loads(told.getvalue())

    return run


@pytest.mark.parametrize("name", ROWS)
def test_judge_beside_the_command(beside: Any, benchmark: Any, project: Path, name: str) -> None:
    request, command = ROWS[name]
    reference = checked(project, request, command)
    found: Verdict = beside(
        lambda: judge(request, prior=FOUND, command=command, backend="embedded"), reference, rounds=41
    )
    told: Any = reference()
    assert (found.verdict, found.reason) == (told["verdict"], told["reason"])
    if benchmark.stats is not None:
        assert benchmark.extra_info["ratio"] <= ALIKE
