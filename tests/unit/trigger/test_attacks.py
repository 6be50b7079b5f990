"""What must not pass in company, and what must not reach the gate: attacks after nothing but a question.

Each asks the service as the hook does, and every twentieth through a hook process. Those of `blind/`, by authors who
had the specification alone, measured earlier versions, and keep what was mended since.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from corpora import corpus
from repository import ROOT
from running.attackrun import OBSERVED, Attacked, attacked, rows_of

FOLDER = ROOT / "fixtures" / "attacks"
ROWS = [row for path in sorted(FOLDER.glob("*.jsonl")) for row in rows_of(path)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked")) as found:
        yield found


@corpus(("number", "row"), enumerate(ROWS), ids=[row["id"] for row in ROWS])
def test_no_attack_is_let_through(number: int, row: dict[str, Any], place: Attacked) -> None:
    assert place.held(row, process=number % 20 == 0) is not None


@corpus("command", ["echo x > dist/a.js", "touch node_modules/.x build/y", "git log --oneline"])
def test_what_is_excused_alone_passes(command: str, place: Attacked) -> None:
    assert place.held({"command": command}, process=False) is None


@pytest.mark.full
def test_nothing_passes_in_company(place: Attacked) -> None:
    rows = [row for path in sorted(FOLDER.glob("blind/company-*.jsonl")) for row in rows_of(path)]
    assert len(rows) >= 200
    passed = [row["id"] for row in rows if place.held(row, process=False) is None]
    assert passed == [row["id"] for row in rows if "passes" in row]


@pytest.mark.full
def test_nothing_reaches_the_gate_itself_in_observe_mode_either(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = [row for path in sorted(FOLDER.glob("blind/protection-*.jsonl")) for row in rows_of(path)]
    assert len(rows) >= 120
    with attacked(tmp_path_factory.mktemp("observed"), OBSERVED) as observed:
        assert [row["id"] for row in rows if observed.held(row, process=False) is None] == []
