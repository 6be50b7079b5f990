"""What `status` says of figures, and which command it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from corpora import corpus
from samples.sample_checks import CHECK

from compass.show.status import ENOUGH_OBSERVED, Status, Times, as_json, next_step, rows, times_of
from evaluator.breaker import OpenOutage
from evaluator.state.checks import record_of
from evaluator.state.history import CheckTally, KeptCheck

HELD = KeptCheck(1, CHECK.at, 31, None, record_of(CHECK, None, store_evidence=False))
RAN = KeptCheck(
    2, CHECK.at, 31, None, record_of(replace(CHECK, decision="allow"), None, store_evidence=False)
)
OUTAGE = OpenOutage(
    "anthropic", "api.example", "m", "open", since=1000.0, until=1300.0, failures=3, cause="rate"
)
MANY = (CheckTally("passed", "confident", "allow", ENOUGH_OBSERVED),)
PLAIN = Status(
    project_dir="/p", mode="enforce", faults=(), backend="embedded", model="", readers="rules", missing="", last=(RAN,),
    tallies=MANY, times=None, cost_today=0.0, cap=None, outages=(), recorded=True,
)  # fmt: skip


@corpus(
    ("durations", "expected"),
    [
        ([], None),
        ([7], Times(1, 7, 7)),
        ([1, 2], Times(2, 1, 2)),
        (list(range(1, 101)), Times(100, 50, 95)),
        ([1] * 19 + [900], Times(20, 1, 1)),
        ([1] * 18 + [900] * 2, Times(20, 1, 900)),
    ],
)
def test_times_are_by_nearest_rank(durations: list[int], expected: Times | None) -> None:
    assert times_of(durations) == expected


@corpus(
    ("changes", "command"),
    [
        ({"mode": "off", "faults": ("x",)}, "compass init"),
        ({"faults": ("not wired",), "missing": "no key"}, "compass doctor"),
        ({"missing": "no key", "outages": (OUTAGE,)}, "compass init --backend auto"),
        ({"outages": (OUTAGE,), "tallies": ()}, "compass doctor"),
        ({"tallies": (), "last": ()}, "compass doctor"),
        ({"last": (RAN, HELD), "mode": "observe"}, "compass explain"),
        ({"mode": "observe"}, "compass init --enforce"),
        (
            {"mode": "observe", "tallies": (CheckTally("passed", "confident", "allow", 1),)},
            "compass ui",
        ),
        ({}, "compass ui"),
    ],
)
def test_one_line_names_the_command_that_matters(changes: dict[str, Any], command: str) -> None:
    told = next_step(replace(PLAIN, **changes))
    assert f"`{command}`" in told
    assert "\n" not in told


def test_figures_are_told_by_what_became_of_the_calls() -> None:
    status = replace(
        PLAIN,
        tallies=(
            CheckTally("passed", "confident", "allow", 12),
            CheckTally("skipped", "covered", "allow", 7),
            CheckTally("failed", "disagreement", "allow", 2),
            CheckTally("failed", "low_confidence", "deny", 3),
            CheckTally("skipped", "sampler_error", "deny", 1),
            CheckTally("skipped", "sampler_error", "allow", 4),
        ),
        times=Times(29, 12, 840),
        cost_today=0.5,
        cap=2.0,
        outages=(OUTAGE,),
    )
    told = dict(rows(status))
    assert (
        told["7 days"] == "29 checks: 12 passed, 4 held, 2 would have been held, and ran, 11 passed unjudged"
    )
    assert told["unjudged"] == "7 covered by a check, 4 readers failed"
    assert told["time added"] == "12 ms at p50, 840 ms at p95, over 29 checks"
    assert told["cost today"].startswith("$0.5000 of $2.0000 a day")
    assert told["outage"].startswith("anthropic at api.example, m has been failing since ")
    found = as_json(status)
    assert (found["held"], found["would_be_held"], found["passed"]) == (4, 2, 12)
    assert found["unjudged"] == {"covered": 7, "sampler_error": 4}
    assert found["duration_ms"] == {"count": 29, "p50": 12, "p95": 840}


@corpus(
    ("changes", "holds"),
    [
        ({}, True),
        ({"mode": "observe"}, False),
        ({"mode": "off"}, False),
        ({"faults": ("x",)}, False),
        ({"missing": "x"}, False),
        ({"outages": (OUTAGE,)}, True),
    ],
)
def test_the_gate_is_never_said_to_hold_where_it_would_not(changes: dict[str, Any], holds: bool) -> None:
    status = replace(PLAIN, **changes)
    assert as_json(status)["holds"] is holds
    said = dict(rows(status))["mode"]
    assert ("is held" in said) == (status.mode == "enforce" and not status.faults)


def test_calls_of_the_day_and_what_would_be_better_are_told() -> None:
    assert not {"calls today", "better"} & set(dict(rows(PLAIN)))
    told = dict(rows(replace(PLAIN, samples_today=7, samples_cap=90, better="a model finds more")))
    assert told["calls today"].startswith("7 of 90 a day")
    assert told["better"] == "a model finds more"
    assert as_json(replace(PLAIN, samples_today=7))["calls_today"] == 7
