"""What an agent asks beside a hold: whether a bare yes, a number or a name may answer something else."""

import pytest
from corpora import corpus

from evaluator.gate.holds import asks_nothing_else, asks_other


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
