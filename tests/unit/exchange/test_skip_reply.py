"""What a resolved reply says of the options that were not chosen, and how structured answers resolve."""

from __future__ import annotations

from corpora import corpus

from evaluator.exchange.menu import Menu, Option
from evaluator.exchange.orders import stands_alone
from evaluator.exchange.reply import REPLY_CHARS_MAX, resolve_answers, resolve_reply
from evaluator.model import AnsweredQuestion, ResolvedOption

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


def test_a_reply_that_is_too_long_resolves_nothing() -> None:
    assert resolve_reply(numbered("a one", "a two"), "2" + " " * REPLY_CHARS_MAX) is None
    assert resolve_reply(numbered("a one", "a two"), "2" + " " * (REPLY_CHARS_MAX - 1)) is not None


def test_a_key_that_another_label_begins_with_is_ambiguous() -> None:
    menu = numbered("1 retry", "3 retries", "no bound at all")
    assert resolve_reply(menu, "3") is None
    assert resolve_reply(menu, "1") == ResolvedOption(("1 retry",), ("3 retries", "no bound at all"))


def test_a_letter_that_is_another_options_label_is_ambiguous() -> None:
    menu = Menu((Option("a", "C"), Option("b", "Rust"), Option("c", "Go")), "lettered")
    assert resolve_reply(menu, "c") is None
    assert resolve_reply(menu, "b") is not None


def test_structured_answers_resolve_word_for_word() -> None:
    assert resolve_answers([FORMAT]) == ResolvedOption(("JSON",), ("YAML", "Leave it as is"))


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


def test_no_questions_resolve_nothing() -> None:
    assert resolve_answers([]) is None


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
