"""A bare yes or proceed releases under all of its conditions, and each of them alone can keep it from that."""

import pytest
from corpora import corpus

from evaluator.effects import effect, folded
from evaluator.gate.holds import asks_nothing_else, asks_other
from evaluator.intervention.control import is_bare_word
from evaluator.intervention.records import HeldCall
from evaluator.intervention.resolution import UserReply, hold_back, one_reading, resolve
from evaluator.model import Exchange
from evaluator.record import replace


def call(*each):
    whole = folded(each)
    return HeldCall(whole.targets, whole.operation, whole.operation_class, str(each), "use", whole.each)


EDIT, OTHER = call(effect("edit", "/p/a.py")), call(effect("edit", "/p/b.py"))
REMOVE = call(effect("delete", "/p/a.py"))
MIXED = call(effect("edit", "/p/a.py"), effect("delete", "/p/b.py"))


def held(*calls, readings=("fix a.py",), binding=True, found=None):
    for one in calls:
        found = hold_back(
            found, one, check_id="c", exchange=Exchange(("tidy up",)), session_id="s", readings=readings,
            position=3, newest=3, now=100.0, binding=binding,
        )  # fmt: skip
    assert found is not None
    return found


def after(found, text, *, answers_hold=True):
    here = resolve(found, UserReply(text, 4, answers_hold=answers_hold), 200.0)
    assert here is not None
    return here


def is_released(found):
    return all(denial.released for denial in found.denials)


@corpus("text", ["yes", "Yes.", " YES! ", "ja", "Oui", "sí", "sim", "sì", "да", "是的", "はい。", "네", "हाँ"])
def test_yes_in_every_language_releases(text):
    assert is_released(after(held(EDIT), text))


@corpus("text", ["proceed", "Proceed.", "go ahead", "yes, go ahead", "please proceed"])
def test_so_does_proceed(text):
    assert is_released(after(held(EDIT), text))


@corpus("text", ["yes and delete b.py too", "yes?", "ok", "no", "continue", "proceed with it all", "y" * 50])
def test_other_words_do_not(text):
    assert not is_bare_word(text)
    assert not is_released(after(held(EDIT), text))


@corpus("word", ["yes", "proceed"])
@corpus(
    ("found", "answers_hold"),
    [
        (held(EDIT), False),
        (held(EDIT, readings=("fix a.py", "delete a.py")), True),
        (held(EDIT, readings=()), True),
        (held(EDIT, binding=False), True),
        (held(REMOVE), True),
        (held(MIXED), True),
        (held(EDIT, found=held(REMOVE)), True),
        (held(EDIT, found=held(OTHER, readings=("fix b.py",))), True),
        (held(OTHER, found=held(EDIT, binding=False)), True),
        (replace(held(EDIT), cancelled=True), True),
    ],
    ids=[
        "not the first word, or another question", "two readings", "none", "readers down", "a delete",
        "a delete among others", "a delete before", "two readings of two writes", "one unjudged", "cancelled",
    ],
)  # fmt: skip
def test_else_it_is_a_clarification(found, answers_hold, word):
    here = after(found, word, answers_hold=answers_hold)
    assert not any(denial.released for denial in here.denials)
    assert here.clarifications == (word,)


def test_a_hold_that_a_reading_was_never_noted_of_is_not_released():
    """As an older version kept it."""
    old = held(EDIT)
    old = replace(old, denials=tuple(replace(one, reading="") for one in old.denials), held_at=None)
    assert not one_reading(old)


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
