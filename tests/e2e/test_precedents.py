"""What a person settled on one day is not asked on the next, in real sessions; and asked again once it is forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.playing.dialogues import OVER, WHICH, Person, Story, playing, says
from e2e.playing.replies import Json, Message, act, call
from e2e.playing.session import Open, Session
from e2e.playing.terminal import Terminal

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

CSV, JSON = "csv_parser.py", "json_parser.py"
LINE = "STRICT = False\n"
TUESDAY = "Add a depth limit to the parser"
WEDNESDAY = "Let the parser take comments, too"
SLOT = '"Make the parser stricter." meant "json_parser.py"'


def edits(old: str, new: str) -> Callable[[Path], Message]:
    def message(project: Path) -> Message:
        path = str(project / JSON)
        return act("Editing it.", call("Edit", file_path=path, old_string=old, new_string=new))

    return message


STORY = Story(
    look="Have a look at how strict our parsers are",
    said="Both csv_parser.py and json_parser.py let trailing commas pass.",
    request="Make the parser stricter.",
    verb="edit",
    action="change",
    meant=JSON,
    other=CSV,
    tool="Edit",
    tries=edits("STRICT = False", "STRICT = True"),
    files={CSV: LINE, JSON: LINE},
)
"""The request does not tell which of the two is meant, and the person says so once."""


def memory(session: Session) -> list[Json]:
    found: list[Json] = json.loads(session.compass("memory", "list", "--json"))["precedents"]
    return found


def text_of(session: Session) -> str:
    return (session.project / JSON).read_text()


def test_asked_on_monday_not_on_tuesday_and_again_once_it_is_forgotten(open_session: Open) -> None:
    depth = edits("STRICT = True", "STRICT = True\nDEPTH = 64")
    comments = edits("DEPTH = 64", "DEPTH = 64\nCOMMENTS = True")
    plot = STORY.plot(STORY.tries, says(OVER), depth, says("The limit is in."), comments, says(WHICH))
    with playing(open_session, STORY, plot, readers=STORY.readers(SLOT)) as person:
        session = person.session
        person.meets_the_question()
        person.asks(person.number_of(STORY.readings[1]), OVER)
        assert text_of(session) == "STRICT = True\n"
    (kept,) = memory(session)
    assert (kept["target"], kept["source"]) == (JSON, "chosen") and "parser" in kept["term"]
    asked = len(session.readers_asked())
    with Terminal(session) as terminal:
        tuesday = Person(STORY, session, terminal)
        tuesday.asks(TUESDAY, "The limit is in.")
        assert not terminal.shows("Compass held back")
        assert "DEPTH = 64" in text_of(session)
    shown = session.readers_asked()[asked:]
    assert shown and all(SLOT in one for one in shown)
    session.compass("memory", "forget", str(kept["precedent_id"]), "--yes")
    assert memory(session) == []
    asked = len(session.readers_asked())
    with Terminal(session) as terminal:
        wednesday = Person(STORY, session, terminal)
        wednesday.asks(WEDNESDAY, WHICH)
        terminal.assert_shows("says: Compass held back: edit json_parser.py")
        assert "COMMENTS" not in text_of(session)
    shown = session.readers_asked()[asked:]
    assert shown and not any(SLOT in one for one in shown)
