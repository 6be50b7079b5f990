"""What a resolved reply says of the options that were not chosen, and how structured answers resolve."""

from __future__ import annotations

import json
from typing import TypedDict

from corpora import corpus
from repository import ROOT

from evaluator.exchange.menu import Menu, Option, find_menu
from evaluator.exchange.orders import stands_alone
from evaluator.exchange.reply import resolve_answers, resolve_reply
from evaluator.model import AnsweredQuestion, ResolvedOption
from evaluator.text import is_continuation

FORMAT = AnsweredQuestion("Which format?", ("YAML", "JSON", "Leave it as is"), ("JSON",))


def numbered(*labels: str) -> Menu:
    return Menu(tuple(Option(str(index), label) for index, label in enumerate(labels, 1)), "numbered")


def test_the_options_that_were_not_chosen_are_rejected() -> None:
    assert resolve_reply(numbered("a one", "a two", "a three"), "2") == ResolvedOption(
        ("a two",), ("a one", "a three")
    )


@corpus("joint", ["Both", "Both (two commits)", "All of the above", "Beides", "All three"])
def test_an_option_that_takes_in_the_ones_before_it_rejects_only_later_ones(joint: str) -> None:
    menu = numbered("the model", "the table", joint, "the docs")
    assert resolve_reply(menu, "3") == ResolvedOption((joint,), ("the docs",))


@corpus("declining", ["No", "Cancel", "Leave it as is", "Something else", "Explain it first", "取消"])
def test_choosing_an_option_that_writes_nothing_resolves_nothing(declining: str) -> None:
    menu = numbered("Apply it", declining)
    assert resolve_reply(menu, "2") is None
    assert resolve_reply(menu, declining) is None
    assert resolve_reply(menu, "all") is None
    assert resolve_reply(menu, "1") is not None


def test_a_key_that_another_label_begins_with_is_ambiguous() -> None:
    menu = numbered("1 retry", "3 retries", "unbounded")
    assert resolve_reply(menu, "3") is None
    assert resolve_reply(menu, "1") == ResolvedOption(("1 retry",), ("3 retries", "unbounded"))


def test_a_letter_that_is_another_options_label_is_ambiguous() -> None:
    menu = Menu((Option("a", "C"), Option("b", "Rust"), Option("c", "Go")), "lettered")
    assert resolve_reply(menu, "c") is None
    assert resolve_reply(menu, "b") is not None


def test_several_structured_answers_resolve_together() -> None:
    tests = AnsweredQuestion("Tests too?", ("Unit", "End to end", "Fuzz"), ("Unit", "Fuzz"))
    assert resolve_answers([FORMAT, tests]) == ResolvedOption(
        ("JSON", "Unit", "Fuzz"), ("YAML", "Leave it as is", "End to end")
    )


@corpus(
    "answers", [("json",), ("JSON, but with comments",), ("JSON", "TOML"), (), ("Leave it as is",), ("",)]
)
def test_an_answer_that_is_no_option_or_declines_resolves_nothing(answers: tuple[str, ...]) -> None:
    assert resolve_answers([AnsweredQuestion(FORMAT.question, FORMAT.options, answers)]) is None
    assert resolve_answers([FORMAT, AnsweredQuestion("Else?", FORMAT.options, answers)]) is None


@corpus(
    ("text", "alone"),
    [
        ("Delete the api", True),
        ("Delete the ui", False),
        ("Delete the parser", False),
        ("Delete the api?", False),
    ],
)
def test_an_order_of_a_thing_that_was_not_asked_for_before_stands_alone(text: str, alone: bool) -> None:
    """Words of fewer than three letters name nothing."""
    assert stands_alone(text, known=("Fix the parser",), actions=("fix",)) is alone


# The skip layer over fixtures/skip/cases.jsonl: a reply resolves to exactly what its row names.


class Case(TypedDict):
    id: str
    prior_assistant_turn: str
    reply: str
    resolves: list[str] | None
    lang: str
    note: str


CASES_FILE = ROOT / "fixtures" / "skip" / "cases.jsonl"
CASES: list[Case] = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]


def of(lang: str) -> list[Case]:
    return [case for case in CASES if case["lang"] == lang]


@corpus("lang", sorted({case["lang"] for case in CASES}))
def test_each_reply_of_a_language_resolves_to_what_its_row_says(lang: str) -> None:
    wrong: list[tuple[str, list[str] | None, str]] = []
    for case in of(lang):
        menu = find_menu(case["prior_assistant_turn"])
        resolved = resolve_reply(menu, case["reply"]) if menu else None
        found = list(resolved.labels) if resolved else None
        if found != case["resolves"]:
            wrong.append((case["id"], found, case["note"]))
    assert wrong == []


def test_chosen_and_rejected_labels_never_overlap() -> None:
    for case in (case for case in CASES if case["resolves"]):
        menu = find_menu(case["prior_assistant_turn"])
        assert menu is not None, case["id"]
        resolved = resolve_reply(menu, case["reply"])
        assert resolved is not None, case["id"]
        assert set(resolved.labels).isdisjoint(resolved.rejected), case["id"]
        options = {option.label for option in menu.options}
        assert {*resolved.labels, *resolved.rejected} <= options, case["id"]


# Continuations and control replies are told from everything that asks for something.


@corpus(
    "text",
    [
        " CONTINUE ! ", "Please, continue...", "ｃｏｎｔｉｎｕｅ", "go  on\n", "bitte weiter", "contin\u0075\u0301a",
        "Continue, s’il te plaît", "siga em frente", "vai avanti", "Дальше.", "请继续。", "続けてください", "계속해 줘",
    ],
)  # fmt: skip
def test_a_message_that_only_says_go_on_is_a_continuation(text: str) -> None:
    assert is_continuation(text)


@corpus(
    "text",
    [
        "", ".", "yes", "2", "continue with the tests", "continue?", "don't continue", "no, go on", "weiter mit b",
        "continue " * 20, "go ahead", "继续吗", "continue\0",
    ],
)  # fmt: skip
def test_a_message_that_says_anything_else_is_not(text: str) -> None:
    assert not is_continuation(text)
