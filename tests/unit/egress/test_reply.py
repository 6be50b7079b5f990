"""A reader's text becomes a valid sample, or an invalid one that says why."""

from __future__ import annotations

import json

import pytest
from apis.loopback_api import answer
from corpora import corpus

from evaluator.egress.answer import one_line, parse
from evaluator.model import Reading, Sample


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(answer()), **changes})


def without(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(answer()).items() if name != key})


def scored(raw: str) -> str:
    return answer(score=0.5).replace('"score": 0.5', f'"score": {raw}')


def assert_invalid(sample: Sample, reason: str) -> None:
    assert not sample.valid
    assert sample.error is not None
    assert sample.error.startswith("invalid: ")
    assert reason in sample.error
    assert sample == Sample(reader="reader-1", error=sample.error)


def test_an_answer_becomes_a_sample_field_by_field() -> None:
    text = answer(
        0.4, action="delete", target="cache", extent="folder", rival="the log", fits=False,
        rationale="two referents", primary_concern="target",
    )  # fmt: skip
    assert parse(text, "reader-2") == Sample(
        reader="reader-2",
        score=0.4,
        primary_concern="target",
        rationale="two referents",
        reading=Reading("delete", "cache", "folder"),
        rival="the log",
        fits=False,
    )


@corpus("raw", ["0", "1", "0.0", "1.0", "0.65", "1e-3"])
def test_a_finite_number_within_zero_and_one_is_taken_as_it_stands(raw: str) -> None:
    assert parse(scored(raw), "reader-1").score == float(raw)


@corpus(
    ("raw", "reason"),
    [
        ("7", "score"), ("-0.1", "score"), ("1.0000001", "score"), ('"0.9"', "score"), ("true", "score"),
        ("null", "score"), ("[0.9]", "score"), ("NaN", "NaN"), ("Infinity", "Infinity"),
        ("-Infinity", "-Infinity"), ("1e999", "score"), ("1" + "0" * 400, "score"),
        ("1" + "0" * 5000, "not one whole JSON object"),
    ],
)  # fmt: skip
def test_any_other_score_makes_the_sample_invalid(raw: str, reason: str) -> None:
    assert_invalid(parse(scored(raw), "reader-1"), reason)


@corpus("key", list(json.loads(answer())))
def test_a_missing_key_makes_the_sample_invalid(key: str) -> None:
    assert_invalid(parse(without(key), "reader-1"), key)


@corpus(
    ("text", "reason"),
    [
        (changed(fits="true"), "fits"),
        (changed(fits=1), "fits"),
        (changed(primary_concern="vibes"), "primary_concern"),
        (changed(reading=None), "reading"),
        (changed(reading={"action": "fly", "target": "x", "extent": "one_file"}), "reading.action"),
        (changed(reading={"action": "fix", "target": 3, "extent": "one_file"}), "reading.target"),
        (changed(reading={"action": "fix", "target": "x", "extent": "galaxy"}), "reading.extent"),
        (changed(rival=["a"]), "rival"),
        (changed(rationale=None), "rationale"),
        (changed(confidence=1.0), "confidence"),
        (answer()[:-1] + ', "score": 0.9}', "twice"),
    ],
)
def test_what_the_schema_does_not_allow_is_invalid(text: str, reason: str) -> None:
    assert_invalid(parse(text, "reader-1"), reason)


@pytest.mark.parametrize("text", [answer(), f"  {answer()}\n", json.dumps(json.loads(answer()), indent=2)])
def test_one_whole_object_is_the_answer(text: str) -> None:
    assert parse(text, "reader-1").score == 0.9


@corpus(
    ("text", "reason"),
    [
        ("", "not one whole JSON object"),
        ("I would rather not.", "not one whole JSON object"),
        (f"```json\n{answer()}\n```", "not one whole JSON object"),
        (f"Here is my answer:\n\n{answer()}\n\nI hope it helps.", "not one whole JSON object"),
        (answer() + answer(), "not one whole JSON object"),
        (f"{answer(0.1)} or rather {answer(0.9)}", "not one whole JSON object"),
        (f"{{}} {answer()}", "not one whole JSON object"),
        (f"{{draft {answer()}", "not one whole JSON object"),
        (answer()[:-1], "not one whole JSON object"),
        (f"[{answer()}]", "array"),
        (json.dumps(answer()), "string"),
        ("null", "null"),
        ("0.9", "not an object"),
        ("{" * 5000, "not one whole JSON object"),
        ('{"a":' * 3500, "not one whole JSON object"),
        ("[" * 15_000, "not one whole JSON object"),
        (answer() + " " * 30_000, "longer than"),
    ],
)
def test_several_objects_broken_ones_or_none_are_invalid(text: str, reason: str) -> None:
    assert_invalid(parse(text, "reader-1"), reason)


def test_the_rationale_is_cut_to_twenty_words() -> None:
    sample = parse(answer(rationale=" ".join(f"w{n}" for n in range(30))), "reader-1")
    assert sample.rationale.split() == [f"w{n}" for n in range(20)]


def test_strings_are_bounded_and_cannot_act_on_a_terminal() -> None:
    nasty = (
        "\x1b[31mred\x1b]8;;http://x\x07\nline two\r\u202egnp\u2066\u200b\x00\x85\u2028end\U000e0041\ue000"
    )
    sample = parse(answer(rationale=nasty, target=nasty * 50, rival=nasty), "reader-1")
    assert sample.reading is not None
    for text in (sample.rationale, sample.reading.target, sample.rival or ""):
        assert text.isprintable()
        assert "[31mred" in text
    assert len(sample.reading.target) == 120
    assert "line two" in sample.rationale


def test_an_error_does_not_carry_the_text_of_the_model() -> None:
    sample = parse(changed(**{"\x1b[2J" + "x" * 900: 1}), "reader-1")
    assert sample.error is not None
    assert sample.error.isprintable()
    assert len(sample.error) <= 240


@corpus("rival", ["", "  ", "none", "None.", "null", "N/A", "\u200b"])
def test_a_rival_that_says_none_is_none(rival: str) -> None:
    assert parse(answer(rival=rival), "reader-1").rival is None


def test_one_line_keeps_words_apart_and_marks_a_cut() -> None:
    assert one_line("a\n\n b\tc", 10) == "a b c"
    assert one_line("abcdef", 4) == "abc…"
