"""`judge` beside `compass check` in one process, call by call; a hundred awaited checks beside one."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from apis.counted_api import CountedApi
from running.hookrun import KEY

from compass import Verdict, judge, judge_async
from compass.commands import check
from compass.composition import process

SECONDS, QUICK_SECONDS = 5.0, 0.5
"""What a reader takes: in a measurement, and where the benchmark is run as a test."""
HUNDRED = 100
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
    check.add_arguments(parser)
    args: Namespace = parser.parse_args(["--json", "--case", str(case), "--backend", "embedded"])

    def run() -> object:
        with contextlib.redirect_stdout(io.StringIO()) as told:
            check.run(args)
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


async def noted(number: int) -> Verdict:
    """No two of them have equal evidence, so that none shares another's readers."""
    text = f"Create n{number}.txt in this project with a line that says hello"
    return await judge_async(text, path=f"n{number}.txt", content="hello\n", backend="anthropic")


async def side_by_side(count: int, first: int) -> list[Verdict]:
    return await asyncio.gather(*(noted(first + number) for number in range(count)))


def test_a_hundred_awaited_beside_one(
    beside: Any, benchmark: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one reader's time: the rest is the work of five hundred requests."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES", str(5 * HUNDRED))
    numbers = iter(range(0, 10**9, HUNDRED))
    monkeypatch.setenv("COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS", "60")
    monkeypatch.setenv("COMPASS_DEADLINE_SECONDS", "60")

    def run(count: int) -> list[Verdict]:
        return asyncio.run(side_by_side(count, next(numbers)))

    with CountedApi(QUICK_SECONDS if benchmark.disabled else SECONDS) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        found = beside(lambda: run(HUNDRED), lambda: run(1), rounds=3)
    assert [one.verdict for one in found] == ["passed"] * HUNDRED
    if benchmark.stats is not None:
        assert benchmark.extra_info["ratio"] < 2, "two after another would take twice the time"
