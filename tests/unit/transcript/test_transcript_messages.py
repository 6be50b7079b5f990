"""What one line is: genuine user message, assistant, result, machine prompt, or nothing of interest."""

import json
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from samples.sessions import Session, read

from evaluator.model import AnsweredQuestion, Plan
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.messages import IMAGE_ONLY, TranscriptEntry, classify_line

CLIENT_COMMANDS = frozenset(HOST.told["client_commands"])

HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed"}
SDK = {"promptSource": "sdk", "turnOrigin": "sdk"}
WRAPPER = "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>"


def user(content: object, **fields) -> TranscriptEntry:
    line = {"type": "user", "uuid": "u", "parentUuid": None, "message": {"content": content}, **fields}
    entry = classify_line(json.dumps(line).encode())
    assert entry is not None
    return entry


GENUINE: list[tuple[object, dict[str, Any], str]] = [
    ("do it", HUMAN, "do it"),
    ("do it", SDK, "do it"),
    ("do it", {}, "do it"),
    ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], HUMAN, "a\n\nb"),
    ([{"type": "text", "text": "<system-reminder>x</system-reminder>"}, {"type": "text", "text": "b"}],
     HUMAN, "b"),
    ([{"type": "image", "source": {}}], HUMAN, IMAGE_ONLY),
    ([{"type": "image", "source": {}}, {"type": "text", "text": "like this"}], HUMAN, "like this"),
    ("<bash-stdout> is what I see, why?", HUMAN, "<bash-stdout> is what I see, why?"),
    ("<command-name> should be kept in the parser", HUMAN, "<command-name> should be kept in the parser"),
    (WRAPPER.format("init"), HUMAN, "/init"),
    (WRAPPER.format("init"), SDK, "/init"),
    (WRAPPER.format("deploy") + "<command-args>to\nstaging </command-args>", {}, "/deploy to\nstaging"),
    (WRAPPER.format("plugin-x:do"), {}, "/plugin-x:do"),
]  # fmt: skip


@corpus(("content", "fields", "text"), GENUINE)
def test_genuine_user_messages(content, fields, text):
    entry = user(content, **fields)
    assert (entry.kind, entry.text) == ("prompt", text)


@corpus(
    ("content", "fields", "kind"),
    [
        ("x", {"isMeta": True}, "other"),
        ("x", {"isCompactSummary": True}, "other"),
        ("x", {**HUMAN, "isVisibleInTranscriptOnly": True}, "other"),
        ("", HUMAN, "other"),
        (None, HUMAN, "other"),
        ({"a": 1}, HUMAN, "other"),
        ([], HUMAN, "other"),
        ("[Request interrupted by user]", {}, "other"),
        ([{"type": "text", "text": "[Request interrupted by user for tool use]"}], {}, "other"),
        ("<task-notification>\n<task-id>", {}, "machine"),
        ("<task-notification>\n<task-id>", SDK, "machine"),
        ("text", {"origin": {"kind": "task-notification"}}, "machine"),
        ("text", {"origin": {"kind": "something-new"}}, "machine"),
        ("text", {"promptSource": "system"}, "machine"),
        ("<local-command-stdout>x</local-command-stdout>", {}, "other"),
        ("<local-command-caveat>x</local-command-caveat>", {}, "other"),
        ("<bash-input>ls</bash-input>", {}, "other"),
        (WRAPPER.format("compact"), {}, "other"),
        ("<command-name>/model</command-name>\n            <command-args>sonnet</command-args>", {}, "other"),
        ("<command-message>The skill is loading</command-message>\n<command-name>pdf</command-name>", {},
         "other"),
        ([{"type": "tool_result", "content": "x"}, {"type": "text", "text": "y"}], HUMAN, "result"),
    ],
)  # fmt: skip
def test_lines_that_are_no_user_message(content, fields, kind):
    entry = user(content, **fields)
    assert (entry.kind, entry.text) == (kind, "")


@corpus("name", sorted(CLIENT_COMMANDS))
def test_commands_of_the_client_are_no_request_unless_declared_human(name):
    assert user(WRAPPER.format(name)).kind == "other"
    assert user(WRAPPER.format(name.upper())).kind == "other"
    assert user(WRAPPER.format(name), origin={"kind": "human"}).text == f"/{name}"


@pytest.mark.parametrize(
    "line",
    [
        {"type": "api-request-blob", "message": {"role": "user", "content": "x"}},
        {"type": "last-prompt", "lastPrompt": "x", "leafUuid": "u"},
        {"type": "user", "uuid": "u", "message": {"content": "no parent field"}},
        {"type": "user", "uuid": "", "parentUuid": None},
    ],
)
def test_lines_outside_of_the_chain_are_nothing(line):
    assert classify_line(json.dumps(line).encode()) is None


def test_the_parent_across_a_compaction_is_the_logical_one():
    line = {"type": "system", "uuid": "u", "parentUuid": None, "logicalParentUuid": "before"}
    entry = classify_line(json.dumps(line).encode())
    assert entry is not None
    assert (entry.kind, entry.parent) == ("other", "before")


def test_bodies_of_tool_results_are_not_kept():
    entry = user(
        [{"type": "tool_result", "tool_use_id": "t", "content": "SECRET" * 100}],
        toolUseResult={"stdout": "SECRET" * 100, "file": {"content": "SECRET"}},
    )
    assert "SECRET" not in repr(entry)


# Answered questions and judged plans join the exchange of the request they belong to.


QUESTION = "Which format?"
OPTIONS = ("YAML", "JSON")
APPROVED = {"plan": None, "isAgent": False}


def ask(session: Session, answers: object, labels: tuple[str, ...] = OPTIONS, use_id: str = "q1"):
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
def session():
    return new_session()


def test_an_answer_joins_the_request_it_was_given_in(session, tmp_path):
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
def test_labels_come_as_a_list_or_joined_and_may_hold_a_comma(session, tmp_path, labels, answer, chosen):
    ask(session, answer, labels)
    assert answers(session, tmp_path) == chosen


def test_an_answer_on_a_side_branch_of_a_parallel_message_counts(session, tmp_path):
    questions = [{"question": QUESTION, "options": []}]
    read_call = session.calls("Read", {}, "t1", "m2")
    ask_call = session.calls("AskUserQuestion", {"questions": questions}, "q1", "m2")
    result = {"questions": questions, "answers": {QUESTION: "JSON"}}
    session.result("answered", "q1", parent=ask_call, toolUseResult=result)
    session.result("text", "t1", parent=read_call)
    session.says("JSON then")
    assert answers(session, tmp_path) == [("JSON",)]


def test_an_answer_on_an_abandoned_branch_does_not_count(session, tmp_path):
    fork = session.tip
    session.prompt("abandoned", "p3")
    ask(session, "JSON")
    session.tip = fork
    session.says("something else")
    assert answers(session, tmp_path) == []


def test_plans_that_the_user_judged_are_part_of_the_exchange_as_approved(session, tmp_path):
    session.calls("ExitPlanMode", {"plan": "A"}, "x1")
    session.result(
        "doesn't want to proceed", "x1", is_error=True, toolUseResult="User rejected tool use",
        toolDenialKind="user-rejected",
    )  # fmt: skip
    # Either says it: a client that is older does not name who refused.
    for number, sign in enumerate(({"is_error": True}, {"toolDenialKind": "user-rejected"})):
        session.calls("ExitPlanMode", {"plan": "A"}, f"y{number}")
        session.result("doesn't want to proceed", f"y{number}", **sign)
    session.calls("ExitPlanMode", {"plan": "B"}, "x2")
    session.result("approved", "x2", toolUseResult=APPROVED)
    session.calls("ExitPlanMode", {}, "x3")
    session.result("approved", "x3", toolUseResult={"plan": "edited", "isAgent": False})
    session.calls("ExitPlanMode", {"plan": "pending"}, "x4")
    session.says("Writing.")
    plans = (*[Plan("A", approved=False)] * 3, Plan("B", approved=True), Plan("edited", approved=True))
    assert read(session, tmp_path, "p2").plans == plans
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3").plans == (), "they are of an older request"
