"""Held calls in played sessions: what is shown, what each answer does, and what a release covers and what spends it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from corpora import corpus
from played.client import Conversation
from played.replied import RULES, ScriptedReaders, machine_of, play_reply

from compass.hook.control_messages import SpokenControl, confirmation
from evaluator.gate.holds import NEEDLESS, asks_nothing_else, asks_other
from evaluator.intervention.control import Control

CLOSED = replace(RULES, error_policy="closed", min_context_chars=0)


@dataclass
class Interrupted(ScriptedReaders):
    """While they read, the user types `says`; once."""

    says: str = ""
    talk: Conversation | None = None

    def collect(self, subject, seconds):
        if self.says and self.talk is not None:
            text, self.says = self.says, ""
            self.printed = self.talk.queued(text)
        return super().collect(subject, seconds)


@contextmanager
def talking(root, rules=CLOSED):
    readers = Interrupted(["change this", "change that"])
    with machine_of(root, "shop", readers, rules) as machine:
        talk = readers.talk = Conversation(machine, "held", attended=True)
        talk.begins()
        talk.user("Make it longer.")
        yield talk, readers, machine


def write(talk, machine, name):
    return talk.call("Write", {"file_path": str(machine.project / name), "content": "x"}, None, "")


def tried(talk, machine, call):
    talk.fire(call)
    if machine.newest.decision == "deny":
        talk.denied(call, machine.newest.detail)
    return machine.newest


def fired(talk, machine, name):
    call = write(talk, machine, name)
    return call, tried(talk, machine, call)


@pytest.mark.parametrize("word", ["compass: proceed", "compass: proceed all"])
def test_a_release_covers_nothing_that_was_held_after_it_was_typed(tmp_path, word):
    with talking(tmp_path) as (talk, readers, machine):
        assert fired(talk, machine, "a.yaml")[1].decision == "deny"
        readers.says = word
        given = {"command": 'eval "$X"'}
        (machine.project / "b.yaml").write_text("x")
        assert tried(talk, machine, talk.call("Bash", given, None, "")).decision == "deny"
        said = json.loads(readers.printed)
        assert "a.yaml" in said.get("systemMessage", said.get("stopReason", "")) and "b.yaml" not in str(said)
        assert fired(talk, machine, "a.yaml")[1].reason == "released"
        found = tried(talk, machine, talk.call("Bash", given, None, ""))
        assert (found.decision, found.reason) == ("deny", "denied_before")
        talk.user("compass: proceed")
        talk.fire(talk.call("Bash", given, None, ""))
        assert machine.newest.reason == "released"


def test_a_release_is_spent_though_the_user_speaks_while_it_is_used(tmp_path):
    with talking(tmp_path) as (talk, _, machine):
        fired(talk, machine, "a.yaml")
        talk.user("compass: proceed")
        running, found = fired(talk, machine, "a.yaml")
        assert found.reason == "released"
        talk.queued("how is it going so far?")
        talk.fire(write(talk, machine, "b.yaml"))
        talk.ended(running, True)
        assert fired(talk, machine, "a.yaml")[1].reason != "released"


def test_a_release_that_does_not_stand_in_the_transcript_yet_is_not_the_one_of_an_earlier_turn(tmp_path):
    """Both are queued: the file tells no id of theirs."""
    with talking(tmp_path) as (talk, _, machine):
        fired(talk, machine, "a.yaml")
        talk.queued("compass: proceed", waits=True)
        running, found = fired(talk, machine, "a.yaml")
        assert found.reason == "released"
        talk.ended(running, True)
        talk.user("Now make that one longer, too.")
        fired(talk, machine, "b.yaml")
        before = talk.path.read_bytes()
        talk.queued("compass: proceed")
        after = talk.path.read_bytes()
        talk.path.write_bytes(before)
        talk.fire(write(talk, machine, "b.yaml"))
        assert machine.newest.decision == "deny"
        talk.path.write_bytes(after)
        talk.fire(write(talk, machine, "b.yaml"))
        assert machine.newest.reason == "released"


def test_a_number_typed_before_the_list_was_shown_chooses_nothing(tmp_path):
    with talking(tmp_path) as (talk, readers, machine):
        readers.says = "2"
        assert fired(talk, machine, "a.yaml")[1].decision == "deny"
        assert fired(talk, machine, "a.yaml")[1].resolved is None, "it answers something else"
        talk.user("3")
        assert fired(talk, machine, "a.yaml")[1].resolved.labels == ("change that",)


def test_what_nobody_judged_is_over_once_readers_pass_it(tmp_path):
    with talking(tmp_path) as (talk, readers, machine):
        readers.down = True
        assert fired(talk, machine, "a.yaml")[1].reason == "sampler_error"
        readers.down, readers.passes = False, True
        call, found = fired(talk, machine, "a.yaml")
        assert found.verdict == "passed"
        talk.ended(call, True)
        assert machine.wired.store.intervention(found.pending.session_id) is None
        talk.user("compass: proceed")
        assert fired(talk, machine, "a.yaml")[1].reason != "released"


@pytest.mark.parametrize("verb", ["proceed", "cancel"])
def test_what_is_confirmed_is_what_is_released(tmp_path, verb):
    """The second call was held while the word was typed."""
    with talking(tmp_path) as (talk, _, machine):
        session = fired(talk, machine, "a.yaml")[1].pending.session_id
        fired(talk, machine, "b.yaml")

        def later(found):
            first, second = found.denials
            return replace(found, denials=(first, replace(second, after=1))), None

        store = machine.wired.store
        store.change_intervention(session, later, None)
        store.add_prompt(session, None, f"compass: {verb}", 0.0, opens_turn=False)
        held = store.intervention(session)
        spoken = SpokenControl(Control(verb), store.prompts(session), held, False, time.time())
        said, _ = confirmation(spoken, machine.wired)
        assert [name for name in ("a.yaml", "b.yaml") if name in said] == ["a.yaml"], said


@pytest.mark.parametrize(("held", "chosen"), [("old", "legacy"), ("legacy", "old")])
def test_the_same_act_on_what_was_not_chosen_stays_held(tmp_path, held, chosen):
    """Neither name has a mark of a path."""
    with talking(tmp_path) as (talk, readers, machine):
        readers.readings = ["delete old", "delete legacy"]
        for name in (held, chosen):
            (machine.project / name).mkdir()
        talk.agent("Both folders are unused.")
        talk.user("Just delete it.")

        def removed(name):
            return tried(talk, machine, talk.call("Bash", {"command": f"rm -rf {name}"}, None, ""))

        assert removed(held).decision == "deny"
        talk.agent("It is on hold.")
        talk.user(str(readers.readings.index(f"delete {chosen}") + 1))
        readers.passes = True
        assert removed(held).reason == "denied_before"
        assert removed(chosen).decision == "allow"


@pytest.mark.parametrize("policy", ["embedded", "open", "closed"])
def test_what_readers_held_does_not_run_because_they_cannot_be_asked_again(tmp_path, policy):
    with talking(tmp_path, replace(RULES, error_policy=policy)) as (talk, readers, machine):
        assert fired(talk, machine, "a.yaml")[1].decision == "deny"
        talk.agent("It was held back.")
        talk.user("hm, why did it stop?")
        readers.down = True
        for _ in range(2):
            found = fired(talk, machine, "a.yaml")[1]
            assert found.decision == "deny"
            assert policy == "closed" or "still holds back: create a.yaml" in found.detail


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
        found = tried(self.talk, self.machine, self.talk.call("Edit", given, None, ""))
        if found.decision == "deny":
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
    with machine_of(root, "shop", readers, RULES) as machine:
        (machine.project / "report.py").write_text("one\n")
        play = Play(machine, readers)
        assert play.edits().told.splitlines() == SHOWN
        yield play


@corpus("reply", ["yes, cache it", "please fix it", "go ahead", "do it", "yes", "cache the query"])
def test_an_order_in_answer_reaches_the_readers_with_the_question_as_context(tmp_path, reply) -> None:
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
    with machine_of(tmp_path, "shop", readers, RULES) as machine:
        (machine.project / "report.py").write_text("one\n")
        play = Play(machine, readers, "speed it up")
        assert "  1. edit report.py\n  2. make the export faster" in play.edits().told
        readers.passes = True
        assert play.answers("2").decision == "allow"
        (chosen,) = (subject.resolved for subject in readers.subjects)
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


TWO = ["delete src/old.py", "delete src/new.py"]


def case(shown, answer, *, readings=TWO):
    return {
        "id": "x", "language": "en", "request": "Just delete it.", "assistant": "src/old.py and src/new.py are unused.",
        "held": {"tool": "Bash", "command": "rm src/old.py"}, "readings": readings, "shown": shown, "answer": answer,
        "retry": {"tool": "Bash", "command": "rm src/old.py"},
    }  # fmt: skip


@corpus("rules", [False, True])
@corpus(
    ("shown", "answer"),
    [
        ("Held. Which of the two should I keep, src/old.py or src/new.py?", "src/old.py"),
        ("Held. Which file must stay?", "src/old.py"),
        ("Held. Which module do you want to keep?", "src/old.py"),
        ("While that waits: how many backups should the job keep?", "1"),
        ("While that waits: how many backups should the job keep?", "the first"),
    ],
)
def test_a_name_or_a_number_said_to_it_is_no_choice(tmp_path, shown, answer, rules):
    seen = play_reply(case(shown, answer), tmp_path, rules=rules)
    assert seen.first == "deny" and not seen.resolved and not seen.allowed


@pytest.mark.parametrize(
    "shown", ["Held. Which one do you mean?", "So which module did you mean?", "It was held back.", ""]
)
def test_which_one_is_meant_may_be_asked_in_other_words(tmp_path, shown):
    assert play_reply(case(shown, "1"), tmp_path).resolved == (TWO[0],)


@corpus("rules", [False, True])
@corpus("answer", ["copy them first, then ok", "erst sichern, dann ja"])
def test_only_readers_tell_whether_what_a_yes_waits_for_has_been_done(tmp_path, answer, rules):
    what = {"tool": "Bash", "command": "rm -rf uploads"}
    asked = {"request": "why is this slow?", "assistant": "", "held": what, "retry": what}
    seen = play_reply(case("", answer, readings=["delete uploads"]) | asked, tmp_path, rules=rules)
    assert any(answer in said for said in seen.asked) is not rules
    assert not seen.allowed


@corpus(
    "said",
    [
        "", "It was held back.", "Compass held back the edit. Should I proceed?", "**Shall I continue?**",
        "Compass held back this edit of a.py. Nothing was written.\nSay what you mean, or type `compass: proceed`.",
        "It was held back.\n\n- edit a.py\n\nDo you want me to go ahead with it?",
        "Tell me what you mean, or type `compass: proceed` or `compass: cancel`.",
    ],
)  # fmt: skip
def test_an_agent_that_repeats_the_hold_asks_nothing_else(said):
    assert asks_nothing_else(said)


@corpus(
    "said",
    [
        "Held back. Shall I delete the old one too?", "Should I proceed with deleting the tests?",
        "Should I proceed? Or would you rather have two modules?", "How would you like to proceed?",
        "Should I proceed or cancel?", "Let me know which one you mean.",
        "Two ways:\n1. edit a.py\n2. delete a.py", "Soll ich die alte Datei löschen?", "要删除旧文件吗",
        "古いファイルを削除しますか。", "Type `compass: proceed`, or shall I leave it?", "yes?" + "x" * 30_000,
    ],
)  # fmt: skip
def test_an_agent_that_asks_anything_else_does(said):
    assert not asks_nothing_else(said)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("1. delete a.py\n2. delete b.py", False),
        ("1. delete a.py\n2. drop the table", True),
        ("1. delete a.py\n2. delete b.py\n\nOr I could:\n\n1. keep a.py\n2. delete b.py", True),
    ],
)
def test_a_list_of_the_agents_own_is_another_question_and_the_issued_one_repeated_is_none(said, other):
    assert asks_other(said, ("delete a.py", "delete b.py")) is other
