"""`compass demo`: one screen, judged live by rules, beside recorded answers that belong to the shipped prompt."""

from __future__ import annotations

import json

from repository import FIXTURES

from calibration.cases.corpus import rows
from compass.cli import main
from compass.show import recorded
from evaluator.egress import prompt

DEMO = FIXTURES / "demo"


def test_the_recorded_answers_are_those_to_the_shipped_prompt():
    """Else show the prompt of each row to five readers anew, as `fixtures/README.md` says."""
    found = list(rows(DEMO / "readers.jsonl"))
    assert {row["prompt"] for row in found} == {prompt.fingerprint()}
    known = recorded.answers(DEMO / "readers.jsonl")
    skipped = {"demo-e"}
    assert set(known) == {row["id"] for row in rows(DEMO / "rows.jsonl")} - skipped
    assert all(len(samples) == 5 and all(one.valid for one in samples) for samples in known.values())


def test_answers_to_another_prompt_are_not_shown(monkeypatch):
    monkeypatch.setattr(prompt, "fingerprint", lambda: "another")
    assert recorded.answers(DEMO / "readers.jsonl") == {}


def test_it_fits_on_a_screen_and_says_what_is_recorded(capsys):
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 110
    assert out.count("readers ") >= 7 and "recorded" in out
    assert "Just delete it." in out and "held" in out


def test_all_of_it_and_json(capsys):
    assert main(["demo", "--all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == len(list(rows(DEMO / "rows.jsonl")))
    by_id = {item["id"]: item for item in found}
    assert by_id["demo-c"]["readers"]["verdict"] == "failed"
    assert sum(item["readers"] for item in by_id["demo-c"]["readers"]["readings"]) == 5
    assert by_id["demo-d"]["readers"]["verdict"] == "passed"


def test_rows_of_ones_own_have_no_recorded_readers(tmp_path, capsys):
    file = tmp_path / "own.jsonl"
    row = next(iter(rows(DEMO / "rows.jsonl")))
    file.write_text(json.dumps({**row, "expect": None}))
    assert main(["demo", "--json", "--cases", str(file)]) == 0
    assert [item["readers"] for item in json.loads(capsys.readouterr().out)] == [None]
