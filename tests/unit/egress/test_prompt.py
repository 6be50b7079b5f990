"""The readers' prompt: slots, wording, order, schema."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from corpora import corpus

from evaluator.egress import prompt
from evaluator.egress.prompt import BLIND_SCHEMA, FIRST_SCHEMA, SCHEMA, schema_of
from evaluator.model import ACTIONS, CONCERNS, EXTENTS, LOOKS, Evidence, Look

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
    assert "prior" not in said
    assert "assistant last said" not in said
    assert (
        "would two independent readers converge on the same interpretation of this write, given only the "
        "context below?"
    ) in asked.system


def test_the_reading_is_asked_for_before_the_score_and_the_write_comes_after_the_exchange() -> None:
    asked = prompt.build_prompt(FULL, NONCE)
    steps = [asked.system.index(f"\n{key}: ") for key in _properties(SCHEMA)]
    assert steps == sorted(steps)
    assert (
        asked.user.index("</delegated_task-")
        < asked.user.index("The write:")
        < asked.user.index("<turn_so_far-")
    )


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
    monkeypatch.setattr(
        prompt, "schema_of", lambda *look, **blind: {**schema_of(*look, **blind), "title": "x"}
    )
    assert prompt.fingerprint() != whole


@corpus(
    ("added", "removed", "said"),
    [
        (12, 0, "change: only adds, 12 lines"),
        (0, 3, "change: only removes, 3 lines"),
        (9, 4, "change: 9 lines added, 4 removed"),
        (None, None, "size: 12 lines"),
        (0, 0, "size: 12 lines"),
    ],
)
def test_what_a_change_does_is_told_by_its_lines(added: int | None, removed: int | None, said: str) -> None:
    text = prompt.build_prompt(replace(FULL, added=added, removed=removed), NONCE).user
    assert f"\n{said}\n" in text
    assert len(re.findall(r"^(?:change|size): ", text, re.MULTILINE)) == 1


def test_the_short_text_asks_the_same_of_the_same_evidence() -> None:
    whole, short = prompt.build_prompt(FULL, NONCE), prompt.build_prompt(FULL, NONCE, short=True)
    assert short.user == whole.user
    assert all(re.search(rf"\b{key}\b", short.system) for key in _properties(SCHEMA))
    assert all(action in short.system for action in ACTIONS)
    assert all(extent in short.system for extent in EXTENTS)
    assert all(concern in short.system for concern in CONCERNS)
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
