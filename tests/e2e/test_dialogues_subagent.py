"""Dialogues: a subagent's call is held, and the person is asked, and answers, where they type."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.dialogues import DELETE, LOOKED, MARKS, OVER, WHICH, playing
from e2e.playing.replies import Script, act, call, say
from e2e.playing.session import Open

pytestmark = MARKS

MARK = "SUBTASK-15"
FOREGROUND = {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}


@pytest.mark.parametrize(
    ("variables", "by"),
    [
        pytest.param({}, "UserPromptSubmit says:", id="in the background", marks=pytest.mark.e2e),
        pytest.param(FOREGROUND, "PostToolUse:Agent says:", id="waited for"),
    ],
)
def test_a_write_held_in_a_subagent_is_answered_in_the_parent(
    open_session: Open, variables: dict[str, str], by: str
) -> None:
    waited_for = bool(variables)

    def plot(project: Path) -> Script:
        task = f"{MARK}: delete the legacy module that nothing needs"
        hands_over = call(
            "Agent",
            description="Delete",
            prompt=task,
            subagent_type="general-purpose",
            run_in_background=not waited_for,
        )
        main = [say(f"{DELETE.said} {LOOKED}"), act("Delegating.", hands_over)]
        main += [] if waited_for else [say("It is under way.")]
        main += [say(WHICH), DELETE.tries(project), say(OVER)]
        return Script(tuple(main), {MARK: (DELETE.tries(project), say("It was held back."))})

    with playing(open_session, DELETE, plot, variables=variables) as person:
        person.asks(DELETE.look, LOOKED)
        person.asks("Just have an assistant delete it.", WHICH)
        person.sees_the_question(by)
        assert person.has(DELETE.meant)
        told = "stop and wait for the user, who was asked which is meant"
        assert told in person.session.api.of("agent")[-1].raw.decode(), "the parent's agent knows it too"
        person.asks(person.number_of(DELETE.readings[1]), OVER)
        assert not person.has(DELETE.meant)
        assert person.has(DELETE.other)
        person.terminal.assert_shows("could mean more than one thing.")
