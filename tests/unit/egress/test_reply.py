"""A reader's text becomes a valid sample, or an invalid one that says why."""

from __future__ import annotations

from apis.loopback_api import answer
from corpora import corpus

from evaluator.egress.reader_answer import one_line, parse
from evaluator.model import Reading, Sample


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


@corpus("rival", ["", "  ", "none", "None.", "null", "N/A", "\u200b"])
def test_a_rival_that_says_none_is_none(rival: str) -> None:
    assert parse(answer(rival=rival), "reader-1").rival is None


def test_one_line_keeps_words_apart_and_marks_a_cut() -> None:
    assert one_line("a\n\n b\tc", 10) == "a b c"
    assert one_line("abcdef", 4) == "abc…"
