"""`compass audit --records`: the checks of a whole team, from what `compass team export` wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running.hookrun import Place
from samples.exported import row
from samples.team_requests import EVIDENCE

from compass.auditing.exported import exported_writes
from evaluator.errors import PayloadError
from evaluator.model import Sample, Thresholds
from evaluator.record import plain_of


def written(folder: Path, *rows: object) -> str:
    path = folder / "records.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return str(path)


def test_each_record_is_judged_by_the_thresholds_that_its_gate_stood_by(tmp_path: Path) -> None:
    strict = row(2, 0.7, thresholds=plain_of(Thresholds(0.8, 0.2)))
    found = exported_writes(written(tmp_path, row(0), row(1, 0.4), strict), 3, None)
    assert [one.held for one in found.writes] == [False, True, True]
    assert [one.mean for one in found.writes] == [0.9, 0.4, 0.7]
    assert {one.agreement for one in found.writes} == {1.0}
    assert found.writes[0].case.request == EVIDENCE.current_request
    assert found.writes[0].case.write == "Edit: edit (modifying) src/session.py"
    assert {one.session for one in found.writes} == {f"{who}:{0:032x}" for who in ("ada", "bob")}


def test_the_readers_asked_last_are_the_teams(tmp_path: Path) -> None:
    path = written(tmp_path, row(0, model="m-1"), row(1), row(2))
    found = [one.readers for one in exported_writes(path, 3, None).writes]
    assert (found[0].backend, found[0].model) == ("anthropic", "m-1")
    assert {one.backend for one in found[1:]} == {"team"}
    assert {(one.model, one.prompt) for one in found[1:]} == {("m-2", row(1)["prompt"])}


def test_what_nobody_judged_or_can_be_shown_is_left_out(tmp_path: Path) -> None:
    failed = row(1, samples=[plain_of(Sample("reader-1", error="timeout: late"))])
    unseen = row(2, samples=[one | {"blind": True, "fits": None} for one in row(2)["samples"]])
    found = exported_writes(written(tmp_path, row(0), failed, unseen, row(3, evidence=None)), 3, None)
    assert len(found.writes) == 1
    assert found.left_out == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nonsense\n", "line 1: no JSON"),
        ("[]\n", "line 1: no record"),
        (json.dumps(row(0)) + "\n" + json.dumps(row(1) | {"samples": [{"score": 7}]}) + "\n", "line 2"),
    ],
)
def test_a_file_of_something_else_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(PayloadError, match=said):
        exported_writes(str(path), 3, None)


def test_a_teams_traffic_is_audited(tmp_path: Path) -> None:
    place = Place(tmp_path)
    path = written(tmp_path, *(row(number, 0.4 if number % 5 == 0 else 0.9) for number in range(60)))
    begun = place.command("audit", "--records", path, "--sample", "12", "--json")
    assert begun.returncode == 0, begun.stderr
    asked = json.loads(begun.stdout)["ask"]
    assert len(asked) == 12
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"write": one["id"], "answer": "n"}) + "\n" for one in asked))
    done = json.loads(place.command("audit", "--answers", str(answers), "--json", "--sample", "12").stdout)
    assert done["ask"] == []
    again = place.command("audit", "--records", path)
    assert again.returncode == 1
    assert b"--fresh" in again.stderr
