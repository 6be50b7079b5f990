"""What a program gives by the wrong type is an error of the family that names the argument."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from compass import (
    AsyncGate,
    CompassError,
    Gate,
    checks,
    explain,
    judge,
    judge_async,
    judge_case,
    judge_payload,
    pending_questions,
)

Given = Callable[[], object]
CASE = {"user_message": "x", "file_path": "a.py"}


@pytest.fixture
def gate(project: Path) -> Iterator[Gate]:
    with Gate(backend="embedded") as made:
        yield made


def test_of_the_functions(project: Path) -> None:
    wrong: list[tuple[str, Given]] = [
        ("user", lambda: judge(cast(Any, 5), command="ls")),
        ("user", lambda: judge(cast(Any, ["a", 5]), command="ls")),
        ("prior", lambda: judge("x", prior=cast(Any, 5), command="ls")),
        ("task", lambda: judge("x", task=cast(Any, []), command="ls")),
        ("tool", lambda: judge("x", tool=cast(Any, 5), input={})),
        ("input", lambda: judge("x", tool="t", input=cast(Any, [1]))),
        ("command", lambda: judge("x", command=cast(Any, ["ls", "-l"]))),
        ("path", lambda: judge("x", path=cast(Any, 5))),
        ("path", lambda: judge("x", path=cast(Any, b"a"))),
        ("content", lambda: judge("x", path="a", content=cast(Any, b"a"))),
        ("old", lambda: judge("x", path="a", old=cast(Any, 1))),
        ("new", lambda: judge("x", path="a", new=cast(Any, 1))),
        ("backend", lambda: judge("x", path="a", backend=cast(Any, ["embedded"]))),
        ("project", lambda: judge("x", path="a", project=cast(Any, 5))),
        ("tools", lambda: judge("x", path="a", tools=cast(Any, ["sh"]))),
        ("project", lambda: asyncio.run(judge_async("x", path="a", project=cast(Any, 5)))),
        ("host", lambda: judge_case(CASE, host=cast(Any, ["codex"]))),
        ("backend", lambda: judge_case(CASE, backend=cast(Any, {}))),
        ("transcript", lambda: judge_payload({}, transcript=cast(Any, 5))),
        ("check_id", lambda: explain(cast(Any, 5))),
        ("newest", lambda: checks(newest=cast(Any, "5"))),
        ("project", lambda: pending_questions(project=cast(Any, 5))),
        ("project", lambda: Gate(cast(Any, 5))),
        ("state", lambda: Gate(state=cast(Any, 5))),
        ("mode", lambda: Gate(mode=cast(Any, ["observe"]))),
        ("tools", lambda: AsyncGate(tools=cast(Any, 5))),
    ]
    for name, given in wrong:
        with pytest.raises(CompassError, match=f"^{name} has to be "):
            given()


def test_of_a_session(gate: Gate) -> None:
    session = gate.session("s")
    wrong: list[tuple[str, Given]] = [
        ("session_id", lambda: gate.session(cast(Any, 5))),
        ("history", lambda: gate.session("t", cast(Any, 5))),
        ("history", lambda: gate.session("t", cast(Any, ["user"]))),
        ("agent", lambda: session.delegate(cast(Any, 5), "x")),
        ("task", lambda: session.delegate("a", cast(Any, 5))),
        ("tool", lambda: session.before(cast(Any, 5), {}, call_id="1")),
        ("input", lambda: session.before("Write", cast(Any, "a"), call_id="1")),
        ("call_id", lambda: session.before("Write", {}, call_id=cast(Any, 5))),
        ("call_id", lambda: session.after(cast(Any, [5]))),
        ("what was said", lambda: session.user(cast(Any, 5))),
        ("what was said", lambda: session.agent(cast(Any, None))),
        ("what was said", lambda: session.after("1", output=cast(Any, b"x"))),
    ]
    for name, given in wrong:
        with pytest.raises(CompassError, match=name):
            given()


def test_what_is_right_passes(project: Path) -> None:
    assert judge(["Delete", "notes.txt"], path=Path("notes.txt"), backend="embedded").verdict
    assert judge("x", path="a.py", project=project, tools={}, backend="embedded").verdict
