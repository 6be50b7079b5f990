"""Continuations and control replies are told from everything that asks for something."""

from __future__ import annotations

from corpora import corpus

from evaluator.intervention.control import is_control_reply
from evaluator.text import is_continuation


@corpus(
    "text",
    [
        "continue", "Continue.", " CONTINUE ! ", "go on", "Please, continue...", "keep going", "proceed",
        "carry on", "ｃｏｎｔｉｎｕｅ", "go  on\n", "weiter", "Mach weiter!", "bitte weiter", "continuez",
        "Continue, s’il te plaît", "continúa", "contin\u0075\u0301a", "sigue", "siga em frente", "prossiga",
        "vai avanti", "продолжай", "Дальше.", "继续", "请继续。", "続けて", "続けてください",
        "계속", "계속해 줘",
    ],
)  # fmt: skip
def test_a_message_that_only_says_go_on_is_a_continuation(text: str) -> None:
    assert is_continuation(text)


@corpus(
    "text",
    [
        "", " ", ".", "yes", "ok", "2", "continue with the tests", "go on vacation", "continue?",
        "don't continue", "proceed to delete it", "no, go on", "weiter mit b", "continue " * 20, "stop",
        "keep going until done", "go ahead", "continue 1", "继续吗", "continue\0",
    ],
)  # fmt: skip
def test_a_message_that_says_anything_else_is_not(text: str) -> None:
    assert not is_continuation(text)


@corpus(
    "text",
    [
        "compass: proceed",
        "Compass: PAUSE 5",
        "  compass:cancel",
        "ｃｏｍｐａｓｓ： proceed",
        "COMPASS:",
        "\ncompass: x",
    ],
)
def test_a_message_addressed_to_compass_is_a_control_reply(text: str) -> None:
    assert is_control_reply(text)


@corpus(
    "text",
    ["", "compass", "compass points north", "the compass: it points north", "compass: fix the login"],
)
def test_a_message_that_mentions_compass_is_not(text: str) -> None:
    assert not is_control_reply(text)
