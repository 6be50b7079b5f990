"""What a reply to a held write is, in each language: a choice, a refusal, an order of its own, or an explanation."""

from __future__ import annotations

import json

import pytest
from corpora import corpus
from repository import FIXTURES

from evaluator.intervention.user_reply import Answer, Asked, understood

ROWS = [json.loads(line) for line in (FIXTURES / "holds/replies.jsonl").read_text().splitlines()]


def of(kind: str, count: int) -> list[str]:
    """The replies of a kind, which are so many, in every language."""
    found = [row["reply"] for row in ROWS if row["kind"] == kind]
    assert len(found) == count
    return found


FILES = Asked(
    readings=("delete src/old.py", "delete src/legacy.py"),
    targets=("/p/src/old.py",),
    operations=("delete",),
    request=("Just delete it.",),
)
EXTENTS = Asked(
    readings=("change the whole module", "change one function"),
    targets=("/p/src/search.py",),
    operations=("edit",),
    request=("speed up the search",),
)
THREE = Asked(
    readings=(
        "rename user_id in src/api.py",
        "rename userId in web/api.ts",
        "rename both fields in schema.sql",
    ),
    targets=("/p/src/api.py",),
    operations=("edit",),
    request=("rename the id",),
)


@corpus("reply", of("second", 103))
def test_a_number_an_ordinal_or_a_name_chooses_the_reading(reply: str) -> None:
    assert understood(reply, FILES) == Answer("reading", (1,))


@corpus("reply", of("both", 30))
def test_both_and_all_choose_all_readings(reply: str) -> None:
    assert understood(reply, FILES) == Answer("reading", (0, 1))


@corpus("reply", of("refusal", 44))
def test_a_refusal_is_one(reply: str) -> None:
    assert understood(reply, FILES) == Answer("refusal")


@corpus("reply", of("new-request", 30))
def test_an_order_of_its_own_is_a_new_request(reply: str) -> None:
    assert understood(reply, FILES) == Answer("new_request")


@corpus("reply", of("unsettled", 68))
def test_what_is_unsure_chooses_nothing_and_is_heard_with_the_request(reply: str) -> None:
    assert understood(reply, FILES) == Answer("clarification")


@corpus("reply", ["3", "something else", "Etwas anderes", "その他", "कुछ और"])
def test_something_else_settles_nothing_yet(reply: str) -> None:
    assert understood(reply, FILES) == Answer("nothing")


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("the whole module", 0),
        ("just the one function", 1),
    ],
)
def test_a_part_of_a_readings_own_words_chooses_it_if_no_other_has_it(reply: str, chosen: int) -> None:
    assert understood(reply, EXTENTS) == Answer("reading", (chosen,))


@pytest.mark.parametrize(
    "reply", ["change", "not the module", "make the search loop faster", "the function or the module"]
)
def test_words_that_several_readings_have_choose_none(reply: str) -> None:
    assert understood(reply, EXTENTS).kind == "clarification"


@corpus(
    ("reply", "chosen"),
    [("user_id", 0), ("web/api.ts", 1), ("the schema", 2), ("api.ts", 1), ("rename userId", 1)],
)
def test_names_of_three_readings(reply: str, chosen: int) -> None:
    assert understood(reply, THREE) == Answer("reading", (chosen,))


@corpus("reply", ["both", "both fields and all", "api", "rename", "the latter"])
def test_of_three_readings_both_is_none(reply: str) -> None:
    assert understood(reply, THREE).kind == "clarification"


@pytest.mark.parametrize("reply", ["2", "the second", "both", "legacy.py"])
def test_where_the_agent_showed_a_menu_of_its_own_only_a_whole_reading_counts(reply: str) -> None:
    asked = Asked(FILES.readings, FILES.targets, FILES.operations, FILES.request, own_menu=True)
    assert understood(reply, asked).kind == "clarification"
    assert understood(FILES.readings[1], asked) == Answer("reading", (1,))


UNLISTED = Asked((), FILES.targets, FILES.operations, FILES.request)


@corpus("reply", ["2", "the second", "old.py", "lib/old.py", "not old.py", "old.py?", "keep old.py"])
def test_without_a_list_nothing_is_chosen(reply: str) -> None:
    assert understood(reply, UNLISTED).kind == "clarification"


SPANS = Asked(
    readings=("refactor src/auth, in one file", "refactor src/auth, in the whole folder"),
    targets=("/p/src/auth/session.py",),
    operations=("edit",),
    request=("Refactor the auth module",),
)


@corpus(
    ("reply", "chosen"),
    [("in one file", 0), ("the file", 0), ("one file only", 0), ("the whole folder", 1), ("in the whole folder", 1),
     ("refactor src/auth, in one file", 0), ("the second one", 1), ("folder", 1)],
)  # fmt: skip
def test_readings_that_differ_in_how_far_they_go(reply: str, chosen: int) -> None:
    assert understood(reply, SPANS) == Answer("reading", (chosen,))


@pytest.mark.parametrize("reading", ["edit orders/cancel.py", "edit ops/stop.sh", "edit src/none.py"])
def test_a_refusal_is_none_though_a_reading_holds_the_word(reading):
    word = reading.rpartition("/")[2].partition(".")[0]
    assert understood(word, Asked(readings=(reading, "edit src/app.py"))).kind == "refusal"
