"""What must not pass in company: each row through the real hook command, after nothing but a question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attackrun import Attacked, attacked, rows_of

FOLDER = Path(__file__).parents[2] / "fixtures" / "attacks"
ROWS = [row for path in sorted(FOLDER.glob("*.jsonl")) for row in rows_of(path)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked")) as found:
        yield found


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_no_attack_is_let_through(row: dict[str, Any], place: Attacked) -> None:
    assert place.held(row) is not None


@pytest.mark.parametrize(
    "command", ["echo x > dist/a.js", "touch node_modules/.x build/y", "git log --oneline"]
)
def test_what_is_excused_alone_passes(command: str, place: Attacked) -> None:
    assert place.held({"command": command}) is None
