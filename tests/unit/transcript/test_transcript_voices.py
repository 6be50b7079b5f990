"""Who spoke, as the file tells it: in which words, under which id, and after what."""

from __future__ import annotations

from pathlib import Path

from samples.sessions import Session, pending_write

from evaluator.ports import Voice
from hooks.hosts.claude_code.reader import TranscriptReader


def voices(session: Session, folder: Path) -> list[Voice]:
    path = session.write(folder / "session.jsonl")
    return list(TranscriptReader().voices(pending_write(path, "p2")))


def test_a_voice_knows_the_last_message_before_it(tmp_path: Path) -> None:
    session = Session()
    session.prompt("first", "p1")
    session.says("An earlier message?", "m1")
    session.calls("Read", {}, "t1", "m1")
    session.result(use_id="t1")
    session.says("Held back.", "m2")
    session.says("Shall I?", "m2")
    session.prompt("yes", "p2")
    session.says("Going on.", "m3")
    second, first = voices(session, tmp_path)
    assert second == Voice("yes", "p2", typed=True, after="Held back.\n\nShall I?")
    assert first == Voice("first", "p1", typed=True, after="")


def test_nothing_was_said_between_two_messages_in_a_row(tmp_path: Path) -> None:
    session = Session()
    session.turn("first", "p1", "Shall I delete it?")
    session.prompt("compas: proceed", "p2")
    session.user("Operation stopped by hook: Compass: did you mean", isMeta=True)
    session.prompt("yes", "p3")
    assert [(voice.text, voice.after) for voice in voices(session, tmp_path)] == [
        ("yes", ""),
        ("compas: proceed", "Shall I delete it?"),
        ("first", ""),
    ]


def test_one_that_waited_for_its_turn_tells_no_id_that_a_hook_was_told(tmp_path: Path) -> None:
    session = Session()
    session.turn("first", "p1", "done")
    session.prompt("compass: proceed", "p2", promptSource="queued")
    assert [voice.prompt_id for voice in voices(session, tmp_path)] == [None, "p1"]


def test_one_that_joined_the_running_turn_is_a_voice_as_well(tmp_path: Path) -> None:
    session = Session()
    session.prompt("first", "p1")
    session.says("Working.", "m1")
    session.calls("Bash", {}, "t1", "m1")
    session.result(use_id="t1")
    session.queued("yes")
    newest, _ = voices(session, tmp_path)
    assert newest == Voice("yes", None, typed=True, after="Working.", during=("p1",))


def test_one_without_an_id_tells_in_which_turns_it_may_have_been_typed(tmp_path: Path) -> None:
    session = Session()
    session.turn("zero", "p0", "done")
    session.prompt("first", "p1")
    session.says("Working.", "m1")
    session.prompt("and this", "p2", promptSource="queued")
    session.says("Done.", "m2")
    session.prompt("and that", "p3", promptSource="queued")
    session.queued("yes")
    found = {voice.text: voice.during for voice in voices(session, tmp_path)}
    assert found == {
        "zero": (),
        "first": (),
        "and this": ("p1",),
        "and that": ("p2", "p1"),
        "yes": ("p3", "p2", "p1"),
    }
