"""What an interrupted measurement is tied to: whatever would change an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from compass.composition.settings import load
from compass.measure.bench import bench


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("COMPASS_EVIDENCE__SYMBOLS", "false"),
        ("COMPASS_CONTEXT_CHARS_MAX", "100"),
        ("COMPASS_EVALUATOR__N", "7"),
    ],
)
def test_what_readers_are_shown_and_told_tells_measurements_apart(
    tmp_path: Path, variable: str, value: str
) -> None:
    def measured(more: dict[str, str]) -> str:
        env = {"HOME": str(tmp_path), "ANTHROPIC_API_KEY": "sk-ant-test", **more}
        found = bench(env, str(tmp_path), str(tmp_path), load(env, str(tmp_path), str(tmp_path)), "anthropic")
        found.close()
        return found.measured

    assert measured({}) == measured({}) != measured({variable: value})
