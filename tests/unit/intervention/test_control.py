"""Control replies: the same words in full width, in any case, in ten languages."""

import pytest

from evaluator.intervention.control import Control, parse_control


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("compass: proceed", "proceed"),
        ("  Compass:PROCEED. ", "proceed"),
        ("ｃｏｍｐａｓｓ：ｐｒｏｃｅｅｄ", "proceed"),
        ("compass: proceed all", "proceed_all"),
        ("compass: proceed settings", "proceed_settings"),
        ("compass: cancel", "cancel"),
        ("compass: resume", "resume"),
        ("compass: weiter", "proceed"),
        ("compass: 继续", "proceed"),
        ("compass: 続行", "proceed"),
        ("compass: continuar todo", "proceed_all"),
        ("compass: 取消", "cancel"),
        ("compass: abbrechen", "cancel"),
        ("compass: отмена", "cancel"),
        ("compass:", "unknown"),
        ("compass: proceed with the rename and delete the rest", "unknown"),
        ("compass: proceeding", "unknown"),
        ("compass: cancel the meeting", "unknown"),
        ("compass: " + "proceed " * 100, "unknown"),
    ],
)
def test_the_verb(text, verb):
    found = parse_control(text)
    assert found is not None
    assert found.verb == verb


@pytest.mark.parametrize(
    "text", ["", "proceed", "please compass: proceed", "encompass: proceed", "compass proceed"]
)
def test_what_is_not_addressed_to_compass_is_no_control_reply(text):
    assert parse_control(text) is None


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("compass: pause", 10),
        ("compass: pause 30", 30),
        ("compass: pause for 5 minutes", 5),
        ("compass: pause 2h", 120),
        ("compass: pause 99999", 1440),
    ],
)
def test_a_pause_lasts_ten_minutes_or_as_said(text, minutes):
    assert parse_control(text) == Control("pause", minutes)


def test_a_pause_with_other_words_is_not_one():
    assert parse_control("compass: pause until I say so") == Control("unknown")
