"""What models really write, read strictly and leniently: each shape of the corpus comes out as it says there.

`strict` is how answers of the hosted API and of the client are read, `lenient` how those of a server that was seen
not to mind the schema are.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from apis.loopback_api import answer
from corpora import corpus
from repository import ROOT

from evaluator.egress.prompt import BLIND_SCHEMA, SCHEMA
from evaluator.egress.reader_answer import REPLY_CHARS_MAX, keeps_schema, near_words, parse_answer
from evaluator.model import ACTIONS, CONCERNS, EXTENTS, Reading, Sample

SHAPES = [json.loads(line) for line in (ROOT / "fixtures/answers/shapes.jsonl").read_text().splitlines()]
COUNTS = {
    "as-asked": 14, "fence": 16, "think": 16, "extra-key": 9, "missing-key": 10, "score": 35, "fits": 12,
    "near-word": 18, "broken": 28, "repeated-key": 7, "attack": 44,
}  # fmt: skip


def test_the_corpus_is_whole() -> None:
    assert Counter(shape["family"] for shape in SHAPES) == COUNTS
    assert not [shape["id"] for shape in SHAPES if shape["family"] == "attack" and shape["lenient"]]


@corpus("manner", ["strict", "lenient"])
@corpus("shape", SHAPES, ids=[shape["id"] for shape in SHAPES])
def test_each_shape_is_read_as_the_corpus_says(shape: dict[str, object], manner: str) -> None:
    text, blind = str(shape["text"]), bool(shape.get("blind"))
    sample = parse_answer(text, "reader-1", blind=blind, lenient=manner == "lenient")
    assert sample.valid == shape[manner], (shape["says"], sample.error)
    if sample.valid:
        assert sample.score == shape["score"], shape["says"]
        assert sample.reading is not None and sample.reading.action in ACTIONS
        assert sample.reading.extent in EXTENTS and sample.primary_concern in CONCERNS
        assert sample.fits is None if blind else isinstance(sample.fits, bool)
    else:
        assert sample.error is not None and sample.error.startswith("invalid: ")
        assert sample.score is None and sample.reading is None


@corpus("shape", SHAPES, ids=[shape["id"] for shape in SHAPES])
def test_a_server_that_keeps_the_schema_is_told_from_one_that_does_not(shape: dict[str, object]) -> None:
    schema = BLIND_SCHEMA if shape.get("blind") else SCHEMA
    if shape["strict"]:
        assert keeps_schema(str(shape["text"]), schema)
    elif shape["family"] != "score":
        assert not keeps_schema(str(shape["text"]), schema)


@pytest.mark.parametrize(("raw", "kept"), [("7", True), ("-1", True), ('"0.7"', False), ("null", False)])
def test_a_score_out_of_bounds_is_no_sign_that_the_schema_was_ignored(raw: str, kept: bool) -> None:
    text = str(SHAPES[0]["text"]).replace('"score": 0.7', f'"score": {raw}')
    assert keeps_schema(text, SCHEMA) == kept
    assert not parse_answer(text, "reader-1").valid


def test_near_words_lead_to_words_of_the_schema_and_hide_none() -> None:
    for kind, words in (("actions", ACTIONS), ("extents", EXTENTS), ("concerns", CONCERNS)):
        near = near_words(kind)
        assert set(near.values()) <= set(words)
        assert not set(near) & set(words)


@corpus(
    "text",
    [
        "<think>" * 2800, "```json\n" * 2400, "{" + '"a":[' * 3000, "\n" * (REPLY_CHARS_MAX - 1),
        "x" * (REPLY_CHARS_MAX + 1),
    ],
)  # fmt: skip
def test_long_hostile_text_is_invalid_and_quick(text: str) -> None:
    assert not parse_answer(text, "reader-1", lenient=True).valid


# A reader's text becomes a valid sample, or an invalid one that says why.


def test_an_answer_becomes_a_sample_field_by_field() -> None:
    text = answer(
        0.4, action="delete", target="cache", extent="folder", rival="the log", fits=False,
        rationale="two referents", primary_concern="target",
    )  # fmt: skip
    assert parse_answer(text, "reader-2") == Sample(
        reader="reader-2",
        score=0.4,
        primary_concern="target",
        rationale="two referents",
        reading=Reading("delete", "cache", "folder"),
        rival="the log",
        fits=False,
    )


def test_strings_are_bounded_and_cannot_act_on_a_terminal() -> None:
    nasty = (
        "\x1b[31mred\x1b]8;;http://x\x07\nline two\r\u202egnp\u2066\u200b\x00\x85\u2028end\U000e0041\ue000"
    )
    sample = parse_answer(answer(rationale=nasty, target=nasty * 50, rival=nasty), "reader-1")
    assert sample.reading is not None
    for text in (sample.rationale, sample.reading.target, sample.rival or ""):
        assert text.isprintable()
        assert "[31mred" in text
    assert len(sample.reading.target) == 120
    assert "line two" in sample.rationale
    assert len(parse_answer(answer(rationale="w " * 30), "reader-1").rationale.split()) == 20


@pytest.mark.parametrize("seen", ["क्\u200dष.py", "क्ष\u00ad.py", "\u200bक्ष.py"])
def test_what_cannot_be_seen_parts_no_target_from_its_like(seen: str) -> None:
    sample = parse_answer(answer(target=seen), "reader-1")
    assert sample.reading is not None and sample.reading.target == "क्ष.py"


@corpus("rival", ["", "  ", "none", "None.", "null", "N/A", "\u200b"])
def test_a_rival_that_says_none_is_none(rival: str) -> None:
    assert parse_answer(answer(rival=rival), "reader-1").rival is None
