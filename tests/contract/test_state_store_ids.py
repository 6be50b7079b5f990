"""Ids from outside are data to every state store: they never meet, break or grow anything."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples.sample_checks import CHECK, PENDING
from samples.state_stores import judge

from evaluator.ports import TurnKey
from evaluator.state.store import Store

NOW = 1_735_732_800.0
ODD_IDS = [
    "../../etc/passwd",
    "two\nlines",
    "nul\0inside",
    "nul\0other",
    "lone \ud800 surrogate",
    "lone \udfff surrogate",
    "'; DROP TABLE sessions; --",
    "",
    "x" * 3_000_000,
    "x" * 3_000_001,
    "sha256:" + "0" * 64,
    "ünï😀",
]


def test_ids_from_outside_are_data_and_stay_apart(store: Store) -> None:
    for count, odd in enumerate(ODD_IDS, start=1):
        for _ in range(count):
            store.add_prompt(odd, odd, odd[:50], NOW, opens_turn=True)
    for count, odd in enumerate(ODD_IDS, start=1):
        assert store.turn(odd, None) == TurnKey(odd, "", count)
        assert len(store.prompts(odd)) == count


@pytest.mark.parametrize("odd", ODD_IDS, ids=range(len(ODD_IDS)))
def test_an_odd_id_works_everywhere(store: Store, odd: str) -> None:
    store.start_session(odd, odd, NOW)
    turn = store.turn(odd, odd)
    assert store.take_check(turn, 1)
    assert not store.take_check(turn, 1)
    assert [store.next_sequence(odd) for _ in range(2)] == [0, 1]
    judge(store, odd, turn, "/p/a.py")
    store.settle(odd, NOW, succeeded=True)
    assert len(store.cooldowns(turn, 0)) == 1
    pending = replace(PENDING, session_id=odd, tool_use_id=odd, agent_id=odd, prompt_id=odd, tool_name=odd)
    store.save_check(replace(CHECK, check_id=odd or "x", pending=pending), turn, store_evidence=True)
    assert store.check(odd or "x") is not None
    assert len(json.dumps(store.check(None))) < 100_000
    assert not store.holds_token(odd, NOW)
    store.set_note(odd, odd)
    assert store.get_note(odd) == odd
    store.end_session(odd, NOW)
    store.sweep(NOW, 30)


@given(
    ids=st.lists(
        st.text(st.characters(exclude_categories=[]), max_size=8), min_size=2, max_size=2, unique=True
    )
)
@settings(max_examples=60)
def test_two_different_ids_never_meet(store: Store, ids: list[str]) -> None:
    for key in ids:
        store.set_note(key, f"note of {key!r}")
    assert [store.get_note(key) for key in ids] == [f"note of {key!r}" for key in ids]
