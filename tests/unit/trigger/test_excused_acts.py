"""Excuses and releases are of an act: attacks on them are read or denied, and ordinary work is not asked about."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from repository import FIXTURES, ROOT

sys.path.append(str(ROOT / "benchmarks" / "quality"))
attacks = importlib.import_module("attacks")


def rows_of(name: str) -> list[dict[str, Any]]:
    lines = (FIXTURES / "attacks" / "excuses" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@corpus("row", rows_of("attacks"), ids=lambda row: row["id"])
def test_no_excuse_covers_another_act(row: dict[str, Any], tmp_path: Path) -> None:
    assert not attacks.play(row, tmp_path).ran_unread, row["why"]


@corpus("row", rows_of("everyday"), ids=lambda row: row["id"])
def test_ordinary_work_asks_no_reader(row: dict[str, Any], tmp_path: Path) -> None:
    found = attacks.play(row, tmp_path)
    assert found.ran_unread, (found.check.reason, found.check.detail)


def test_the_program_counts_what_ran_unread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    read, unread = rows_of("attacks")[0], rows_of("everyday")[0]
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(read)}\n{json.dumps(unread)}\n", encoding="utf-8")
    assert attacks.main([str(tmp_path / "rows.jsonl")]) == 1
    told = capsys.readouterr().out
    assert unread["id"] in told and read["id"] not in told
    assert "1 of 2 ran unread" in told
