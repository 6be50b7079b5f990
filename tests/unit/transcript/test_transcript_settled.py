"""Answered questions and judged plans join the exchange of the request they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from samples.sessions import Session, read

from evaluator.model import AnsweredQuestion, Plan

QUESTION = "Which format?"
OPTIONS = [{"label": "YAML", "description": ""}, {"label": "JSON", "description": ""}]


def ask(session: Session, answers: dict[str, Any], options: Any = None, use_id: str = "q1") -> None:
    questions = [{"question": QUESTION, "options": OPTIONS if options is None else options}]
    call = session.calls("AskUserQuestion", {"questions": questions}, use_id)
    session.result(
        "answered", use_id, parent=call, toolUseResult={"questions": questions, "answers": answers}
    )


@pytest.fixture
def session() -> Session:
    begun = Session()
    begun.turn("first", "p1", "answered first")
    begun.prompt("second", "p2")
    return begun


def test_an_answer_joins_the_request_it_was_given_in(session: Session, tmp_path: Path) -> None:
    ask(session, {QUESTION: "JSON"})
    expected = AnsweredQuestion(QUESTION, ("YAML", "JSON"), ("JSON",))
    assert read(session, tmp_path, "p2").questions == (expected,)
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3").questions == ()


def test_answers_survive_a_continuation(session: Session, tmp_path: Path) -> None:
    ask(session, {QUESTION: "JSON"})
    session.says("half")
    session.prompt("continue", "p3")
    ask(session, {QUESTION: "YAML"}, use_id="q2")
    found = read(session, tmp_path, "p3")
    assert found.request == ("second",)
    assert [asked.answers for asked in found.questions] == [("JSON",), ("YAML",)]


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        (["YAML", "JSON"], ("YAML", "JSON")),
        ("YAML, JSON", ("YAML", "JSON")),
        ("a file, please", ("a file, please",)),
        ("JSON, and a comment", ("JSON", "and a comment")),
        ("", ()),
        (7, ()),
    ],
)
def test_several_labels_come_as_a_list_or_joined(
    session: Session, tmp_path: Path, answer: object, chosen: tuple[str, ...]
) -> None:
    ask(session, {QUESTION: answer})
    assert tuple(a for asked in read(session, tmp_path, "p2").questions for a in asked.answers) == chosen


def test_a_label_may_hold_a_comma(session: Session, tmp_path: Path) -> None:
    ask(session, {QUESTION: "Both, in order, None"}, [{"label": "Both, in order"}, {"label": "None"}])
    assert read(session, tmp_path, "p2").questions[0].answers == ("Both, in order", "None")
    ask(session, {QUESTION: "Both, in order"}, [{"label": "Both"}, {"label": "Both, in order"}], "q2")
    assert read(session, tmp_path, "p2").questions[1].answers == ("Both, in order",)


@pytest.mark.parametrize("odd", [{}, {"answers": 3}, {"answers": {"q": None}}, "refused", None, [1]])
def test_results_without_answers_settle_nothing(session: Session, tmp_path: Path, odd: object) -> None:
    session.calls("AskUserQuestion", {"questions": "?"}, "q1")
    session.result("x", "q1", toolUseResult=odd)
    found = read(session, tmp_path, "p2")
    assert (found.request, found.questions) == (("second",), ())


def test_an_answer_on_a_side_branch_of_a_parallel_message_counts(session: Session, tmp_path: Path) -> None:
    questions = [{"question": QUESTION, "options": OPTIONS}]
    read_call = session.calls("Read", {}, "t1", "m2")
    ask_call = session.calls("AskUserQuestion", {"questions": questions}, "q1", "m2")
    result = {"questions": questions, "answers": {QUESTION: "JSON"}}
    session.result("answered", "q1", parent=ask_call, toolUseResult=result)
    session.result("text", "t1", parent=read_call)
    session.says("JSON then")
    assert [asked.answers for asked in read(session, tmp_path, "p2").questions] == [("JSON",)]


def test_an_answer_on_an_abandoned_branch_does_not_count(session: Session, tmp_path: Path) -> None:
    fork = session.tip
    session.prompt("abandoned", "p3")
    ask(session, {QUESTION: "JSON"})
    session.tip = fork
    session.says("something else")
    assert read(session, tmp_path, "p2").questions == ()


def test_an_approved_plan_is_part_of_the_exchange(session: Session, tmp_path: Path) -> None:
    session.calls("ExitPlanMode", {"plan": "# Plan\n1. write a.txt"}, "x1")
    approval = {"plan": None, "isAgent": False}
    session.result("User has approved exiting plan mode.", "x1", toolUseResult=approval)
    session.says("Writing.")
    assert read(session, tmp_path, "p2").plans == (Plan("# Plan\n1. write a.txt", approved=True),)


def test_the_plan_as_approved_counts_where_the_user_edited_it(session: Session, tmp_path: Path) -> None:
    session.calls("ExitPlanMode", {}, "x1")
    session.result("approved", "x1", toolUseResult={"plan": "the edited plan", "isAgent": False})
    assert read(session, tmp_path, "p2").plans == (Plan("the edited plan", approved=True),)


def test_a_rejected_plan_is_told_from_the_approved_one_that_follows(session: Session, tmp_path: Path) -> None:
    session.calls("ExitPlanMode", {"plan": "A"}, "x1")
    session.result(
        "doesn't want to proceed", "x1", is_error=True, toolUseResult="User rejected tool use",
        toolDenialKind="user-rejected",
    )  # fmt: skip
    session.calls("ExitPlanMode", {"plan": "B"}, "x2")
    session.result("approved", "x2", toolUseResult={"plan": None, "isAgent": False})
    plans = read(session, tmp_path, "p2").plans
    assert plans == (Plan("A", approved=False), Plan("B", approved=True))


def test_a_plan_that_nobody_judged_yet_and_a_plan_of_an_older_request_are_left_out(
    session: Session, tmp_path: Path
) -> None:
    session.calls("ExitPlanMode", {"plan": "old"}, "x1")
    session.result("approved", "x1", toolUseResult={"plan": None, "isAgent": False})
    session.prompt("third", "p3")
    session.calls("ExitPlanMode", {"plan": "pending"}, "x2")
    assert read(session, tmp_path, "p3").plans == ()
