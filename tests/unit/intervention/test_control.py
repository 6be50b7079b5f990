"""Control replies: the same words in full width, in any case, in ten languages."""

from corpora import corpus

from evaluator.intervention.control import Control, parse_control, pause_in
from evaluator.model import KeptPrompt


@corpus(
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
        ("compass: proceeding", "unknown"),
        ("compass: status", "status"),
        ("compass: статус", "status"),
    ],
)
def test_the_verb(text, verb):
    found = parse_control(text)
    assert found is not None
    assert found.verb == verb


@corpus(
    "text", ["", "proceed", "then compass: proceed with it", "encompass it: proceed", "compass proceed " * 20]
)
def test_what_is_not_addressed_to_compass_is_no_control_reply(text):
    assert parse_control(text) is None


@corpus(
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
    assert parse_control("compass: pause until I say so") is None


PROMPTS = [
    KeptPrompt("p0", "compass: pause 5", 0, 0, 1000.0),
    KeptPrompt("p1", "rework it", 1, 1, 1100.0),
]


def test_a_pause_lasts_from_its_prompt_on_until_its_end_or_the_word_to_resume():
    assert [pause_in(PROMPTS, at) is not None for at in (999, 1000, 1299, 1300)] == [False, True, True, False]
    lasting = pause_in(PROMPTS, 1200)
    assert lasting is not None
    assert (lasting.prompt, lasting.ends) == (PROMPTS[0], 1300)
    resumed = [*PROMPTS, KeptPrompt("p2", "compass: resume", 2, 1, 1200.0)]
    assert pause_in(resumed, 1250) is None
    assert pause_in([*resumed, KeptPrompt("p3", "compas: pause", 3, 1, 1210.0)], 1250) is None
