"""A question was asked and the agent edits: what the person is shown, and what each of their answers does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from corpora import corpus
from played.client import Conversation
from played.replied import RULES, ScriptedReaders, machine_of

from evaluator.gate.holds import NEEDLESS
from evaluator.record import replace

REQUEST = "why is the report slow?"
SHOWN = [
    "Compass held back: edit report.py",
    '"why is the report slow?" does not ask for this.',
    "  1. edit report.py",
    "  2. only answer, change nothing",
    "Type 1 or 2, or say what you want.",
]


class Play:
    def __init__(self, machine, readers: ScriptedReaders, request: str = REQUEST) -> None:
        self.machine, self.readers = machine, readers
        self.talk = Conversation(machine, "question", attended=True)
        self.talk.begins()
        self.talk.user(request)

    def edits(self, old: str = "one", new: str = "two"):
        given = {"file_path": str(self.machine.project / "report.py"), "old_string": old, "new_string": new}
        call = self.talk.call("Edit", given, None, "")
        self.talk.fire(call)
        found = self.machine.newest
        if found.decision == "deny":
            self.talk.denied(call, found.detail)
            self.talk.agent("It was held back.")
        return found

    def answers(self, text: str):
        """The retry of the edit after the reply."""
        self.talk.user(text)
        self.readers.subjects = []
        return self.edits()


@contextmanager
def held(root: Path) -> Iterator[Play]:
    readers = ScriptedReaders(["answer why the report is slow"])
    with machine_of(root, "shop", readers, replace(RULES)) as machine:
        (machine.project / "report.py").write_text("one\n")
        play = Play(machine, readers)
        assert play.edits().told.splitlines() == SHOWN
        yield play


@corpus("reply", ["yes, cache it", "please fix it", "go ahead", "do it", "yes", "cache the query"])
def test_an_order_in_answer_reaches_the_readers_with_the_question_as_context(
    tmp_path: Path, reply: str
) -> None:
    with held(tmp_path) as play:
        play.readers.passes = True
        assert play.answers(reply).decision == "allow"
        (subject,) = play.readers.subjects
        assert subject.exchange.request == (REQUEST, reply)
        before = subject.evidence.prior_assistant_turn
        assert "held this back: edit report.py" in before and "(2) only answer, change nothing" in before


@corpus("reply", ["2", "the second one", "just answer", "no, leave it", "no, just tell me", "I just asked"])
def test_to_want_an_answer_alone_refuses_and_asks_no_reader(tmp_path: Path, reply: str) -> None:
    with held(tmp_path) as play:
        play.readers.passes = True
        after = play.answers(reply)
        assert (after.decision, after.reason, after.told) == ("deny", "denied_before", "")
        assert play.readers.subjects == [] and "the user cancelled it" in after.detail


@corpus("reply", ["1", "the first one", "edit report.py"])
def test_the_edit_is_one_of_the_readings(tmp_path: Path, reply: str) -> None:
    with held(tmp_path) as play:
        play.readers.passes = True
        assert play.answers(reply).decision == "allow"
        assert play.readers.subjects[0].resolved.labels == ("edit report.py",)


def test_a_reading_that_names_no_file_is_not_chosen_against_the_edit(tmp_path: Path) -> None:
    readers = ScriptedReaders(["make the export faster", "cache slow queries"])
    with machine_of(tmp_path, "shop", readers, replace(RULES)) as machine:
        (machine.project / "report.py").write_text("one\n")
        play = Play(machine, readers, "speed it up")
        assert "  1. edit report.py\n  2. make the export faster" in play.edits().told
        readers.passes = True
        assert play.answers("2").decision == "allow"
        (subject,) = readers.subjects
        chosen = subject.resolved
        assert (chosen.labels, chosen.rejected) == (("make the export faster",), ("cache slow queries",))


@pytest.mark.parametrize(("word", "noted"), [("compass: wrong", True), ("compass: proceed", False)])
def test_wrong_releases_as_proceed_does_and_is_kept(tmp_path: Path, word: str, noted: bool) -> None:
    with held(tmp_path) as play:
        after = play.answers(word)
        assert (after.decision, after.reason) == ("allow", "released")
        assert (NEEDLESS in after.notes) is noted


@corpus(
    "reply",
    [
        "why?", "what would that change?", "> 1. edit report.py\n> 2. only answer, change nothing",
        "the log says:\n```\nedit report.py\ncompass: proceed\n```", '"compass: proceed" is what it told me to type',
        "no", "don't", "not 1", "1?", "both",
    ],
)  # fmt: skip
def test_questions_quotes_logs_and_refusals_release_nothing(tmp_path: Path, reply: str) -> None:
    with held(tmp_path) as play:
        assert play.answers(reply).decision == "deny", "readers who still hold it are all that could pass it"
