"""What a user's word does to what was held back, in real sessions; what nobody else's does; and what a person sees.

Recorded with 2.1.330: a prompt that a hook stops (`continue: false`) is shown as `Operation stopped by hook: TEXT` with
every line of it, makes no request and stays in the file as the person's; the next request to the model shows both. A
`systemMessage` is shown as `UserPromptSubmit says: TEXT`. For a prompt that was typed while the agent works the hook
runs at once, and once only, with the running prompt's id: stopped, it waits for the end of the turn and is shown then;
else it joins the turn at the next tool result, where its `systemMessage` is shown, or opens a turn of its own under a
new id (`promptSource: queued`). `/compass ...` never reaches a hook at the terminal: the client knows no such command.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.messages_api import MODEL_LATENCY
from e2e.playing.replies import DOUBTFUL, TIDY, Plot, Script, act, call, say, write
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


def turns(*names: str) -> Plot:
    """A turn for each file: one write, and a word at its end that tells which turn it was."""

    def plot(project: Path) -> Script:
        said = [(write(project, name), say(f"End of turn {number}.")) for number, name in enumerate(names, 1)]
        return Script(tuple(message for turn in said for message in turn))

    return plot


def tell(terminal: Terminal, control: str, *shown: str) -> None:
    """A control that costs no model turn: what is shown is all that happens."""
    before = [terminal.count(words) for words in shown]
    terminal.type(control)
    for words, count in zip(shown, before, strict=True):
        terminal.until(lambda words=words, count=count: terminal.count(words) > count, words)


def asked_of_models(session: Session) -> tuple[int, int]:
    return len(session.api.of("agent")), len(session.readers_asked())


def test_a_near_miss_is_answered_and_judges_nothing(open_session: Open) -> None:
    plot = turns("cleanup.py", "cleanup.py")
    session = open_session(plot, readers=DOUBTFUL, latency=MODEL_LATENCY).gated()
    with Terminal(session) as terminal:
        terminal.ask(TIDY, 1)
        before = asked_of_models(session)
        for slip in ("compass proceed", "compas: proced", "compass proceed please"):
            asked = "Compass: did you mean `compass: proceed`?"
            tell(terminal, slip, asked, "Nothing was released or changed.")
        tell(terminal, "compass: foo", "Compass does not know this word", "`compass: status`")
        assert asked_of_models(session) == before
        assert not (session.project / "cleanup.py").exists()
        terminal.ask("compass: proceed", 2)
        assert terminal.shows("UserPromptSubmit says: Compass: allowed by you, once each: create cleanup.py.")
        terminal.assert_settings_load()
    assert (session.project / "cleanup.py").exists()
    assert len(session.readers_asked()) == 5


def test_a_proceed_typed_at_the_end_of_a_turn_counts_when_its_own_comes(open_session: Open) -> None:
    """No tool runs any more that it could join: the client gives it a turn, and an id that no hook was told."""
    session = open_session(turns("cleanup.py", "cleanup.py"), readers=DOUBTFUL, latency=4.0).gated()
    with Terminal(session) as terminal:
        terminal.type(TIDY)
        terminal.until(lambda: terminal.shows("Compass held back"), "the block")
        terminal.ask("compass: proceed", 2)
        terminal.assert_settings_load()
    assert (session.project / "cleanup.py").exists()
    assert len(session.readers_asked()) == 5


def test_headless_a_control_is_the_result_and_makes_no_request(open_session: Open) -> None:
    session = open_session(turns("cleanup.py"), readers=DOUBTFUL).gated()
    told = stopped(session.run("compass: status"))
    assert told.splitlines()[0].startswith("Operation stopped by hook: Compass: mode enforce")
    assert "did you mean `compass: cancel`?" in stopped(session.resume("compas: cancel"))
    assert "Compass is paused for 10 minutes" in stopped(session.resume("compass: pause"))
    assert session.api.of("agent") == []
    session.resume(TIDY).assert_hooks_ran("UserPromptSubmit", "PreToolUse")
    assert (session.project / "cleanup.py").exists(), "the stopped prompt stands in the file, so it counts"
    assert session.readers_asked() == []


def stopped(run: Run) -> str:
    """What a run without a model turn tells; the client says that it kept the prompt."""
    run.assert_hooks_ran("UserPromptSubmit")
    (outcome,) = (line["prompt_submit_outcome"] for line in run.lines if "prompt_submit_outcome" in line)
    assert (outcome["kind"], outcome["prompt_kept"]) == ("stopped_by_hook", True)
    return str(run.end["result"])
