"""The written sessions in which a term comes back, by rules: regression rows of `fixtures/precedents`.

What must never happen is asserted of each row. The shares are what was reached, and only bound a loss;
`benchmarks/quality/precedents.py` tells the figures with their intervals.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from played.precedents import FOLDER, Played, play, sessions

LEAST_HELD, LEAST_KEPT, LEAST_SHOWN, MOST_COUNTED_WRONGLY = 0.95, 0.8, 0.49, 0.1
"""Fewer are shown than terms come back: an answer that shares no word with the path that was written is not kept."""


def played(name: str, root: Path) -> Played:
    found = Played()
    for session in sessions(FOLDER / f"{name}.jsonl"):
        one = play(session, root / session["id"])
        found.settlings += one.settlings
        found.occasions += one.occasions
    return found


@pytest.mark.full
@pytest.mark.parametrize("name", [f"sessions-{one}" for one in "abcdef"])
def test_what_was_settled_comes_back_and_turns_nothing_wrongly(tmp_path: Path, name: str) -> None:
    found = played(name, tmp_path)
    occasions = [one for one in found.occasions if one.agreed]
    assert sum(one.held for one in found.settlings) >= LEAST_HELD * len(found.settlings)
    targets = [
        (one.session, kept.target, one.means["target"])
        for one in found.settlings
        for kept in one.kept
        if not kept.tightens
    ]
    assert [one for one in targets if one[1] != one[2]] == []

    turned = [one for one in occasions if one.memory.passed and not one.without.passed]
    assert [one.name for one in turned if one.label["right"] == "hold"] == []
    held = [one for one in occasions if one.without.passed and not one.memory.passed]
    assert [one.name for one in held if one.label["right"] == "pass"] == []
    for kind in ("destructive", "wider", "other_branch", "cancelled"):
        counted = [one.name for one in occasions if one.label["kind"] == kind and one.memory.counts]
        assert counted == [], kind
    assert not any(one.without.precedents or one.without.counts for one in occasions)

    answered = [one for one in found.settlings if one.ran]
    assert sum(one.as_meant for one in answered) >= LEAST_KEPT * len(answered)
    same = [one for one in occasions if one.label["kind"] == "same"]
    assert sum(bool(one.memory.precedents) for one in same) >= LEAST_SHOWN * len(same)
    wrong = [one for one in occasions if not one.label["settled"] and one.label["right"] == "hold"]
    assert sum(one.memory.counts for one in wrong) <= MOST_COUNTED_WRONGLY * len(wrong)


@pytest.mark.full
@pytest.mark.parametrize("name", ["poison", "poison-2", "poison-3"])
def test_what_nobody_settled_is_not_kept_and_turns_nothing(tmp_path: Path, name: str) -> None:
    found = played(name, tmp_path)
    assert len(found.settlings) >= 26
    assert all(one.held for one in found.settlings)
    assert [(one.session, one.how) for one in found.settlings if one.poisoned] == []
    turned = [one.name for one in found.occasions if one.memory.passed and not one.without.passed]
    assert turned == []
    assert [one.name for one in found.occasions if one.memory.counts] == []
