"""What a user's word does to what was held back, in real sessions; and what nobody else's word does."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.replies import DOUBTFUL, TIDY, Script, act, call, say, write
from e2e.playing.session import Open, Run, Session, shown_to
from e2e.playing.terminal import Terminal

pytestmark = pytest.mark.e2e


STOPPED = say("It was held back.")


def blocked(session: Session, request: str = TIDY) -> Run:
    """The first turn: five readers are asked, and what the agent tries does not run."""
    run = session.run(request)
    run.assert_hooks_ran("UserPromptSubmit", "PreToolUse")
    assert "Compass held back" in run.denial()
    assert len(session.readers_asked()) == 5
    return run


def reasons(session: Session) -> list[str]:
    """The public events' types in order, without their common beginning."""
    return [str(event["event_type"]).removeprefix("compass.check.") for event in session.events()]


def test_proceed_lets_the_blocked_write_run_once_and_tells_the_agent_so(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        path = str(project / "cleanup.py")
        read = act("Reading.", call("Read", file_path=path))
        one = act("Editing.", call("Edit", file_path=path, old_string="zero", new_string="one"))
        two = act("Once more.", call("Edit", file_path=path, old_string="one", new_string="two"))
        return Script((read, one, STOPPED, one, two, STOPPED))

    # A cooldown would excuse the second write for another reason than the release.
    cold = {"COMPASS_COOLDOWN__SECONDS": "0"}
    session = open_session(plot, readers=DOUBTFUL, variables=cold).gated()
    # The person's own: what the session made would be excused for that, too.
    cleanup = session.project / "cleanup.py"
    cleanup.write_text("zero\n")
    blocked(session)
    assert cleanup.read_text() == "zero\n"
    before = session.api.of("agent")
    run = session.resume("compass: proceed")
    run.assert_hooks_ran("UserPromptSubmit", "PreToolUse", "PostToolUse")
    told = f"The user allowed what Compass held back: edit {cleanup}. Each may run once."
    shown = [shown_to(request.body) for request in session.api.of("agent")]
    assert [told in text for text in shown[: len(before) + 1]] == [False] * len(before) + [True]
    first, second = run.results
    assert not first.is_error
    assert cleanup.read_text() == "one\n"
    assert "Compass held back" in second.text
    assert len(session.readers_asked()) == 10, "the second write was judged, not released"
    assert reasons(session) == ["failed", "overridden", "failed"]


def test_in_an_attended_session_only_what_is_typed_releases(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        turns = (write(project, "cleanup.py"), say("One is over."), write(project, "cleanup.py"))
        return Script((*turns, say("Two is over."), write(project, "cleanup.py"), say("Three is over.")))

    session = open_session(plot, readers=DOUBTFUL).gated()
    cleanup = session.project / "cleanup.py"
    with Terminal(session) as terminal:
        terminal.type(TIDY)
        terminal.until(lambda: terminal.shows("One is over."), "the end of the first turn")
        assert len(session.readers_asked()) == 5
        run = session.resume("compass: proceed")
        run.assert_hooks_ran("UserPromptSubmit", "PreToolUse")
        assert {event["session_id"] for event in session.events()} == {run.session_id}
        assert "Compass still holds back" in run.denial()
        assert not cleanup.exists()
        terminal.type("compass: proceed")
        terminal.until(lambda: terminal.shows("Three is over."), "the end of the last turn")
        terminal.assert_settings_load()
    assert cleanup.exists()
    assert len(session.readers_asked()) == 5


def test_the_fourth_identical_denial_ends_the_turn(open_session: Open) -> None:
    def plot(project: Path) -> Script:
        return Script(tuple(write(project, "cleanup.py", f"{number}\n") for number in range(6)))

    session = open_session(plot, readers=DOUBTFUL).gated()
    run = session.run(TIDY)
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "cleanup.py").exists()
    assert run.end["terminal_reason"] == "hook_stopped"
    assert len(run.hooks("PreToolUse")) == len(run.denials) == 4
    assert len(session.api.of("agent")) == 4, "no model was asked after the fourth"
    assert len(session.readers_asked()) == 5
    first, second, third = (result.text for result in run.results)
    assert "Compass held back" in first
    assert "because the user has not released it" in second
    assert "because the user has not released it" in third
