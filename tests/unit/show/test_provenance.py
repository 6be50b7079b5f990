"""Where a write came from: the calls that ran and name the file, with what the user said, chose and allowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from corpora import corpus
from samples.sample_checks import CHECK

from compass.commands.why import as_json, rows, writes_of
from evaluator.model import AnsweredQuestion, Check, Effect, Effects, Evidence, Exchange, Plan
from evaluator.ports import TurnKey
from evaluator.state.checks import record_of
from evaluator.state.history import KeptCheck

TURN = TurnKey("session-1", "", 3)
PATH = "/p/auth.py"
RAN: Check = replace(CHECK, verdict="passed", decision="allow", reason="confident", resolved=None)


def kept(check: Check, *, store_evidence: bool = True) -> KeptCheck:
    return KeptCheck(1, check.at, 31, None, record_of(check, TURN, store_evidence=store_evidence))


def test_calls_that_were_held_are_counted_and_others_of_the_name_left_out() -> None:
    beside = replace(RAN, effects=Effects("write", "edit", "modifying", (f"{PATH}.bak",)), evidence=None)
    writes, held = writes_of([kept(RAN), kept(CHECK), kept(beside)], PATH, {})
    assert ([write.check.check_id for write in writes], held) == ([RAN.check_id], 1)


def test_a_result_is_known_by_the_turns_writes() -> None:
    def written(at: float, ordinal: int = 3) -> float | None:
        (write,), _ = writes_of([kept(RAN)], PATH, {("session-1", ordinal): at})
        return write.written

    assert written(RAN.at + 2) == RAN.at + 2
    assert written(RAN.at - 2) is None
    assert written(RAN.at + 2, ordinal=4) is None


def test_each_target_says_what_was_done_to_it() -> None:
    effects = Effects(
        "write", "move", "destructive", (PATH, "/p/new.py"),
        each=(Effect("move", "destructive", PATH), Effect("create", "additive", "/p/new.py")),
    )  # fmt: skip
    moved = replace(RAN, effects=effects)
    assert [writes_of([kept(moved)], path, {})[0][0].operation for path in (PATH, "/p/new.py")] == [
        "move",
        "create",
    ]


@pytest.mark.parametrize("named", ["/p/poetry.lock", "poetry.lock"])
def test_a_target_that_needed_no_judgement_counts(named: str) -> None:
    evidence = Evidence("Bash", "edit", "modifying", (PATH,), "asked", excused=(named,))
    (write,), _ = writes_of([kept(replace(RAN, evidence=evidence))], "/p/poetry.lock", {})
    assert write.operation == "write"


@corpus(
    ("changes", "answers"),
    [
        ({}, []),
        ({"resolved": CHECK.resolved}, ["you chose: the internal one"]),
        ({"reason": "released", "verdict": "skipped"}, ["compass: proceed"]),
        (
            {"exchange": Exchange(("a",), questions=(AnsweredQuestion("Which?", ("x", "y"), ("y",)),))},
            ["Which? -> y"],
        ),
        (
            {
                "exchange": Exchange(
                    ("a",), plans=(Plan("No", approved=False), Plan("Split it", approved=True))
                )
            },
            ["you approved the plan: Split it"],
        ),
    ],
)
def test_the_answer_is_what_the_user_chose_or_allowed(changes: dict[str, Any], answers: list[str]) -> None:
    (write,), _ = writes_of([kept(replace(RAN, **changes))], PATH, {})
    assert as_json(write)["answers"] == answers


def test_the_request_is_told_message_by_message_or_why_it_is_not() -> None:
    talk = replace(RAN, exchange=Exchange(("Tidy up.", "The first one."), delegated_task="do it"))
    (write,), _ = writes_of([kept(talk)], PATH, {})
    assert rows(write)[:3] == [("request", "Tidy up."), ("then", "The first one."), ("task", "do it")]
    (write,), _ = writes_of([kept(talk, store_evidence=False)], PATH, {})
    assert rows(write)[0] == (
        "request",
        "not kept: `compass config set store_evidence true` keeps it from now on",
    )
    assert as_json(write)["request"] is None
