"""What becomes of a write when the readers cannot answer, by the error policy."""

from __future__ import annotations

import pytest
from e2e.playing.replies import Hang, Raw, ReaderAnswer, Refuse, Reset, every, writes
from e2e.playing.session import Open

pytestmark = pytest.mark.e2e

REQUEST = "Create config.yaml in the project's root, with debug turned on"

FAULTS: dict[str, ReaderAnswer] = {
    "529": Refuse(529, "overloaded_error"),
    "reset": Reset(),
    "prose": Raw("I would say that this is fine."),
}


@pytest.mark.parametrize(
    ("fault", "policy"), [("529", "closed"), ("reset", "closed"), ("prose", "closed"), ("529", "open")]
)
def test_what_readers_cannot_judge_goes_by_the_policy(open_session: Open, fault: str, policy: str) -> None:
    variables = {"COMPASS_ERROR_POLICY": policy}
    session = open_session(writes("config.yaml"), readers=every(FAULTS[fault]), variables=variables).gated()
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    passes = policy == "open"
    assert (session.project / "config.yaml").exists() is passes
    assert run.denials == [] if passes else "config.yaml" in run.denial()
    assert len(session.api.of("reader")) >= 5
    check = session.explain()
    assert (check["decision"], check["reason"]) == ("allow" if passes else "deny", "sampler_error")
    (event,) = session.events()
    assert event["event_type"] == "compass.check.skipped"
    assert event["payload"]["reason"] == "sampler_error"


def test_a_reader_that_hangs_does_not_hold_the_write_past_the_deadline(open_session: Open) -> None:
    variables = {"COMPASS_DEADLINE_SECONDS": "2.0", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "60"}
    session = open_session(writes("config.yaml"), readers=every(Hang()), variables=variables)
    session.gated()
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "config.yaml").exists()
    assert run.seconds < 20
