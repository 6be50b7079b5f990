"""What an agent asks beside a hold: whether it is another question, whose answer chooses nothing of what is held."""

import pytest
from corpora import corpus
from played.replied import play_reply

from evaluator.gate.holds import asks_nothing_else, asks_other

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
    assert seen.first == "deny" and not seen.resolved
    assert not seen.allowed


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
        "",
        "It was held back.",
        "Compass held back this edit of a.py. Nothing was written.\nSay what you mean, or type `compass: proceed`.",
        "Compass held back the edit. Should I proceed?",
        "It was held back.\n\n- edit a.py\n\nDo you want me to go ahead with it?",
        "**Shall I continue?**",
        "Tell me what you mean, or type `compass: proceed` or `compass: cancel`.",
    ],
)
def test_an_agent_that_repeats_the_hold_asks_nothing_else(said):
    assert asks_nothing_else(said)


@corpus(
    "said",
    [
        "Held back. Shall I delete the old one too?",
        "Should I proceed with deleting the tests?",
        "Should I proceed? Or would you rather have two modules?",
        "How would you like to proceed?",
        "Should I proceed or cancel?",
        "Let me know which one you mean.",
        "Two ways:\n1. edit a.py\n2. delete a.py",
        "Soll ich die alte Datei löschen?",
        "要删除旧文件吗",
        "古いファイルを削除しますか。",
        "Type `compass: proceed`, or shall I leave it?",
        "yes?" + "x" * 30_000,
    ],
)
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
