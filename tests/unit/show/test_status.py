"""What `status` says of figures, and which command it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from corpora import corpus
from samples.sample_checks import CHECK, record_of

from compass.commands.status import ENOUGH_OBSERVED, Status, as_json, next_step, rows
from evaluator.breaker import OpenOutage
from evaluator.state.history import KeptCheck

HELD = KeptCheck(CHECK.at, 31, None, record_of(CHECK, None, store_evidence=False))
RAN = KeptCheck(CHECK.at, 31, None, record_of(replace(CHECK, decision="allow"), None, store_evidence=False))
OUTAGE = OpenOutage("anthropic", "api.example", "m", since=1000.0, until=1300.0, cause="rate")
PLAIN = Status(
    project_dir="/p", mode="enforce", faults=(), wired=(), backend="embedded", model="", readers="rules", missing="",
    calibration="", hindsight="", checks=ENOUGH_OBSERVED, passed=ENOUGH_OBSERVED, held=0, would_be_held=0, unjudged={},
    cost_today_usd=0.0, daily_budget_usd=None, calls_today=0, outages=(), last=(RAN,),
)  # fmt: skip


@corpus(
    ("changes", "command"),
    [
        ({"mode": "off", "faults": ("x",)}, "compass init"),
        ({"faults": ("not wired",), "missing": "no key"}, "compass doctor"),
        ({"missing": "no key", "outages": (OUTAGE,)}, "compass init --backend auto"),
        ({"outages": (OUTAGE,), "checks": 0}, "compass doctor"),
        ({"checks": 0, "last": ()}, "compass doctor"),
        ({"last": (RAN, HELD), "mode": "observe"}, "compass explain"),
        ({"mode": "observe"}, "compass init --enforce"),
        ({"mode": "observe", "checks": 1}, "compass ui"),
        ({}, "compass ui"),
    ],
)
def test_one_line_names_the_command_that_matters(changes: dict[str, Any], command: str) -> None:
    told = next_step(replace(PLAIN, **changes))
    assert f"`{command}`" in told
    assert "\n" not in told


def test_figures_are_told_by_what_became_of_the_calls() -> None:
    status = replace(
        PLAIN, checks=29, passed=12, held=4, would_be_held=2, unjudged={"covered": 7, "sampler_error": 4},
        cost_today_usd=0.5, daily_budget_usd=2.0, calls_today=7, outages=(OUTAGE,),
    )  # fmt: skip
    told = dict(rows(status))
    assert told["7 days"] == "29 checked: 12 passed, 4 held, 2 would have been held, but ran, 11 ran unjudged"
    assert told["today"] == "7 calls, $0.5000 of $2, in all projects"
    assert told["outage"].startswith("anthropic at api.example, m has been failing since ")
    found = as_json(status)
    assert (found["held"], found["would_be_held"], found["passed"]) == (4, 2, 12)
    assert (found["model"], found["calls_today"]) == (None, 7)


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
