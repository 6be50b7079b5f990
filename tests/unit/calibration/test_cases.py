"""Which cases are independent, which are apart, and what enforcement kept out of recorded sessions."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

import numpy as np
import pytest
from running.hookrun import Place
from samples.sessions import Session

from calibration.cases.corpus import corpus_dir
from calibration.cases.enforced import Selection, drawn
from calibration.cases.sessions import from_sessions
from calibration.cases.sources import from_file, shipped
from calibration.cases.units import units_of
from calibration.stats.checks import Measured, blocked, columns, columns_of
from calibration.stats.thresholds import Recommendation, learn
from compass.joining.packages import enable
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
    assert units_of([*chained, *alone]) == ["p1"] * 4 + ["p3", "s3", "7"]


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
    assert [case.unit for case in found.cases] == ["1", "1", "3", "3"]
    more = write(tmp_path / "b.jsonl", [ROW | {"id": "9", "label": "clear", "pair": "9", "session": "s"}])
    joined = found.joined(from_file(more, classify))
    assert [case.unit for case in joined.cases] == ["1", "1", "3", "3", "1"], "units are those of all cases"


def test_the_shipped_cases_are_the_halves_that_no_rule_was_fitted_on():
    def ids(name):
        text = (corpus_dir() / "cases" / f"{name}.jsonl").read_text(encoding="utf-8")
        return {row["id"] for row in map(json.loads, text.splitlines()) if row["label"] != "disputed"}

    enable()
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
    assert done.stdout.startswith(b"Not set: shipped cases set thresholds of this project only if you agree")
    (report,) = place.state.glob("compass/*/calibration.html")
    assert "Not set: nobody agreed" in report.read_text() and "nobody agreed" in stored()["unset"]
    cuts = [one["cut"] for one in stored()["recommended"].values()]
    assert any(cut is not None for cut in cuts), "measured and reported all the same"

    done = place.command("calibrate", "--use-shipped", "--json", timeout=110)
    found = json.loads(done.stdout)
    assert found["unset"] == "" and "Not set" not in report.read_text()
    assert found["counts"]["by_source"].keys() == {"fixtures"}


def gated_session(folder, name, held, *, said=(), again=False):
    """A request whose first write was held, if so; then what the person said, and the same write once more."""
    made = Session()
    made.prompt(f"Fix the typo in src/{name}.py please", "p1", sessionId=name)
    edit = {"file_path": f"/p/src/{name}.py", "old_string": "helo", "new_string": "hello"}
    if held:
        made.calls("Edit", edit, f"{name}-1", cwd="/p", sessionId=name)
        made.result(
            "Compass held back this edit; `compass: proceed`", f"{name}-1", is_error=True, sessionId=name
        )
        made.says("It was held.", sessionId=name)
    for number, text in enumerate(said):
        made.prompt(text, f"p{number + 2}", sessionId=name)
    if again or not held:
        made.calls("Edit", edit, f"{name}-2", cwd="/p", sessionId=name)
        made.result("ok", f"{name}-2", sessionId=name)
    made.says("Done.", sessionId=name)
    made.write(folder / f"{name}.jsonl")


def record(name, held):
    held_call = {"verdict": "failed", "decision": "deny", "reason": "low_confidence"}
    passed = {"verdict": "passed", "decision": "allow", "reason": "confident"}
    pending = {"session_id": name, "tool_use_id": f"{name}-1" if held else f"{name}-2"}
    return {**(held_call if held else passed), "mode": "enforce", "pending": pending}


def clear_of(folder, records=()):
    found = from_sessions(folder, classify, records=records)
    return [case for case in found.cases if case.label == "clear"], found.notes


def test_a_held_write_that_the_user_let_go_is_a_clear_case(tmp_path):
    gated_session(tmp_path, "freed", True, said=["compass: proceed"], again=True)
    gated_session(tmp_path, "passed", False)
    cases, notes = clear_of(tmp_path, [record("freed", True), record("passed", False)])
    assert sorted(case.exchange.request_text for case in cases) == [
        "Fix the typo in src/freed.py please",
        "Fix the typo in src/passed.py please",
    ]
    assert "1 were let go" in notes[0] and "all count alike" in notes[0]


def test_what_was_cancelled_was_not_wanted_and_is_not_missing(tmp_path):
    gated_session(tmp_path, "cancelled", True, said=["compass: cancel"])
    gated_session(tmp_path, "passed", False)
    cases, notes = clear_of(tmp_path, [record("cancelled", True), record("passed", False)])
    assert len(cases) == 1 and "1 cancelled" in notes[0]


@pytest.mark.parametrize("recorded", [True, False])
def test_where_no_held_write_came_back_enforced_sessions_are_refused(tmp_path, recorded):
    """By the records; where none are left, by Compass's words in the transcript."""
    gated_session(tmp_path, "lost", True, said=["never mind, show me the file"])
    gated_session(tmp_path, "plain", False)
    records = [record("lost", True), record("plain", False)] if recorded else []
    cases, notes = clear_of(tmp_path, records)
    assert [case.exchange.request_text for case in cases] == (
        [] if recorded else ["Fix the typo in src/plain.py please"]
    )
    assert "selected sample" in notes[0]


def test_sessions_that_were_only_watched_lose_nothing(tmp_path):
    """Not even one whose call failed for other reasons, and whose user spoke to Compass."""
    gated_session(tmp_path, "watched", True, said=["compass: status"])
    gated_session(tmp_path, "plain", False)
    watched = [
        record(name, held) | {"mode": "observe"} for name, held in (("watched", True), ("plain", False))
    ]
    cases, notes = clear_of(tmp_path, watched)
    assert (len(cases), notes) == (1, ())


def test_those_that_passed_at_once_are_drawn_with_the_chance_of_the_held(tmp_path):
    for number in range(60):
        gated_session(tmp_path, f"passed{number}", False)
    for number in range(4):
        said = ["compass: proceed"] if number < 2 else ["never mind"]
        gated_session(tmp_path, f"held{number}", True, said=said, again=number < 2)
    records = [record(f"passed{n}", False) for n in range(60)] + [record(f"held{n}", True) for n in range(4)]
    cases, notes = clear_of(tmp_path, records)
    freed = [case for case in cases if "held" in case.exchange.request_text]
    assert len(freed) == 2 and 18 <= len(cases) - 2 <= 42
    assert f"{len(cases) - 2} of the 60" in notes[0] and "50%" in notes[0]
    assert clear_of(tmp_path, records)[0] == cases, "always the same"


def enforced_sample(generator, units, *, reckoned):
    """Wanted writes recorded behind the default threshold; of the held ones the user let 60 % go, or they are lost."""
    centres = generator.normal(0.70, 0.06, units)
    noise = generator.normal(0, 0.03, (2, units, 5))
    then = np.clip(centres[:, None] + noise[0], 0, 1).mean(axis=1)
    scores = np.clip(centres[:, None] + noise[1], 0, 1)
    held = then < 0.65
    freed = held & (generator.random(units) < 0.6)
    selection = Selection()
    selection.ends |= {"released": int(freed.sum()), "lost": int((held & ~freed).sum())}
    chance = selection.chance if reckoned else 1.0
    assert chance is not None
    salt = generator.integers(1 << 60)
    used = [
        place
        for place in range(units)
        if (reckoned and freed[place]) or (not held[place] and drawn(f"{salt}-{place}", chance))
    ]
    return [Measured(str(n), str(n), False, tuple(scores[n].tolist())) for n in used]


def broken(reckoned, seeds=150):
    """How often the certificate of at most 10 % is broken on the population that the sessions were drawn from."""
    generator = np.random.default_rng((5, reckoned))
    centres = generator.normal(0.70, 0.06, 40_000)
    fresh = np.clip(centres[:, None] + generator.normal(0, 0.03, (40_000, 5)), 0, 1)
    alike = np.zeros(len(fresh), dtype=np.int64)
    population = columns_of(fresh, alike > 0, alike, alike)
    count = 0
    for _ in range(seeds):
        table = columns(enforced_sample(generator, 250, reckoned=reckoned))
        found = learn(table, 0.10, generator)
        assert isinstance(found, Recommendation)
        count += bool(blocked(population, found.thresholds).mean() > 0.10)
    return count / seeds


@pytest.mark.full
def test_the_certificate_holds_for_sessions_recorded_under_enforcement():
    """Left as they are it is broken more often than not; a bound of 5 % allows 14 of 150 at one in a thousand."""
    assert broken(reckoned=False) > 0.5
    assert broken(reckoned=True) <= 14 / 150
