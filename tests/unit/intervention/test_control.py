"""What a person says to Compass itself: the same words in any case and width, in ten languages; what was nearly one of
them is answered with the right words, and what is for the agent is left to it."""

import json

from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT

from evaluator.intervention.control import (
    ALL,
    EDITS_MAX,
    MAIN,
    WORDS,
    Control,
    edits,
    is_control_reply,
    parse_control,
    pause_in,
)
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


PROMPTS = [KeptPrompt("p0", "compass: pause 5", 0, 0, 1000.0), KeptPrompt("p1", "rework it", 1, 1, 1100.0)]


def test_a_pause_lasts_from_its_prompt_on_until_its_end_or_the_word_to_resume():
    assert [pause_in(PROMPTS, at) is not None for at in (999, 1000, 1299, 1300)] == [False, True, True, False]
    lasting = pause_in(PROMPTS, 1200)
    assert lasting is not None
    assert (lasting.prompt, lasting.ends) == (PROMPTS[0], 1300)
    resumed = [*PROMPTS, KeptPrompt("p2", "compass: resume", 2, 1, 1200.0)]
    assert pause_in(resumed, 1250) is None
    assert pause_in([*resumed, KeptPrompt("p3", "compas: pause", 3, 1, 1210.0)], 1250) is None


def meant(text):
    found = parse_control(text)
    assert found is not None, text
    assert found.verb == "unknown", text
    return found.meant


@corpus(
    ("text", "word"),
    [
        ("compass proceed", "compass: proceed"),
        ("Compass:proced", "compass: proceed"),
        ("compas: cancel", "compass: cancel"),
        ("compass: cancle", "compass: cancel"),
        ("ｃｏｍｐａｓｓ　ｐｒｏｃｅｅｄ", "compass: proceed"),
        ("compass : resume", "compass: resume"),
        ("`compass: proceed`", "compass: proceed"),
        ("compass proceed al", "compass: proceed all"),
        ("compas: pause 30", "compass: pause 30"),
        ("compas: weiter", "compass: weiter"),
        ("compass 继续", "compass: 继续"),
        ("compass: прдолжить", "compass: продолжить"),
        ("compass: 2", "2"),
        ("compass: yes", "compass: proceed"),
        ("compass: cancel that", "compass: cancel"),
        ("compass: nein", "compass: cancel"),
    ],
)
def test_it_is_answered_with_the_right_word(text, word):
    assert meant(text)[0] == word


@corpus("text", ["compass:", "compass: foo", "compass: proceeding", "compass: help", "compass: it"])
def test_a_single_word_that_is_none_is_answered_with_all_of_them(text):
    assert meant(text) == MAIN


@corpus(
    "text",
    [
        "compass: fix the login",
        "compass: revert this, please",
        "compass: cancel the meeting",
        "compass: do all",
        "compass: 修复登录",
        "compass: pause until I say so",
        "compass: proceed with the rename and delete the rest",
        "compass " + "proceed " * 10,
        "compass",
        "the compass app crashes",
        "compare proceeds",
    ],
)
def test_a_request_is_left_to_the_agent(text):
    assert parse_control(text) is None
    assert not is_control_reply(text)


EVERY = [f"compass: {word}" for words in WORDS.values() for word in words]


@corpus("text", [*EVERY, *(f"compass: {word} {ALL[0]}" for word in WORDS["proceed"])])
def test_no_control_is_a_near_miss_of_another(text):
    found = parse_control(text)
    assert found is not None
    assert found.verb != "unknown"


def shipped_prompts():
    for file in sorted((ROOT / "fixtures" / "sessions").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            step = json.loads(line)
            # What a session is written for may be one: it says so.
            if step.get("expect", {}).get("stopped") is None:
                yield from (step[kind] for kind in ("user", "queued", "slash", "machine") if kind in step)
    for file in sorted((ROOT / "fixtures" / "skip").glob("**/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from (value for key, value in json.loads(line).items() if key in ("reply", "request"))


def test_no_shipped_prompt_is_a_near_miss():
    prompts = [text for text in shipped_prompts() if isinstance(text, str)]
    assert len(prompts) > 160
    known = [parse_control(text) for text in prompts]
    assert [
        text for text, found in zip(prompts, known, strict=True) if found and found.verb == "unknown"
    ] == []
    assert sum(found is not None for found in known) > 10, "controls are among them"


@st.composite
def mistyped(draw):
    """A control, and the same after one edit in its verb of at least six letters."""
    right = draw(
        st.sampled_from([one for one in EVERY if len(one) >= len("compass: cancel") and one.isascii()])
    )
    place = draw(st.integers(len("compass: "), len(right) - 1))
    kind = draw(st.sampled_from(("drop", "double", "swap", "change")))
    changed = {
        "drop": right[:place] + right[place + 1 :],
        "double": right[:place] + right[place] + right[place:],
        "swap": right[: place - 1] + right[place] + right[place - 1] + right[place + 1 :],
        "change": right[:place] + "x" + right[place + 1 :],
    }[kind]
    return right, changed


@given(mistyped())
def test_one_slip_in_a_control_is_answered(pair):
    right, changed = pair
    found = parse_control(changed)
    assert found is not None
    if found.verb == "unknown":
        assert found.meant != MAIN
        assert all(edits(changed, one) <= EDITS_MAX for one in found.meant), right


def test_neighbours_swapped_are_one_edit():
    assert edits("cancle", "cancel") == 1
    assert edits("proced", "proceed") == 1
    assert edits("", "stop") == 4
