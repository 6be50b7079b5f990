"""What a person says to another question of the agent's chooses nothing of what is held."""

from dataclasses import replace

import pytest
from corpora import corpus
from played.client import Conversation
from played.replied import RULES, ScriptedReaders, machine_of, play_reply

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


@pytest.mark.parametrize("policy", ["embedded", "open", "closed"])
def test_what_readers_held_does_not_run_because_they_cannot_be_asked_again(tmp_path, policy):
    readers = ScriptedReaders(["Raise it in a.yaml", "Raise it in b.yaml"])
    with machine_of(tmp_path, "shop", readers, replace(RULES, error_policy=policy)) as machine:
        (machine.project / "a.yaml").write_text("timeout: 30\n")
        talk = Conversation(machine, "held", attended=True)
        talk.begins()
        talk.user("Make the timeout longer.")
        given = {"file_path": str(machine.project / "a.yaml"), "old_string": "30", "new_string": "60"}
        first = talk.call("Edit", given, None, "")
        talk.fire(first)
        assert machine.newest.decision == "deny"
        talk.denied(first, machine.newest.detail)
        talk.agent("It was held back.")
        talk.user("hm, why did it stop?")
        readers.down = True
        talk.fire(talk.call("Edit", {**given, "new_string": "90"}, None, ""))
        assert machine.newest.decision == "deny"
        assert policy == "closed" or "still holds back: edit a.yaml" in machine.newest.detail
        talk.fire(talk.call("Edit", {**given, "new_string": "90"}, None, ""))
        assert machine.newest.decision == "deny"
        assert policy == "closed" or "still holds back: edit a.yaml" in machine.newest.detail
