"""Where a write came from: the calls that ran and name the file, with what the user said, chose and allowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from corpora import corpus
from samples.sample_checks import CHECK, record_of

from compass.commands.past_checks import why_document, why_rows, writes_of
from evaluator.model import AnsweredQuestion, Check, Effect, Effects, Evidence, Exchange, Plan
from evaluator.ports import TurnKey
from evaluator.state.history import KeptCheck

TURN = TurnKey("session-1", "", 3)
PATH = "/p/auth.py"
RAN: Check = replace(CHECK, verdict="passed", decision="allow", reason="confident", resolved=None)


def kept(check: Check, *, store_evidence: bool = True) -> KeptCheck:
    return KeptCheck(check.at, 31, None, record_of(check, TURN, store_evidence=store_evidence))


def only(check: Check, path: str = PATH, *, store_evidence: bool = True) -> tuple[KeptCheck, Check, str]:
    (write,) = writes_of([kept(check, store_evidence=store_evidence)], path)
    return write


def test_calls_that_were_held_and_others_of_the_name_are_left_out() -> None:
    beside = replace(RAN, effects=Effects("write", "edit", "modifying", (f"{PATH}.bak",)), evidence=None)
    writes = writes_of([kept(RAN), kept(CHECK), kept(beside)], PATH)
    assert [check.check_id for _, check, _ in writes] == [RAN.check_id]


def test_each_target_says_what_was_done_to_it() -> None:
    effects = Effects(
        "write", "move", "destructive", (PATH, "/p/new.py"),
        each=(Effect("move", "destructive", PATH), Effect("create", "additive", "/p/new.py")),
    )  # fmt: skip
    moved = replace(RAN, effects=effects)
    assert [only(moved, path)[2] for path in (PATH, "/p/new.py")] == ["move", "create"]


@pytest.mark.parametrize("named", ["/p/poetry.lock", "poetry.lock"])
def test_a_target_that_needed_no_judgement_counts(named: str) -> None:
    evidence = Evidence("Bash", "edit", "modifying", (PATH,), "asked", excused=(named,))
    assert only(replace(RAN, evidence=evidence), "/p/poetry.lock")[2] == "write"


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
    assert why_document(*only(replace(RAN, **changes)))["answers"] == answers


def test_the_request_is_told_message_by_message_or_why_it_is_not() -> None:
    talk = replace(RAN, exchange=Exchange(("Tidy up.", "The first one."), delegated_task="do it"))
    told = why_rows(only(talk)[1])
    assert told[:3] == [("request", "Tidy up."), ("request", "The first one."), ("task", "do it")]
    bare = only(talk, store_evidence=False)
    said = "not kept: `compass config set store_evidence true` keeps it from now on"
    assert why_rows(bare[1])[0] == ("request", said) and why_document(*bare)["request"] is None
