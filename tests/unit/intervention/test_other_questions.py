"""What a person says to another question of the agent's chooses nothing of what is held."""

import pytest
from corpora import corpus
from played.replied import play_reply

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
