"""`compass memory` as a process: what it lists, and what an edit or a forgetting leaves."""

from __future__ import annotations

import pytest

from evaluator.precedents import looked_for
from evaluator.record import replace


@pytest.fixture
def settled(memory):
    """A reading, an older one that a control goes against, and one of another checkout."""
    return memory.settle(
        memory.one(),
        memory.one(2, term="prod", target="deploy/prod.yaml", source="chosen", said="2", checkout="/else"),
        memory.one(3, source="cancelled", tightens=True, target="src/csv/parser.py", said=""),
    )


def test_a_list_tells_what_was_meant_by_whom_and_where(memory, settled):
    memory.settle(memory.one(91), memory.one(project="0123456789ab"))
    said = memory.call("list")
    assert '"the parser" means src/json/parser.py (change, one place); you said "the JSON one"' in said
    assert '"the parser" did not mean src/csv/parser.py' in said and "chosen, in /else" in said
    told = memory.told("list")
    assert [one["precedent_id"] for one in told["precedents"]] == [one.precedent_id for one in settled]
    assert (told["enabled"], told["days"], told["checkout"]) == (True, 90, str(memory.project))


def test_without_state_it_says_so_and_makes_none(memory):
    assert "Nothing is settled in" in memory.call("list")
    assert "no precedent 'x'" in memory.call("forget", "x", code=1)
    assert not (memory.place.state / "compass").exists()


def test_text_of_others_does_not_act_on_the_terminal(memory):
    memory.settle(memory.one(term="the \x1b[31mred", said="\x1b]0;x\x07"))
    assert "\x1b" not in memory.call("list")


def test_an_edit_is_the_users_own_word_from_now_on(memory, settled):
    before = settled[0]
    changes = ("--target", "src/csv/parser.py", "--extent", "one_file", "--term", "the lexer")
    said = memory.call("edit", before.precedent_id.lower(), *changes)
    assert '"the lexer" means src/csv/parser.py (change, one file), from now on' in said
    after = next(one for one in memory.kept() if one.precedent_id == before.precedent_id)
    assert after.at > before.at
    assert after == replace(
        before, term="the lexer", target="src/csv/parser.py", extent="one_file", source="edited", at=after.at
    )
    store = memory.store()
    found = [store.precedents_of(memory.key, looked_for(said), 0.0, 9) for said in ("lexers", "the module")]
    store.close()
    assert found == [(after,), ()]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--action", "explode"], "action: 'explode' is not one of answer, create"),
        (["--target", "src/../../other.py"], "is neither in"),
        (["--target", "out"], "target: 'out' is neither in"),
        (["--term", " "], "term: is empty"),
        (["--term", "x" * 201], "term: 201 characters; at most 200 are kept"),
        (["--said", "a\nb"], "said: contains a line break"),
        ([], "name what to change: --term"),
    ],
)
def test_what_cannot_be_kept_names_the_field(memory, settled, words, why):
    (memory.project / "out").symlink_to("/etc")
    before = memory.kept()
    assert why in memory.call("edit", before[0].precedent_id, *words, code=1)
    assert memory.kept() == before


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (["--said", "the one in src/new/parser.py", "--target", "src/new/parser.py"], "src/new/parser.py"),
        (["--said", "the staging cluster", "--target", "Staging cluster"], "Staging cluster"),
        (["--action", "", "--extent", ""], "src/json/parser.py"),
    ],
)
def test_a_target_exists_or_stands_in_the_users_words(memory, settled, words, target):
    assert memory.told("edit", settled[0].precedent_id, *words)["target"] == target


def test_a_control_stays_one_when_it_is_edited_and_another_checkouts_is_edited_there(memory, settled):
    told = memory.told("edit", settled[2].precedent_id, "--target", "src/json/parser.py")
    assert (told["tightens"], told["source"]) == (True, "edited")
    said = memory.call("edit", settled[1].precedent_id, "--extent", "folder", code=1)
    assert "belongs to /else; edit it there" in said


def test_forgetting_one_leaves_the_others(memory, settled):
    said = memory.call("forget", settled[0].precedent_id)
    assert (
        said
        == f'Forgotten: {settled[0].precedent_id}, "the parser" means src/json/parser.py (change, one place).\n'
    )
    assert b"the JSON one" not in (memory.place.state / "compass" / "compass.db").read_bytes()
    assert [one.precedent_id for one in memory.kept()] == [one.precedent_id for one in settled[1:]]
    assert "no precedent" in memory.call("forget", settled[0].precedent_id, settled[1].precedent_id, code=1)
    assert len(memory.kept()) == 2


def test_forgetting_all_asks_and_is_of_this_project(memory, settled):
    (other,) = memory.settle(memory.one(project="0123456789ab"))
    assert "pass --yes to agree beforehand" in memory.call("forget", "--all", code=1)
    assert len(memory.kept()) == 3
    assert len(memory.told("forget", "--all", "--yes")["forgotten"]) == 3
    assert memory.kept() == ()
    store = memory.store()
    assert store.precedent(other.precedent_id) == other
    store.close()
    assert memory.call("forget", "--all") == "This project has no precedents.\n"
    assert "either ids" in memory.call("forget", code=1)
    assert "either ids" in memory.call("forget", "x", "--all", code=1)


def test_reading_commands_leave_a_damaged_database_where_it_is(memory, settled):
    path = memory.place.state / "compass" / "compass.db"
    with open(path, "r+b") as file:
        file.write(b"not a database at all")
    before = path.read_bytes()
    assert str(path) in memory.call("list", code=1)
    assert path.read_bytes() == before
