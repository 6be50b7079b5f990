"""`compass demo`: one screen, judged live by rules, beside recorded answers that belong to the shipped prompt."""

from __future__ import annotations

import json

import pytest
from repository import FIXTURES

from calibration.cases.sources import case_rows
from compass.cli import main
from compass.commands import demo

DEMO = FIXTURES / "demo"


def test_there_are_answers_to_each_exchange_that_readers_are_asked_about():
    known = demo.answers(DEMO / "readers.jsonl")
    skipped = {"demo-e"}
    assert set(known) == {row["id"] for row in case_rows(DEMO / "rows.jsonl")} - skipped
    assert all(len(samples) == 5 and all(one.valid for one in samples) for samples in known.values())


@pytest.mark.parametrize("columns", [80, 40])
def test_it_fits_on_a_screen_with_the_prompt_below_and_says_what_is_recorded(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert max(map(len, lines)) <= columns and len(lines) <= (23 if columns == 80 else 32)
    assert out.count("  readers ") == 4 and out.count("  rules ") == 5 and "recorded" in out
    assert {"held", "passed", "runs"} <= set(out.split()) and "Just delete it." in out
    assert "\x1b" not in out and "expect" not in out


def test_every_shipped_exchange_ends_as_it_should(capsys):
    """What is expected is the tests' own: the command does not speak of it."""
    assert main(["demo", "--all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    chosen = "reply_to_question_pattern"
    ended = {
        item["id"]: (item if item["reason"] == chosen else item["readers"] or item)["verdict"]
        for item in found
    }
    meant = {
        "blocked": {"failed"},
        "passed": {"passed"},
        "skipped": {"skipped"},
        "evaluated": {"passed", "failed"},
    }
    for row in case_rows(DEMO / "rows.jsonl"):
        assert ended[str(row["id"])] in meant[str(row["expect"])], row["id"]
