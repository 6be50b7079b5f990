"""Which cases are independent, which are apart"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

import pytest
from running.hookrun import Place

from calibration.cases.case import units_of
from calibration.cases.sources import corpus_dir, from_file, shipped
from compass.composition.effects import enable_packages
from evaluator.shell.bash import classify


@dataclass
class Related:
    unit: str
    pair: str = ""
    session: str = ""


def test_a_unit_is_all_that_pairs_and_sessions_connect():
    chained = [
        Related("1", "p1", "s1"),
        Related("2", "p1", "s2"),
        Related("3", "p2", "s2"),
        Related("4", "p2"),
    ]
    alone = [Related("5", "p3"), Related("6", "", "s3"), Related("7")]
    assert units_of([*chained, *alone]) == ["pair:p1"] * 4 + ["pair:p3", "session:s3", "7"]


def test_names_of_units_do_not_hang_on_the_order_and_never_meet():
    cases = [Related(str(n), f"p{n // 2}", f"s{n // 6}" if n % 3 else "") for n in range(60)]
    known = dict(zip((case.unit for case in cases), units_of(cases), strict=True))
    for seed in range(20):
        shuffled = random.Random(seed).sample(cases, len(cases))
        assert dict(zip((case.unit for case in shuffled), units_of(shuffled), strict=True)) == known
    same = [Related("x", "a"), Related("y", "", "a"), Related("a")]
    assert len(set(units_of(same))) == 3, "a pair, a session and an id of one name are no unit"


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


ROW = {"user_message": "rename ttl in a.py", "tool_name": "Edit", "file_path": "a.py"}


def test_a_pair_does_not_hide_the_session_and_copies_of_a_row_are_one_unit(tmp_path):
    rows = [
        ROW | {"id": "1", "label": "clear", "pair": "1", "session": "s"},
        ROW | {"id": "2", "label": "clear", "pair": "2", "session": "s"},
        ROW | {"id": "3", "label": "clear"},
        ROW | {"id": "3", "label": "clear"},
    ]
    found = from_file(write(tmp_path / "a.jsonl", rows), classify)
    assert [case.unit for case in found.cases] == ["pair:1", "pair:1", "3", "3"]
    more = write(tmp_path / "b.jsonl", [ROW | {"id": "9", "label": "clear", "pair": "9", "session": "s"}])
    joined = found.joined(from_file(more, classify))
    assert [case.unit for case in joined.cases] == ["pair:1", "pair:1", "3", "3", "pair:1"], (
        "units are those of all cases"
    )


def test_the_shipped_cases_are_the_halves_that_no_rule_was_fitted_on():
    def ids(name):
        text = (corpus_dir() / "cases" / f"{name}.jsonl").read_text(encoding="utf-8")
        return {row["id"] for row in map(json.loads, text.splitlines()) if row["label"] != "disputed"}

    enable_packages()
    found = {case.id for case in shipped(classify).cases}
    assert found == ids("test") | ids("test-2")
    assert not found & (ids("tune") | ids("tune-2"))


@pytest.mark.full
def test_shipped_cases_set_no_thresholds_unless_somebody_agrees(tmp_path):
    """Without a terminal nobody can be asked; what stands stays."""
    place = Place(tmp_path)

    def stored():
        (file,) = place.state.glob("compass/*/calibration.json")
        return json.loads(file.read_text())

    done = place.command("calibrate", timeout=110)
    assert done.returncode == 0, done.stderr.decode()
    assert b"not this project's" in done.stdout and b"--use-shipped" in done.stdout
    assert done.stdout.startswith(b"Not set: shipped cases set this project's thresholds only if you agree")
    (report,) = place.state.glob("compass/*/calibration.html")
    assert "Not set: shipped cases" in report.read_text() and "only if you agree" in stored()["unset"]
    cuts = [one["cut"] for one in stored()["recommended"].values()]
    assert any(cut is not None for cut in cuts), "measured and reported all the same"

    done = place.command("calibrate", "--use-shipped", "--json", timeout=110)
    found = json.loads(done.stdout)
    assert found["unset"] == "" and "Not set" not in report.read_text()
    assert found["counts"]["by_source"].keys() == {"fixtures"}
