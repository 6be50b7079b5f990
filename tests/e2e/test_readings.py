"""Readings in real sessions: what readers understood is put to the user, and a digit picks one."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.replies import Json, Message, Plot, ReaderAnswer, ReaderPlan, Script, act, call, judge, say
from e2e.playing.session import Open, Session, shown_to

pytestmark = pytest.mark.e2e

REQUEST = (
    "Now write the missing module as we said, in the way in which all of the others were written before it"
)
CHOSEN = "create beta.py"


def write(project: Path, name: str) -> Message:
    return act("Writing it.", call("Write", file_path=str(project / name), content="pass\n"))


def plot(project: Path) -> Script:
    first = (write(project, "alpha.py"), say("It was held back."))
    return Script((*first, write(project, "alpha.py"), write(project, "beta.py"), say("Done.")))


def understood_differently(number: int, body: Json) -> ReaderAnswer:
    """Three of five read alpha.py, two beta.py; no fewer than five settle the block, so that none is cut short."""
    shown = shown_to(body)
    if CHOSEN in shown:
        fits = 'target: "beta.py"' in shown
        return judge(0.95 if fits else 0.1, "none" if fits else "target", target="beta.py")
    return judge(
        0.3, "target", "Two modules are missing.", target="alpha.py" if number % 5 < 3 else "beta.py"
    )


def gated(session: Session) -> Session:
    session.init("--project", "--enforce", "--backend", "anthropic")
    return session


@pytest.fixture
def script() -> Plot:
    return plot


def test_a_digit_picks_a_reading_and_only_the_write_that_fits_it_lands(
    open_session: Open, script: Plot
) -> None:
    session = gated(open_session(script, readers=ReaderPlan(understood_differently, gather=5)))
    run = session.run(REQUEST)
    run.assert_hooks_ran("UserPromptSubmit", "PreToolUse")
    assert run.denial().endswith("the user, who was asked which is meant.")
    told = session.api.of("agent")[-1].raw.decode()
    for line in ("(1) create alpha.py", "(2) create beta.py"):
        assert line in told
    record = session.explain()
    assert record["agreement"] == pytest.approx(0.4)
    assert [len(cluster["readers"]) for cluster in record["clusters"]] == [3, 2]
    answered = session.resume("2")
    answered.assert_hooks_ran("UserPromptSubmit", "PreToolUse", "PostToolUse")
    assert not (session.project / "alpha.py").exists()
    assert (session.project / "beta.py").read_text() == "pass\n"
    assert [result.is_error for result in answered.results] == [True, False]
    kinds = [str(event["event_type"]).removeprefix("compass.check.") for event in session.events()]
    assert kinds[0] == "failed"
    assert kinds[1] in ("overridden", "passed"), "what only another reading names is held without a check"
