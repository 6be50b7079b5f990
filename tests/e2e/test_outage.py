"""Readers that are overloaded and come back: what the person is told in real sessions, and how often."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.playing.replies import (
    Json,
    Plot,
    ReaderAnswer,
    ReaderPlan,
    Refuse,
    Script,
    act,
    call,
    judge,
    say,
)
from e2e.playing.session import Open, Run, Session

pytestmark = pytest.mark.e2e

REQUEST = "Create the six modules of the engine below src, one a folder, as the plan says"
GO_ON = "Create the other modules of the engine below src now, one a folder, as the plan says"
DOWN, BACK = "its readers answer with errors, since", "its readers answer again; they failed from"
VARIABLES = {
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2",
    "COMPASS_MAX_CHECKS_PER_TURN": "9",
    "COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS": "1",
}


class Readers:
    """Overloaded until they are mended."""

    def __init__(self) -> None:
        self.mended = False
        self.plan = ReaderPlan(self._answer)

    def _answer(self, _number: int, _body: Json) -> ReaderAnswer:
        return judge(0.95) if self.mended else Refuse(529, "overloaded_error")


def plot(first: int, more: int) -> Plot:
    def write(project: Path, number: int) -> Json:
        return call("Write", file_path=str(project / f"src/{number}/part.py"), content="x = 1\n")

    def made(project: Path) -> Script:
        held = [act("Writing.", write(project, number)) for number in range(first)]
        passed = [act("Writing.", write(project, number)) for number in range(first, first + more)]
        return Script((*held, say("That was it for now."), *passed, say("All of it is written.")))

    return made


def told(run: Run) -> list[str]:
    answers: list[Json] = [json.loads(hook.stdout) for hook in run.hooks("PreToolUse") if hook.stdout]
    return [str(answer["systemMessage"]) for answer in answers if "systemMessage" in answer]


@pytest.fixture
def gated(open_session: Open) -> Callable[..., tuple[Session, Readers]]:
    def start(policy: str = "closed", first: int = 4, more: int = 2) -> tuple[Session, Readers]:
        readers = Readers()
        variables = VARIABLES | {"COMPASS_ERROR_POLICY": policy}
        session = open_session(plot(first, more), readers=readers.plan, variables=variables)
        session.init("--project", "--enforce", "--backend", "anthropic")
        return session, readers

    return start


@pytest.mark.parametrize("policy", ["closed", "open"])
def test_down_is_told_once_and_back_once(gated: Callable[..., tuple[Session, Readers]], policy: str) -> None:
    session, readers = gated(policy)
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    texts = told(run)
    assert [DOWN in text for text in texts].count(True) == 1
    assert DOWN in texts[0]
    assert ("is held" if policy == "closed" else "run unjudged") in texts[0]
    assert f"compass config set error_policy {'embedded' if policy == 'closed' else 'closed'}" in texts[0]
    assert len(list((session.project / "src").glob("*/part.py"))) == (4 if policy == "open" else 0)
    readers.mended = True
    more = session.resume(GO_ON)
    more.assert_hooks_ran("PreToolUse")
    texts = told(more)
    assert [BACK in text for text in texts] == [True]
    assert (session.project / "src/5/part.py").exists()
    findings = {item["name"]: item for item in json.loads(session.compass("doctor", "--json", expect=(0, 1)))}
    assert "none lasts; anthropic at http://127.0.0.1:" in findings["outages"]["detail"]
    ran = "4 writes ran unjudged" if policy == "open" else "4 writes held for want of a judgement"
    assert ran in findings["unjudged"]["detail"]
