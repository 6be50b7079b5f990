"""What holds of the sanitizer for every text, limit and list of sequences."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from evaluator.egress.sanitizer import sanitize, sanitize_path
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES, PROMPT_TAGS

ANY_CHARACTER = st.characters(codec=None, exclude_categories=())
PIECES = st.sampled_from(
    [
        *DEFAULT_STRIP_SEQUENCES, *PROMPT_TAGS, "<", ">", "|", "/", "[", "]", "INST", "SYS", "\\", " ", "\t",
        "\n",
        "＜", "＞", "｜", "［", "］", "／", "ｉｎｓｔ", "ＳＹＳ", "\u200b", "\u2060", "\ufeff", "\u202e",
        "\u00ad", "\ufe0f", "\U000e0041", "\U000e0100", "\ue000", "\ud800", "\udc00", "\0", "\x1b", "\ufffe",
        "\u0301", "\u0316", "\u0338", "\u0344", "\ufdfa", "ß", "ı", "İ", "\u017f", "\u212a", "[STRIPPED]",
        "STRIP",
        "-x1",
        ' a="1"', "\u1100", "\u1161", "\u11a8", "\u2028", "\r",
    ]
)  # fmt: skip


def in_mixed_case(text: str, seed: int) -> str:
    return "".join(char.upper() if seed >> index & 1 else char for index, char in enumerate(text))


MIXED_CASE = st.builds(in_mixed_case, st.sampled_from(DEFAULT_STRIP_SEQUENCES), st.integers(0, 2**25))
TEXTS = st.lists(st.one_of(PIECES, MIXED_CASE, ANY_CHARACTER, st.text(ANY_CHARACTER, max_size=4))).map(
    "".join
)
SEQUENCES = st.one_of(
    st.just(DEFAULT_STRIP_SEQUENCES),
    st.lists(
        st.one_of(
            PIECES,
            st.text(ANY_CHARACTER, min_size=1, max_size=4),
            st.text("[]STRIPEDabß<>/ ", min_size=1, max_size=3),
            st.sampled_from(["<s>", "</tool>", "<a.b>"]),
        ),
        max_size=5,
    ).map(tuple),
)
LIMITS = st.one_of(st.none(), st.integers(0, 60))
REMOVED = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\uf8ff\U000e0000-\U0010ffff]"
)


@given(TEXTS, LIMITS, SEQUENCES)
def test_it_is_idempotent_bounded_and_free_of_every_sequence(
    text: str, limit: int | None, listed: tuple[str, ...]
) -> None:
    shown = sanitize(text, limit, listed)
    assert sanitize(shown, limit, listed) == shown
    assert limit is None or len(shown) <= limit
    for one in listed:
        assert one not in shown
        assert one.lower() not in shown.lower()
        assert one.upper() not in shown.upper()
        assert one.casefold() not in shown.casefold()


@given(TEXTS, LIMITS)
def test_no_prompt_tag_survives_in_any_dress(text: str, limit: int | None) -> None:
    shown = sanitize(text, limit, ())
    assert not re.search(rf"<[\s/\\]*(?:{'|'.join(PROMPT_TAGS)})", shown, re.IGNORECASE)


@given(TEXTS, LIMITS)
def test_nothing_invisible_survives_and_the_result_encodes(text: str, limit: int | None) -> None:
    shown = sanitize(text, limit, DEFAULT_STRIP_SEQUENCES)
    assert not REMOVED.search(shown)
    shown.encode("utf-8")


@given(TEXTS, LIMITS, st.integers(0, 80))
def test_a_tighter_limit_gives_a_prefix(text: str, limit: int | None, tighter: int) -> None:
    wide = sanitize(text, limit, DEFAULT_STRIP_SEQUENCES)
    assert wide.startswith(sanitize(wide, tighter, DEFAULT_STRIP_SEQUENCES))


@given(TEXTS, LIMITS, SEQUENCES)
def test_a_path_is_one_line_idempotent_bounded_and_free(
    text: str, limit: int | None, listed: tuple[str, ...]
) -> None:
    shown = sanitize_path(text, limit, listed)
    assert "\n" not in shown
    assert "\t" not in shown
    assert sanitize_path(shown, limit, listed) == shown
    assert limit is None or len(shown) <= limit
    assert not any(one.casefold() in shown.casefold() for one in listed)


@given(st.text(st.characters(codec="ascii", min_codepoint=32, max_codepoint=126), max_size=200))
def test_printable_ascii_without_delimiters_is_untouched(text: str) -> None:
    if not re.search(r"[<>\[|]", text):
        assert sanitize(text, None, DEFAULT_STRIP_SEQUENCES) == text
