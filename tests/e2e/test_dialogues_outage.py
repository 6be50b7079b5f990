"""Dialogues: readers go down and come back, and the person is told of each once."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.dialogues import DELETE, LOOKED, MARKS, OVER, playing
from e2e.playing.replies import Json, Message, ReaderAnswer, ReaderPlan, Refuse, Script, act, call, judge, say
from e2e.playing.session import Open

pytestmark = MARKS

DOWN, BACK = "readers answer with errors, since", "readers answer again; they failed from"
STOPPED = "That was it for now."
BRIEF = {
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2",
    "COMPASS_MAX_CHECKS_PER_TURN": "9",
    "COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS": "1",
}
FIRST, MORE = range(4), range(4, 6)
"""More than it takes to open the breaker, and some after its end."""


@pytest.mark.parametrize("backend", ["anthropic", "claude-cli"])
def test_readers_are_down_and_come_back(open_session: Open, backend: str) -> None:
    down = [True]

    def answer(_number: int, _body: Json) -> ReaderAnswer:
        return Refuse(529, "overloaded_error") if down[0] else judge(0.95)

    def plot(project: Path) -> Script:
        def write(number: int) -> Message:
            path = str(project / "src" / str(number) / "part.py")
            return act("Writing.", call("Write", file_path=path, content="x = 1\n"))

        said = (*map(write, FIRST), say(STOPPED), *map(write, MORE), say(OVER))
        return Script((say(LOOKED), *said))

    readers = ReaderPlan(answer)
    with playing(open_session, DELETE, plot, backend=backend, readers=readers, variables=BRIEF) as person:
        person.asks("Have a look at the plan of the engine", LOOKED)
        person.asks("Create the parts of the engine below src, one module a folder, as planned", STOPPED)
        assert not person.has("src"), "nothing ran while readers were down"
        person.terminal.assert_shows(DOWN)
        person.terminal.assert_shows("every write that needs a judgement is held.")
        person.terminal.assert_shows("`compass config set error_policy embedded`")
        down[0] = False
        person.asks("Create the other parts of the engine below src, one module a folder, as planned", OVER)
        assert all(person.has(f"src/{number}/part.py") for number in MORE)
        person.terminal.assert_shows(DOWN)
        person.terminal.assert_shows(BACK)
