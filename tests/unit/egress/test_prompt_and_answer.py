"""What readers are asked, look by look, and what their answers are taken for."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from apis.loopback_api import answer
from corpora import corpus
from repository import ROOT

from evaluator.egress import prompt
from evaluator.egress.prompt import BLIND_SCHEMA, FIRST_SCHEMA, SCHEMA, schema_of
from evaluator.egress.reader_answer import REPLY_CHARS_MAX, keeps_schema, near_words, parse_answer
from evaluator.model import ACTIONS, CONCERNS, EXTENTS, LOOKS, Evidence, Look, Reading, Sample

NONCE = "a1b2c3d4"

BARE = Evidence("Edit", "edit", "modifying", ("src/auth/session.py",), "rename the helper to load_session")
FULL = replace(
    BARE,
    prior_assistant_turn="1. rename it\n2. leave it?",
    command="git mv a b",
    lines=12,
    delegated_task="rename in the auth package",
    resolved_option="rename it",
    plan="- rename the helper",
    turn_so_far=("Edit src/auth/__init__.py",),
    contents="def load_session(): ...",
    looked_up=("feature/x 1a2b3c4 [gone] by mara",),
    precedents=('2026-08-01: "the parser" meant "src/report/reader.py"',),
    earlier_messages=("never commit by yourself\n[then the assistant:] Understood.",),
)


def test_without_a_prior_turn_no_wording_mentions_one() -> None:
    asked = prompt.build_prompt(BARE, NONCE)
    said = (asked.system + asked.user).lower()
    assert "prior" not in said and "assistant last said" not in said
    assert (
        "would two independent readers converge on the same interpretation of this write, given only the "
        "context below?"
    ) in asked.system


def test_the_reading_is_asked_for_before_the_score_and_the_write_comes_after_the_exchange() -> None:
    asked = prompt.build_prompt(FULL, NONCE)
    steps = [asked.system.index(f"\n{key}: ") for key in _properties(SCHEMA)]
    assert steps == sorted(steps)
    places = [asked.user.index(one) for one in ("</delegated_task-", "The write:", "<turn_so_far-")]
    assert places == sorted(places)


def test_a_request_that_is_not_shown_is_said_to_be_missing() -> None:
    assert "nothing of it is shown" in prompt.build_prompt(replace(BARE, current_request=""), NONCE).user


@corpus("nonce", ["", "a b", "a>", "é", "a-b", "a\n"])
def test_a_nonce_that_could_break_a_tag_is_refused(nonce: str) -> None:
    with pytest.raises(ValueError, match="nonce"):
        prompt.build_prompt(BARE, nonce)


def _properties(schema: object) -> dict[str, Any]:
    return cast("dict[str, Any]", cast("Mapping[str, Any]", schema)["properties"])


def _objects(schema: object) -> list[dict[str, Any]]:
    if not isinstance(schema, dict):
        return []
    here = [schema] if schema.get("type") == "object" else []
    return here + [found for value in schema.values() for found in _objects(value)]


@pytest.mark.parametrize("schema", [SCHEMA, FIRST_SCHEMA, BLIND_SCHEMA])
def test_the_schema_keeps_to_what_structured_outputs_take(schema: Mapping[str, object]) -> None:
    text = json.dumps(schema)
    for word in ("minimum", "maximum", "minLength", "maxLength", "pattern", "$ref", "oneOf", "default"):
        assert f'"{word}"' not in text
    for found in _objects(schema):
        assert found["additionalProperties"] is False
        assert found["required"] == list(found["properties"])


def test_the_schema_offers_the_closed_lists_of_the_model_and_the_score_last() -> None:
    fields = _properties(SCHEMA)
    reading = _properties(fields["reading"])
    assert fields["primary_concern"]["enum"] == list(CONCERNS)
    assert (reading["action"]["enum"], reading["extent"]["enum"]) == (list(ACTIONS), list(EXTENTS))
    assert [*fields][:1] + [*fields][-1:] == ["reading", "score"]


def test_the_fingerprint_follows_wording_and_schema(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = prompt.fingerprint()
    assert re.fullmatch(r"[0-9a-f]{16}", whole)
    for passage in ("prior", "earlier", "first", "blind"):
        changed = tmp_path / passage
        shutil.copytree(prompt.WORDING, changed)
        text = (changed / "full.md").read_text()
        (changed / "full.md").write_text(text.replace(f"<!-- /{passage} -->", f"x<!-- /{passage} -->"))
        monkeypatch.setattr(prompt, "WORDING", str(changed))
        prompt._wording.cache_clear()
        assert prompt.fingerprint() != whole, passage
    monkeypatch.undo()
    prompt._wording.cache_clear()
    assert prompt.fingerprint() == whole
    monkeypatch.setattr(prompt, "schema_of", lambda *look, **blind: {**schema_of(*look, **blind), "x": "y"})
    assert prompt.fingerprint() != whole


@corpus(
    ("added", "removed", "said"),
    [
        (12, 0, "change: only adds, 12 lines"), (0, 3, "change: only removes, 3 lines"),
        (9, 4, "change: 9 lines added, 4 removed"), (None, None, "size: 12 lines"), (0, 0, "size: 12 lines"),
    ],
)  # fmt: skip
def test_what_a_change_does_is_told_by_its_lines(added: int | None, removed: int | None, said: str) -> None:
    text = prompt.build_prompt(replace(FULL, added=added, removed=removed), NONCE).user
    assert f"\n{said}\n" in text
    assert len(re.findall(r"^(?:change|size): ", text, re.MULTILINE)) == 1


def test_the_short_text_asks_the_same_of_the_same_evidence() -> None:
    whole, short = prompt.build_prompt(FULL, NONCE), prompt.build_prompt(FULL, NONCE, short=True)
    assert short.user == whole.user
    assert all(re.search(rf"\b{key}\b", short.system) for key in _properties(SCHEMA))
    assert all(word in short.system for word in (*ACTIONS, *EXTENTS, *CONCERNS))
    assert len(short.system) < len(whole.system) / 2
    assert "prior" not in prompt.build_prompt(BARE, NONCE, short=True).system
    assert prompt.fingerprint() != prompt.fingerprint(short=True)


@pytest.mark.parametrize("short", [False, True])
def test_the_first_look_sees_less_and_is_asked_for_a_score_alone(short: bool) -> None:
    first, second = (prompt.build_prompt(FULL, NONCE, look=look, short=short) for look in LOOKS)
    shown, wide = (set(re.findall(rf"<([a-z_]+)-{NONCE}>", asked.user)) for asked in (first, second))
    assert wide - shown == {"earlier_messages", "looked_up"}
    assert "never commit by yourself" not in first.user
    assert "earlier messages" in second.system and "earlier messages" not in first.system
    without = replace(FULL, earlier_messages=())
    assert "earlier messages" not in prompt.build_prompt(without, NONCE).system.lower()
    assert first.user.endswith("Your answer: score, primary_concern.")
    assert "rationale" not in first.system and "reading" not in first.system.replace("reading, searching", "")
    assert len(first.system) < len(second.system)


@pytest.mark.parametrize(("short", "tokens"), [(False, 1600), (True, 600)])
@pytest.mark.parametrize("look", LOOKS)
def test_the_texts_keep_to_their_room(look: Look, short: bool, tokens: int) -> None:
    """At four characters a token, with every passage in."""
    assert len(prompt.build_prompt(FULL, NONCE, look=look, short=short).system) / 4 <= tokens


@corpus("short", [False, True])
@corpus("look", LOOKS)
@corpus("evidence", [BARE, FULL])
def test_no_condition_of_the_wording_is_left_standing(look: Look, short: bool, evidence: Evidence) -> None:
    for blind in {False, look == "second"}:
        system = prompt.build_prompt(evidence, NONCE, look=look, short=short, blind=blind).system
        assert "<!--" not in system and "{" not in system and "\n\n\n" not in system


# What models really write: each shape of the corpus comes out as it says there. `strict` is how answers of the hosted
# API and of the client are read, `lenient` how those of a server that was seen not to mind the schema are.


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
        reader="reader-2", score=0.4, primary_concern="target", rationale="two referents",
        reading=Reading("delete", "cache", "folder"), rival="the log", fits=False,
    )  # fmt: skip


def test_strings_are_bounded_and_cannot_act_on_a_terminal() -> None:
    nasty = "\x1b[31mred\x1b]8;;http://x\x07\nline two\r\u202egnp\u2066\u200b\0\x85\u2028end\U000e0041\ue000"
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
