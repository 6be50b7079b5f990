"""What holds of the skip layer and of transcripts for every turn, reply, line and excerpt."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from repository import ROOT
from samples.sessions import Session, pending_write

from evaluator.egress.excerpt import MARK, excerpt
from evaluator.exchange.menu import Menu, MenuKind, Option, find_menu
from evaluator.exchange.reply import resolve_reply
from evaluator.exchange.reply_tokens import LANGUAGES
from evaluator.intervention.user_reply import Asked, understood
from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt
from evaluator.text import fold, is_unspaced, phrases, width
from hooks.hosts.claude_code.transcript_source import ClaudeTurn, TranscriptReader, walk_chain
from hooks.json_lines import Tail
from hooks.transcript import gather_turn, resolve_exchange

ROWS = [json.loads(line) for line in (ROOT / "fixtures/skip/cases.jsonl").read_text().splitlines()]
RESOLVING: list[tuple[Any, str]] = [
    (find_menu(row["prior_assistant_turn"]), row["reply"]) for row in ROWS if row["resolves"]
]
QUALIFIERS = sorted({one for words in LANGUAGES.values() for one in phrases(words["qualifiers"])})
LISTED = [listed for words in LANGUAGES.values() for key, listed in words.items() if key != "qualifiers"]
PHRASES = sorted(form for listed in LISTED for one in phrases(listed) for form in one.split("|"))
LABELS = st.text(min_size=1, max_size=20) | st.sampled_from(
    ["Rename it", "Both", "All of the above", "No", "2", "b", "first", "`a.py`", "Yes", "3 tries"]
)


def menu_with(labels: list[str], kind: MenuKind) -> Menu:
    shown = labels[:1] if kind == "proposal" else labels
    keys = {"numbered": "123456", "lettered": "abcdef"}.get(kind, "")
    return Menu(tuple(Option(keys[i : i + 1], label) for i, label in enumerate(shown)), kind)


KINDS: list[MenuKind] = ["numbered", "lettered", "bulleted", "proposal"]
MENUS = st.builds(menu_with, st.lists(LABELS, min_size=2, max_size=6, unique=True), st.sampled_from(KINDS))
SAID = st.sampled_from(PHRASES) | st.sampled_from(QUALIFIERS) | st.sampled_from("abc,.!?-") | LABELS
REPLIES = st.text(max_size=30) | st.lists(SAID | st.integers(-3, 30).map(str), max_size=6).map(" ".join)


@given(MENUS, REPLIES)
def test_a_reply_never_raises_and_resolves_to_options_of_the_menu(menu: Menu, reply: str) -> None:
    resolved = resolve_reply(menu, reply)
    if resolved is not None:
        assert 0 < len(resolved.labels) == len(set(resolved.labels))
        assert {*resolved.labels, *resolved.rejected} <= {option.label for option in menu.options}
        assert set(resolved.labels).isdisjoint(resolved.rejected)


@given(st.sampled_from(RESOLVING), st.sampled_from(QUALIFIERS), st.data())
def test_a_qualifier_anywhere_resolves_nothing(case, qualifier, data):
    menu, reply = case
    parts = reply.split()
    place = data.draw(st.integers(0, len(parts)))
    joiner = "" if is_unspaced(qualifier[0]) and data.draw(st.booleans()) else " "
    said = joiner.join([" ".join(parts[:place]), qualifier, " ".join(parts[place:])])
    # An unspaced word that runs into its neighbours may spell another word: not an insertion any more.
    assume(joiner == " " or qualifier in fold(said))
    assert resolve_reply(menu, said) is None


@given(st.sampled_from(RESOLVING), st.text(st.characters(categories=["L"]), min_size=4, max_size=12))
def test_a_word_that_is_not_understood_resolves_nothing(case: tuple[Any, str], word: str) -> None:
    menu, reply = case
    assume(fold(word) not in PHRASES)
    resolved = resolve_reply(menu, f"{reply} {word}")
    # Scripts without spaces can spell several listed words in one run of letters.
    assert resolved is None or any(is_unspaced(char) for char in word)


@given(st.sampled_from(RESOLVING))
def test_a_reply_resolves_alike_in_any_case_and_width(case: tuple[Any, str]) -> None:
    menu, reply = case
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in reply)
    for other in (reply.upper(), wide):
        assert resolve_reply(menu, other) == resolve_reply(menu, reply)


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


READINGS = ("delete src/old.py", "delete src/legacy.py")
ASKED = Asked(READINGS, ("/repo/src/old.py",), ("delete",), ("Just delete it.",))
CHOICES = st.sampled_from(
    [
        "2", "the second", "legacy.py", "both", "die zweite", "la deuxième", "第二个", "二番目", "두 번째", "दूसरा",
        "второй",
    ]
)  # fmt: skip
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


EXPECTED = Exchange(("second", "queued"), "asked: a or b?", (AnsweredQuestion("which?", ("A", "B"), ("B",)),))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["type", "message", "content", "isMeta", "promptId", "attachment", "origin", "toolUseResult", "text",
     "answers", "questions", "prompt", "id", "name", "input", "kind", "model", "promptSource"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["user", "assistant", "attachment", "system", "queued_command", "tool_result", "tool_use", "text",
     "human", "ExitPlanMode", "AskUserQuestion", "<command-name>/x</command-name>", "<task-notification>"]
)  # fmt: skip
HOSTILE = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=6),
    max_leaves=20,
)
JUNK = st.one_of(
    st.binary(max_size=200).filter(lambda raw: b"\n" not in raw),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(FIELDS, HOSTILE, max_size=8).map(lambda value: json.dumps(value).encode()),
    st.just(b'{"type":"user","isSidechain":true,"parentUuid":null,"uuid":"s","message":{"content":"x"}}'),
)


def session() -> Session:
    built = Session()
    built.turn("first", "p1", "asked: a or b?")
    built.prompt("second", "p2")
    built.calls("AskUserQuestion", {}, "q1")
    asked = [{"question": "which?", "options": [{"label": "A"}, {"label": "B"}]}]
    built.result("ok", "q1", toolUseResult={"questions": asked, "answers": {"which?": "B"}})
    built.queued("queued")
    built.says("on it")
    return built


def read(lines: list[bytes], prompt_id: str | None = "p2", kept: tuple[KeptPrompt, ...] = ()) -> Exchange:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return TranscriptReader().exchange(pending_write(path, prompt_id), kept)


@given(st.lists(st.tuples(st.integers(0, 9), JUNK), max_size=12))
def test_junk_between_the_lines_never_changes_the_answer(junk: list[tuple[int, bytes]]) -> None:
    lines = session().lines
    for place, raw in junk:
        lines.insert(place % (len(lines) + 1), raw)
    assert read(lines) == EXPECTED


@given(
    st.lists(st.dictionaries(FIELDS, HOSTILE, max_size=8), max_size=8),
    st.sampled_from([None, "p", "q"]),
    st.lists(st.builds(KeptPrompt, st.sampled_from([None, "p", "q"]), st.text(max_size=9), st.just(1))),
)
def test_hostile_lines_in_the_chain_never_raise(objects, prompt_id, kept):
    lines = [
        json.dumps({"parentUuid": f"u{i - 1}" if i else None, **fields, "uuid": f"u{i}"}).encode()
        for i, fields in enumerate(objects)
    ]
    assert isinstance(read(lines, prompt_id, tuple(kept)), Exchange)


@settings(max_examples=60)
@given(
    st.lists(st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")), max_size=20), st.integers(1, 40)
)
def test_lines_are_those_of_the_file_whatever_the_block(lines: list[bytes], block: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_bytes(b"\n".join(lines))
        found = [line.raw for line in Tail(str(path), block_bytes=block).lines()]
    assert found == [line for line in reversed([line.strip(b" \t\r\n\x00") for line in lines]) if line]


@settings(max_examples=40)
@given(st.integers(1, 300), st.integers(0, 3000))
def test_bounds_on_reading_only_ever_leave_something_out(block: int, scan: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = session().write(Path(folder) / "t.jsonl")
        steps = walk_chain(Tail(str(path), block_bytes=block, scan_bytes_max=scan))
        found = resolve_exchange(gather_turn(steps, ClaudeTurn()), steps, "p2", ())
    assert set(found.request) <= set(EXPECTED.request)
    assert found.prior_assistant_turn in {"", EXPECTED.prior_assistant_turn}


TEXTS = st.text(st.sampled_from("ab ?.\n日Ａ\u0301"), max_size=400)


@given(TEXTS, st.integers(0, 200), st.lists(st.text("ab日 ", max_size=5), max_size=3))
@example("x" * 50, 12, ["x"])
def test_an_excerpt_is_within_its_limit_and_stable(text: str, limit: int, keep: list[str]) -> None:
    found = excerpt(text, limit, keep)
    assert len(found) <= width(found) <= limit
    assert excerpt(found, limit, keep) == found
    if width(text) <= limit:
        assert found == text
    elif found:
        assert MARK in found
    for piece in found.split(MARK):
        assert piece.strip("\n") in text
