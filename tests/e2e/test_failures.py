"""What becomes of a write when the readers cannot answer, by the error policy."""

from __future__ import annotations

import pytest
from e2e.playing.replies import Hang, Raw, ReaderAnswer, Refuse, Reset, every, writes
from e2e.playing.session import Open, Session

pytestmark = pytest.mark.e2e

REQUEST = "Create config.yaml in the project's root, with debug turned on"
QUICKLY = {
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "1.0",
}
"""The defaults wait longer; what is proven here does not turn on how long."""

FAULTS: dict[str, ReaderAnswer] = {
    "500": Refuse(500),
    "529": Refuse(529, "overloaded_error"),
    "401": Refuse(401, "authentication_error"),
    "reset": Reset(),
    "hang": Hang(),
    "prose": Raw("I would say that this is fine."),
}


def broken(open_session: Open, answer: ReaderAnswer, policy: str) -> Session:
    variables = {**QUICKLY, "COMPASS_ERROR_POLICY": policy}
    session = open_session(writes("config.yaml"), readers=every(answer), variables=variables)
    session.init("--project", "--enforce", "--backend", "anthropic")
    return session


def assert_recorded(session: Session, decision: str) -> None:
    check = session.explain()
    assert (check["decision"], check["reason"]) == (decision, "sampler_error")
    (event,) = session.events()
    assert event["event_type"] == "compass.check.skipped"
    assert event["payload"]["reason"] == "sampler_error"


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_readers_block_under_the_closed_policy(open_session: Open, fault: str) -> None:
    session = broken(open_session, FAULTS[fault], "closed")
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "config.yaml").exists()
    assert "config.yaml" in run.denial()
    assert len(session.api.of("reader")) >= 5
    assert_recorded(session, "deny")


@pytest.mark.parametrize("fault", ["500", "reset", "hang"])
def test_broken_readers_let_the_write_pass_under_the_open_policy(open_session: Open, fault: str) -> None:
    session = broken(open_session, FAULTS[fault], "open")
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert (session.project / "config.yaml").exists()
    assert run.denials == []
    assert len(session.api.of("reader")) >= 5
    assert_recorded(session, "allow")


def test_a_reader_that_hangs_does_not_hold_the_write_past_the_deadline(open_session: Open) -> None:
    variables = {"COMPASS_DEADLINE_SECONDS": "2.0", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "60"}
    session = open_session(writes("config.yaml"), readers=every(Hang()), variables=variables)
    session.init("--project", "--enforce", "--backend", "anthropic")
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "config.yaml").exists()
    assert run.seconds < 20
