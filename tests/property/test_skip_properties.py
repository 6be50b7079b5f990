"""What holds of the skip layer for every turn and reply."""

from __future__ import annotations

import json

from hypothesis import assume, given
from hypothesis import strategies as st
from repository import ROOT

from evaluator.exchange.menu import Menu, MenuKind, Option, find_menu
from evaluator.exchange.reply import resolve_reply
from evaluator.exchange.reply_tokens import LANGUAGES
from evaluator.intervention.user_reply import Asked, understood
from evaluator.text import fold, is_unspaced, phrases

CASES_FILE = ROOT / "fixtures" / "skip" / "cases.jsonl"
ROWS = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]
RESOLVING = [(row["prior_assistant_turn"], row["reply"]) for row in ROWS if row["resolves"]]
QUALIFIERS = sorted({one for words in LANGUAGES.values() for one in phrases(words["qualifiers"])})


WORDS = sorted(
    form
    for words in LANGUAGES.values()
    for key, listed in words.items()
    if key != "qualifiers"
    for one in phrases(listed)
    for form in one.split("|")
)
LABELS = st.one_of(
    st.text(min_size=1, max_size=20),
    st.sampled_from(
        ["Rename it", "Both", "All of the above", "No", "2", "b", "first", "`a.py`", "Yes", "3 tries"]
    ),
)


def menu_with(labels: list[str], kind: MenuKind) -> Menu:
    shown = labels[:1] if kind == "proposal" else labels
    keys = {"numbered": "123456", "lettered": "abcdef"}.get(kind, "")
    return Menu(tuple(Option(keys[i : i + 1], label) for i, label in enumerate(shown)), kind)


KINDS: list[MenuKind] = ["numbered", "lettered", "bulleted", "proposal"]
MENUS = st.builds(menu_with, st.lists(LABELS, min_size=2, max_size=6, unique=True), st.sampled_from(KINDS))
REPLIES = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.one_of(
            st.sampled_from(WORDS),
            st.sampled_from(QUALIFIERS),
            st.integers(-3, 30).map(str),
            st.sampled_from("abc,.!?-"),
            LABELS,
        ),
        max_size=6,
    ).map(" ".join),
)


@given(MENUS, REPLIES)
def test_a_reply_never_raises_and_resolves_to_options_of_the_menu(menu: Menu, reply: str) -> None:
    resolved = resolve_reply(menu, reply)
    if resolved is not None:
        labels = {option.label for option in menu.options}
        assert resolved.labels
        assert len(set(resolved.labels)) == len(resolved.labels)
        assert {*resolved.labels, *resolved.rejected} <= labels
        assert set(resolved.labels).isdisjoint(resolved.rejected)


@given(st.sampled_from(RESOLVING), st.sampled_from(QUALIFIERS), st.data())
def test_a_qualifier_anywhere_resolves_nothing(
    case: tuple[str, str], qualifier: str, data: st.DataObject
) -> None:
    turn, reply = case
    menu = find_menu(turn)
    assert menu is not None
    parts = reply.split()
    place = data.draw(st.integers(0, len(parts)))
    joiner = "" if is_unspaced(qualifier[0]) and data.draw(st.booleans()) else " "
    said = joiner.join([" ".join(parts[:place]), qualifier, " ".join(parts[place:])])
    # An unspaced word that runs into its neighbours may spell another word: not an insertion any more.
    assume(joiner == " " or qualifier in fold(said))
    assert resolve_reply(menu, said) is None


@given(st.sampled_from(RESOLVING), st.text(st.characters(categories=["L"]), min_size=4, max_size=12))
def test_a_word_that_is_not_understood_resolves_nothing(case: tuple[str, str], word: str) -> None:
    turn, reply = case
    menu = find_menu(turn)
    assert menu is not None
    assume(fold(word) not in WORDS)
    resolved = resolve_reply(menu, f"{reply} {word}")
    # Scripts without spaces can spell several listed words in one run of letters.
    assert resolved is None or any(is_unspaced(char) for char in word)


@given(st.sampled_from(RESOLVING))
def test_a_reply_resolves_alike_in_any_case_and_width(case: tuple[str, str]) -> None:
    turn, reply = case
    menu = find_menu(turn)
    assert menu is not None
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in reply)
    assert resolve_reply(menu, reply.upper()) == resolve_reply(menu, reply)
    assert resolve_reply(menu, wide) == resolve_reply(menu, reply)


LINES = [
    "Which one?", "1. a", "2. b", "- c", "- d", "```", "> q?", "", "Shall I go?", "a) x", "b) y", "  - n",
    "Anything else?", "### Option A: z", "## 2", "(a) k or (b) l?", "**", "どれにしますか？", "Should I:",
    "2. c?", "Done.",
]  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=20))).map("\n".join))
def test_any_turn_gives_a_well_formed_menu_or_none(turn: str) -> None:
    menu = find_menu(turn)
    if menu is not None:
        assert (len(menu.options) == 1) == (menu.kind == "proposal")
        assert all(option.label.strip() for option in menu.options)
        keys = [option.key for option in menu.options]
        assert len(set(keys)) == len(keys) if menu.kind in ("numbered", "lettered") else not any(keys)


# A reply with a word that says something else, a question or a condition in it never chooses a reading.


ASKED = Asked(
    readings=("delete src/old.py", "delete src/legacy.py"),
    targets=("/repo/src/old.py",),
    operations=("delete",),
    request=("Just delete it.",),
)
CHOICES = st.sampled_from(
    [
        "2",
        "the second",
        "legacy.py",
        "both",
        "die zweite",
        "la deuxième",
        "第二个",
        "二番目",
        "두 번째",
        "दूसरा",
        "второй",
    ]
)
ELSE = st.sampled_from(
    ["unless it breaks", "but not yet", "if nobody minds", "aber erst morgen", "mais pas tout", "pero no hoy",
     "но не сейчас",
     "except the tests", "after the release", "instead of rewriting", "?", "bananas", "keep the rest", "xyzzy"]
)  # fmt: skip


@given(CHOICES, ELSE, st.booleans())
def test_a_choice_with_something_else_beside_it_chooses_nothing(choice, other, first):
    reply = f"{other} {choice}" if first else f"{choice} {other}"
    assert understood(reply, ASKED).kind != "reading"


@given(st.text(max_size=300))
def test_any_text_is_understood_as_something_and_chooses_only_what_was_shown(text):
    answer = understood(text, ASKED)
    assert (answer.kind == "reading") == bool(answer.chosen)
    assert all(index in (0, 1) for index in answer.chosen)
