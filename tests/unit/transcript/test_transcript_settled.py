"""Answered questions and judged plans join the exchange of the request they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from samples.sessions import Session, read

from evaluator.model import AnsweredQuestion, Plan

QUESTION = "Which format?"
OPTIONS = ("YAML", "JSON")
APPROVED = {"plan": None, "isAgent": False}


def ask(session: Session, answers: object, labels: tuple[str, ...] = OPTIONS, use_id: str = "q1") -> None:
    questions = [{"question": QUESTION, "options": [{"label": label, "description": ""} for label in labels]}]
    session.calls("AskUserQuestion", {"questions": questions}, use_id)
    told = {"questions": questions, "answers": {QUESTION: answers}}
    session.result("answered", use_id, toolUseResult=told)


def answers(session: Session, folder: Path, prompt_id: str = "p2") -> list[tuple[str, ...]]:
    return [asked.answers for asked in read(session, folder, prompt_id).questions]


def new_session(_: Path = Path()) -> Session:
    begun = Session()
    begun.turn("first", "p1", "answered first")
    begun.prompt("second", "p2")
    return begun


@pytest.fixture
def session() -> Session:
    return new_session()


def test_an_answer_joins_the_request_it_was_given_in(session: Session, tmp_path: Path) -> None:
    ask(session, "JSON")
    expected = AnsweredQuestion(QUESTION, ("YAML", "JSON"), ("JSON",))
    assert read(session, tmp_path, "p2").questions == (expected,)
    session.says("half")
    session.prompt("continue", "p3")
    ask(session, "YAML", use_id="q2")
    assert answers(session, tmp_path, "p3") == [("JSON",), ("YAML",)], "it survives a continuation"
    session.prompt("third", "p4")
    assert answers(session, tmp_path, "p4") == []


@corpus(
    ("labels", "answer", "chosen"),
    [
        (OPTIONS, ["YAML", "JSON"], [("YAML", "JSON")]),
        (OPTIONS, "YAML, JSON", [("YAML", "JSON")]),
        (OPTIONS, "a file, please", [("a file, please",)]),
        (OPTIONS, "JSON, and a comment", [("JSON", "and a comment")]),
        (OPTIONS, "", []),
        (OPTIONS, 7, []),
        (("Both, in order", "None"), "Both, in order, None", [("Both, in order", "None")]),
        (("Both", "Both, in order"), "Both, in order", [("Both, in order",)]),
    ],
    each={"session": new_session},
)
def test_labels_come_as_a_list_or_joined_and_may_hold_a_comma(
    session: Session, tmp_path: Path, labels: tuple[str, ...], answer: object, chosen: list[tuple[str, ...]]
) -> None:
    ask(session, answer, labels)
    assert answers(session, tmp_path) == chosen


@corpus(
    "odd",
    [{}, {"answers": 3}, {"answers": {"q": None}}, "refused", None, [1]],
    each={"session": new_session},
)
def test_results_without_answers_settle_nothing(session: Session, tmp_path: Path, odd: Any) -> None:
    session.calls("AskUserQuestion", {"questions": "?"}, "q1")
    session.result("x", "q1", toolUseResult=odd)
    found = read(session, tmp_path, "p2")
    assert (found.request, found.questions) == (("second",), ())


def test_an_answer_on_a_side_branch_of_a_parallel_message_counts(session: Session, tmp_path: Path) -> None:
    questions = [{"question": QUESTION, "options": []}]
    read_call = session.calls("Read", {}, "t1", "m2")
    ask_call = session.calls("AskUserQuestion", {"questions": questions}, "q1", "m2")
    result = {"questions": questions, "answers": {QUESTION: "JSON"}}
    session.result("answered", "q1", parent=ask_call, toolUseResult=result)
    session.result("text", "t1", parent=read_call)
    session.says("JSON then")
    assert answers(session, tmp_path) == [("JSON",)]


def test_an_answer_on_an_abandoned_branch_does_not_count(session: Session, tmp_path: Path) -> None:
    fork = session.tip
    session.prompt("abandoned", "p3")
    ask(session, "JSON")
    session.tip = fork
    session.says("something else")
    assert answers(session, tmp_path) == []


def test_plans_that_the_user_judged_are_part_of_the_exchange_as_approved(
    session: Session, tmp_path: Path
) -> None:
    session.calls("ExitPlanMode", {"plan": "A"}, "x1")
    session.result(
        "doesn't want to proceed", "x1", is_error=True, toolUseResult="User rejected tool use",
        toolDenialKind="user-rejected",
    )  # fmt: skip
    session.calls("ExitPlanMode", {"plan": "B"}, "x2")
    session.result("approved", "x2", toolUseResult=APPROVED)
    session.calls("ExitPlanMode", {}, "x3")
    session.result("approved", "x3", toolUseResult={"plan": "edited", "isAgent": False})
    session.calls("ExitPlanMode", {"plan": "pending"}, "x4")
    session.says("Writing.")
    plans = (Plan("A", approved=False), Plan("B", approved=True), Plan("edited", approved=True))
    assert read(session, tmp_path, "p2").plans == plans
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3").plans == (), "they are of an older request"
