"""What a reply to a held write is, in each language: a choice, a refusal, an order of its own, or an explanation."""

from __future__ import annotations

import json

import pytest
from corpora import corpus
from repository import FIXTURES

from evaluator.intervention.user_reply import Answer, Asked, understood

ROWS = [json.loads(line) for line in (FIXTURES / "holds/replies.jsonl").read_text().splitlines()]


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


SPANS = Asked(
    readings=("refactor src/auth, in one file", "refactor src/auth, in the whole folder"),
    targets=("/p/src/auth/session.py",),
    operations=("edit",),
    request=("Refactor the auth module",),
)
OTHER_MENU = Asked(FILES.readings, FILES.targets, FILES.operations, FILES.request, own_menu=True)
UNLISTED = Asked((), FILES.targets, FILES.operations, FILES.request)
CLARIFIES = Answer("clarification")

KINDS = {
    "second": (103, Answer("reading", (1,))),
    "both": (30, Answer("reading", (0, 1))),
    "refusal": (44, Answer("refusal")),
    "new-request": (30, Answer("new_request")),
    "unsettled": (68, CLARIFIES),
}
"""How many replies of each kind there are in all languages, and what they mean beside `FILES`."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_replies_of_a_kind_mean_the_same_in_every_language(kind: str) -> None:
    count, meant = KINDS[kind]
    found = {row["reply"]: understood(row["reply"], FILES) for row in ROWS if row["kind"] == kind}
    assert sum(row["kind"] == kind for row in ROWS) == count
    assert {reply: answer for reply, answer in found.items() if answer != meant} == {}


@corpus("reply", ["3", "something else", "Etwas anderes", "その他", "कुछ और"])
def test_something_else_settles_nothing_yet(reply: str) -> None:
    assert understood(reply, FILES) == Answer("nothing")


@corpus(
    ("asked", "reply", "chosen"),
    [
        # A part of a reading's own words, if no other has it.
        (EXTENTS, "the whole module", 0),
        (EXTENTS, "just the one function", 1),
        # Names of three readings.
        (THREE, "user_id", 0), (THREE, "web/api.ts", 1), (THREE, "the schema", 2), (THREE, "api.ts", 1),
        (THREE, "rename userId", 1),
        # Readings that differ in how far they go.
        (SPANS, "in one file", 0), (SPANS, "the file", 0), (SPANS, "one file only", 0), (SPANS, "the whole folder", 1),
        (SPANS, "in the whole folder", 1), (SPANS, "refactor src/auth, in one file", 0), (SPANS, "the second one", 1),
        (SPANS, "folder", 1),
        # A whole reading counts whatever the agent showed since.
        (OTHER_MENU, FILES.readings[1], 1),
    ],
)  # fmt: skip
def test_words_that_one_reading_alone_has_choose_it(asked: Asked, reply: str, chosen: int) -> None:
    assert understood(reply, asked) == Answer("reading", (chosen,))


@corpus(
    ("asked", "replies"),
    [
        (EXTENTS, ["change", "not the module", "make the search loop faster", "the function or the module"]),
        (THREE, ["both", "both fields and all", "api", "rename", "the latter"]),
        (OTHER_MENU, ["2", "the second", "both", "legacy.py"]),
        (UNLISTED, ["2", "the second", "old.py", "lib/old.py", "not old.py", "old.py?", "keep old.py"]),
    ],
)
def test_what_several_readings_have_or_none_chooses_none(asked: Asked, replies: list[str]) -> None:
    assert {reply: understood(reply, asked) for reply in replies} == dict.fromkeys(replies, CLARIFIES)


@pytest.mark.parametrize("reading", ["edit orders/cancel.py", "edit ops/stop.sh", "edit src/none.py"])
def test_a_refusal_is_none_though_a_reading_holds_the_word(reading):
    word = reading.rpartition("/")[2].partition(".")[0]
    assert understood(word, Asked(readings=(reading, "edit src/app.py"))).kind == "refusal"
