"""An excerpt keeps what matters to the pending write, within its limit, with its cuts marked."""

from __future__ import annotations

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


def test_a_name_counts_as_a_whole_word_in_any_case() -> None:
    text = f"{FILLER}\nhappy snapping\n{FILLER}\nThe APP starts here\n修改app文件\n{FILLER}"
    found = excerpt(text, 200, ("app",))
    assert "The APP starts here" in found and "修改app文件" in found
    assert "snapping" not in found


def test_the_last_question_is_kept() -> None:
    text = f"{FILLER}\nShould I use SQLite or PostgreSQL?\n{FILLER}"
    assert "Should I use SQLite or PostgreSQL?" in excerpt(text, 200, ())


def test_the_latest_of_many_mentions_come_first() -> None:
    text = "\n".join(f"mention {i} of target.py in a line of its own" for i in range(300))
    found = excerpt(text, 400, ("target.py",))
    assert "mention 299 " in found
    assert width(found) <= 400


def test_a_name_in_a_line_without_end_is_kept_with_its_surroundings() -> None:
    text = "word " * 5000 + "then change target.py please " + "word " * 5000
    found = excerpt(text, 120, ("target.py",))
    assert "change target.py please" in found
    assert width(found) <= 120


def test_a_name_among_wide_characters_is_kept_though_its_surroundings_are_twice_as_wide() -> None:
    text = "日" * 2000 + " target.py " + "本" * 2000
    found = excerpt(text, 60, ("target.py",))
    assert "日 target.py 本" in found
    assert width(found) <= 60
