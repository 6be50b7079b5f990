"""An excerpt keeps what matters to the pending write, within its limit, with its cuts marked."""

from __future__ import annotations

from corpora import corpus

from evaluator.egress.excerpt import MARK, excerpt
from evaluator.text import width

FILLER = "\n".join(f"Line {i} talks about this and that at some length." for i in range(100))


def test_a_text_that_fits_is_unchanged_and_no_limit_sends_half_a_cut() -> None:
    assert excerpt("short text", 10, ()) == "short text"
    assert [excerpt("some longer text", limit, ("text",)) for limit in (5, 0, -5)] == ["", "", ""]


def test_wide_characters_count_double() -> None:
    assert excerpt("日本語", 6, ()) == "日本語"
    assert width(excerpt("日本語" * 100, 50, ())) <= 50
    assert len(excerpt("日本語" * 100, 50, ())) < 30


def test_without_anything_to_keep_the_end_outweighs_the_beginning() -> None:
    found = excerpt(FILLER, 300, ())
    beginning, end = found.split(f"\n{MARK}\n")
    assert FILLER.startswith(beginning)
    assert FILLER.endswith(end)
    assert len(end) > len(beginning) > 50


def test_the_passage_that_names_a_target_is_kept() -> None:
    text = f"{FILLER}\nThe fix belongs into src/auth/login.py only.\n{FILLER}"
    found = excerpt(text, 300, ("src/auth/login.py", "login"))
    assert f"{MARK}\nThe fix belongs into src/auth/login.py only." in found
    assert found.endswith(FILLER[-30:])
    assert found.count(MARK) >= 2


@corpus(
    ("text", "limit", "keep", "kept"),
    [
        (f"{FILLER}\nhappy snapping\n{FILLER}\nThe APP starts here\n修改app文件\n{FILLER}", 200, "app",
         ["The APP starts here", "修改app文件"]),
        (f"{FILLER}\nShould I use SQLite or PostgreSQL?\n{FILLER}", 200, "", ["Should I use SQLite or PostgreSQL?"]),
        ("\n".join(f"mention {i} of target.py in a line of its own" for i in range(300)), 400, "target.py",
         ["mention 299 "]),
        ("word " * 5000 + "then change target.py please " + "word " * 5000, 120, "target.py",
         ["change target.py please"]),
        ("日" * 2000 + " target.py " + "本" * 2000, 60, "target.py", ["日 target.py 本"]),
    ],
    ids=["a whole word in any case", "the last question", "the latest of many", "a line without end", "wide ones"],
)  # fmt: skip
def test_what_names_a_target_and_the_last_question_are_kept(
    text: str, limit: int, keep: str, kept: list[str]
) -> None:
    found = excerpt(text, limit, (keep,))
    assert all(one in found for one in kept) and "snapping" not in found
    assert width(found) <= limit
