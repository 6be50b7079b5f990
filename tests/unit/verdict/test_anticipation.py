"""Two readings of a prompt: which write they cover, and when they differ. Pure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

from evaluator.effects import effect, folded
from evaluator.egress import prompt
from evaluator.model import (
    AnsweredQuestion,
    Effects,
    Exchange,
    Extent,
    Operation,
    Plan,
    Reading,
    Sample,
    Thresholds,
)
from evaluator.record import replace
from evaluator.verdict.anticipation import Anticipation, covers, digest_of, may_cover, open_readings

PROJECT = "/p"
THRESHOLDS = Thresholds(0.65, 0.2)
EXCHANGE = Exchange(("In src/Dates.py, accept a date without a day; leave Makefile alone.",), "Which module?")


def sample(target: str = "src/Dates.py", score: float | None = 0.9, **changes: Any) -> Sample:
    reading = Reading(changes.pop("action", "change"), target, changes.pop("extent", "one_file"))
    return Sample("reader", score, "none", "", reading, blind=True, **changes)


def read(*samples: Sample) -> Anticipation:
    return Anticipation(0, digest_of(EXCHANGE), samples, "anthropic", "m")


def write(operation: Operation = "edit", target: str = "/p/src/Dates.py") -> Effects:
    return folded([effect(operation, target)])


def passes(found: Anticipation, effects: Effects | None = None, exchange: Exchange = EXCHANGE) -> bool:
    return covers(found, effects or write(), exchange, PROJECT, THRESHOLDS)


@pytest.mark.parametrize(
    "target", ["src/Dates.py", "src/dates.py", "./src/Dates.py", "Dates.py", "/p/src/Dates.py"]
)
def test_both_name_the_file_in_whatever_form_the_exchange_lets_mean_it_alone(target: str) -> None:
    assert passes(read(sample(target), sample()))


@pytest.mark.parametrize(
    "target",
    [
        "tests for src/Dates.py",
        "src",
        "parse_date",
        "src/Dates.py, src/x.py",
        "x/src/Dates.py",
        "unstated",
        "",
    ],
)
def test_what_is_not_that_file_and_nothing_else_covers_nothing(target: str) -> None:
    assert not passes(read(sample(target), sample(target)))


def test_a_name_that_two_paths_bear_names_neither() -> None:
    both = Exchange(("Fix Dates.py like src/Dates.py or lib/Dates.py",))
    assert not passes(read(sample("Dates.py"), sample("Dates.py")), exchange=both)


def test_the_scores_reach_the_cut_and_equality_does() -> None:
    assert passes(read(sample(score=0.65), sample(score=0.65)))
    assert not passes(read(sample(score=0.649), sample(score=1.0)))
    assert not passes(read(sample(score=None, error="timeout: late"), sample()))
    assert not passes(read(sample()))


@pytest.mark.parametrize(("extent", "covered"), [
    ("one_place", True), ("one_file", True), ("folder", False), ("project", False), ("beyond", False),
])  # fmt: skip
def test_only_a_narrow_extent_is_covered(extent: Extent, covered: bool) -> None:
    assert passes(read(sample(extent=extent), sample())) is covered


@pytest.mark.parametrize(("operation", "action", "covered"), [
    ("edit", "change", True), ("edit", "answer", False), ("edit", "delete", False), ("edit", "move", False),
    ("edit", "run", False), ("edit", "other", False), ("create", "create", True), ("create", "fix", False),
    ("overwrite", "change", True), ("overwrite", "create", False), ("overwrite", "add", False),
    ("append", "add", True), ("delete", "delete", False), ("move", "move", False), ("permissions", "change", False),
])  # fmt: skip
def test_the_write_is_one_that_such_a_request_asks_for(
    operation: Operation, action: str, covered: bool
) -> None:
    assert passes(read(sample(action=action), sample(action=action)), write(operation)) is covered


def test_a_call_of_two_effects_or_none_that_can_be_named_is_never_covered() -> None:
    two = folded([effect("edit", "/p/src/Dates.py"), effect("edit", "/p/src/x.py")])
    opaque = folded([effect("edit", "/p/src/Dates.py")], opaque=True)
    link = folded([effect("overwrite", "/p/src/Dates.py", excusable=False)])
    for effects in (two, opaque, link, write(target="/p/src/*.py"), write(target="/elsewhere/src/Dates.py")):
        assert not passes(read(sample(), sample()), effects)
    assert not may_cover(two)


def test_readings_that_differ_are_put_as_a_question() -> None:
    found = read(sample(score=0.4), sample("src/calendar.py", 0.4))
    assert open_readings(found, EXCHANGE, PROJECT, THRESHOLDS) == (
        "change src/Dates.py",
        "change src/calendar.py",
    )
    wide = read(sample(score=0.3), sample(score=0.8, extent="project"))
    assert open_readings(wide, EXCHANGE, PROJECT, THRESHOLDS) == (
        "change src/Dates.py, in one file", "change src/Dates.py, in the whole project",
    )  # fmt: skip
    asked = read(sample(score=0.4), sample(action="answer", score=0.4))
    assert len(open_readings(asked, EXCHANGE, PROJECT, THRESHOLDS)) == 2


def test_where_agreement_counts_it_does_here_too() -> None:
    agreed = replace(THRESHOLDS, agreement=0.5)
    sure = read(sample(score=0.9), sample("src/calendar.py", 0.9))
    assert open_readings(sure, EXCHANGE, PROJECT, THRESHOLDS) == ()
    assert len(open_readings(sure, EXCHANGE, PROJECT, agreed)) == 2
    assert covers(read(sample(), sample()), write(), EXCHANGE, PROJECT, agreed)
    assert not covers(read(sample(extent="one_place"), sample()), write(), EXCHANGE, PROJECT, agreed)


def test_scores_too_far_apart_for_a_pass_cover_nothing() -> None:
    loose = Thresholds(0.3, 0.2)
    assert not covers(read(sample(score=0.4), sample(score=1.0)), write(), EXCHANGE, PROJECT, loose)


def test_readers_who_are_sure_ask_nobody_however_they_word_it() -> None:
    found = read(sample("the dates module", 0.8), sample("src/calendar.py", 0.7))
    assert open_readings(found, EXCHANGE, PROJECT, THRESHOLDS) == ()


@pytest.mark.parametrize("other", [
    sample(), sample(action="fix"), sample(extent="one_place"), sample("src/dates.py", 0.2), sample("Dates.py"),
    sample(score=None, error="invalid: no"),
])  # fmt: skip
def test_nobody_is_asked_what_is_one_change_in_other_words(other: Sample) -> None:
    assert open_readings(read(sample("src/Dates.py", 0.1), other), EXCHANGE, PROJECT, THRESHOLDS) == ()


@pytest.mark.parametrize("later", [
    replace(EXCHANGE, request=(*EXCHANGE.request, "And the tests.")),
    replace(EXCHANGE, request=("In src/Dates.py, accept a date without a year.",)),
    replace(EXCHANGE, prior_assistant_turn="Which file?"),
    replace(EXCHANGE, questions=(AnsweredQuestion("Which?", ("a", "b"), ("a",)),)),
    replace(EXCHANGE, plans=(Plan("Do it.", approved=True),)),
    replace(EXCHANGE, delegated_task="Look for dates."),
])  # fmt: skip
def test_the_digest_changes_with_whatever_is_said_since(later: Exchange) -> None:
    assert digest_of(later) != digest_of(EXCHANGE)


def test_the_digest_does_not_change_with_white_space() -> None:
    assert digest_of(replace(EXCHANGE, request=(f" {EXCHANGE.request[0]}\n",))) == digest_of(EXCHANGE)


def test_the_published_figures_are_counted_as_the_gate_decides(tmp_path: Path) -> None:
    """Of three recorded cases: a clear one that is covered, an ambiguous one that passes, and one that is asked."""

    def case(name: str, label: str) -> dict[str, object]:
        said = f"Change src/{name}.py so that it says hello"
        return {
            "id": name,
            "label": label,
            "user_message": said,
            "tool_name": "Edit",
            "file_path": f"src/{name}.py",
        }

    def recording(
        name: str, *targets: str, score: float = 0.9, fingerprint: str = prompt.fingerprint()
    ) -> dict[str, object]:
        answers = [
            {"reading": {"action": "change", "target": target, "extent": "one_file"}, "rival": None,
             "rationale": "named", "primary_concern": "none", "score": score}
            for target in targets
        ]  # fmt: skip
        return {"case": name, "prompt": fingerprint, "answers": answers}

    cases = [case("a", "clear"), case("b", "ambiguous"), case("c", "ambiguous"), case("d", "clear")]
    readings = [
        recording("a", "src/a.py", "src/a.py"), recording("b", "src/b.py", "src/b.py"),
        recording("c", "src/c.py", "src/x.py", score=0.4), recording("d", "src/d.py", "src/d.py", fingerprint="older"),
    ]  # fmt: skip
    for name, lines in (("cases", cases), ("readings", readings)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "quality" / "anticipated.py"), str(tmp_path / "cases.jsonl"),
         "--readings", str(tmp_path / "readings.jsonl"), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert (found["readings"], found["of another prompt"]) == (3, 1)
    counts = {name: (held["k"], held["n"]) for name, held in found.items() if isinstance(held, dict)}
    assert counts["ambiguous: passed unread"] == (1, 2)
    assert counts["ambiguous: asked before the write"] == (1, 2)
    assert counts["clear: covered"] == (1, 1)
    assert found["clear: covered"]["low"] == pytest.approx(0.025)
