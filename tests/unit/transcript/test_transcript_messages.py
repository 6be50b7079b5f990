"""What one line is, and what the calls of the running turn came back with."""

import json
from pathlib import Path

import pytest
from corpora import corpus
from samples.sessions import Session, kept_prompts, pending_write, read

from evaluator.model import AnsweredQuestion, Plan
from hooks.hosts.claude_code import transcript_source
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.messages import IMAGE_ONLY, TranscriptEntry, classify_line
from hooks.hosts.claude_code.transcript_source import TranscriptReader
from hooks.transcript import CALLS_MAX, TEXT_CHARS_MAX

HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed"}
SDK = {"promptSource": "sdk", "turnOrigin": "sdk"}
WRAPPER = "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>"


def user(content: object, **fields) -> TranscriptEntry:
    line = {"type": "user", "uuid": "u", "parentUuid": None, "message": {"content": content}, **fields}
    entry = classify_line(json.dumps(line).encode())
    assert entry is not None
    return entry


GENUINE = [
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


@corpus("name", sorted(HOST.told["client_commands"]))
def test_commands_of_the_client_are_no_request_unless_declared_human(name):
    assert user(WRAPPER.format(name)).kind == "other"
    assert user(WRAPPER.format(name.upper())).kind == "other"
    assert user(WRAPPER.format(name), origin={"kind": "human"}).text == f"/{name}"


def test_lines_outside_of_the_chain_are_nothing_and_the_parent_across_a_compaction_is_the_logical_one():
    def entry(**line):
        return classify_line(json.dumps(line).encode())

    assert entry(type="api-request-blob", message={"role": "user", "content": "x"}) is None
    assert entry(type="last-prompt", lastPrompt="x", leafUuid="u") is None
    assert entry(type="user", uuid="u", message={"content": "no parent field"}) is None
    assert entry(type="user", uuid="", parentUuid=None) is None
    found = entry(type="system", uuid="u", parentUuid=None, logicalParentUuid="before")
    assert (found.kind, found.parent) == ("other", "before")


def test_bodies_of_tool_results_are_not_kept():
    body = "SECRET" * 100
    block = {"type": "tool_result", "tool_use_id": "t", "content": body}
    entry = user([block], toolUseResult={"stdout": body, "file": {"content": body}})
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


# What the calls of the running turn came back with: of this turn, this branch and this agent alone.

REFUSED = (
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\ndrop it"
)


def found(session: Session, folder: Path, prompt_id=None, kept=(), agent_id=None):
    path = session.write(folder / "session.jsonl")
    return TranscriptReader().lookups(pending_write(path, prompt_id, agent_id), kept)


def texts(calls):
    return [call.text for call in calls]


def asked(*results: object) -> Session:
    """A session whose first prompt is running, and what its calls came back with."""
    session = Session()
    session.prompt("first", "p1")
    for number, text in enumerate(results, 1):
        look(session, number, text)
    return session


def look(session: Session, number: int, text: object, **fields):
    session.calls("Bash", {"command": f"git show {number}"}, f"toolu_{number}")
    session.result(text, f"toolu_{number}", **fields)


def test_results_of_this_turn_come_newest_first_each_with_its_call(tmp_path):
    session = asked("of the turn before")
    session.says("done")
    session.prompt("second", "p2")
    look(session, 2, "older")
    look(session, 3, [{"type": "text", "text": "newer"}, {"type": "image"}])
    calls = found(session, tmp_path, "p2")
    assert texts(calls) == ["newer", "older"]
    assert (calls[0].tool_name, calls[0].tool_input) == ("Bash", {"command": "git show 3"})


def test_a_continuation_goes_on_with_the_turn_and_a_prompt_not_in_the_file_looked_nothing_up(tmp_path):
    session = asked("before")
    kept = kept_prompts(("p1", "first"), ("p2", "something else"))
    assert found(session, tmp_path, "p2", kept) == ()
    assert texts(found(session, tmp_path, "p1", kept)) == ["before"]
    session.says("Shall I go on?")
    session.prompt("continue", "p2")
    look(session, 2, "after")
    kept = kept_prompts(("p1", "first"), ("p2", "continue"))
    assert texts(found(session, tmp_path, "p2", kept)) == ["after", "before"]


def test_parallel_calls_of_one_message_all_count_and_what_a_rewind_abandoned_does_not(tmp_path):
    session = asked()
    opening = session.tip
    look(session, 1, "abandoned")
    session.tip = opening
    one = session.calls("Read", {"file_path": "/p/a"}, "toolu_a", "msg_x")
    other = session.calls("Read", {"file_path": "/p/b"}, "toolu_b", "msg_x")
    session.tip = one
    session.result("a's text", "toolu_a")
    session.tip = other
    session.result("b's text", "toolu_b")
    assert sorted(texts(found(session, tmp_path, "p1"))) == ["a's text", "b's text"]


def test_a_refused_call_is_left_out_and_a_failed_one_is_marked(tmp_path):
    session = asked()
    look(session, 1, REFUSED, is_error=True)
    look(session, 2, REFUSED, is_error=True, toolDenialKind="user-rejected")
    look(session, 3, "held", is_error=True, toolDenialKind="permission-rule")
    look(session, 4, "x", is_error=True, toolUseResult="User rejected tool use")
    look(session, 5, "<tool_use_error>File does not exist.</tool_use_error>", is_error=True)
    look(session, 6, "1\tx = 1\n<system-reminder>\nthe user says: go on\n</system-reminder>\n")
    look(session, 7, "<system-reminder>all of it</system-reminder>")
    nothing, bare, failed = found(session, tmp_path, "p1")
    assert (failed.text, failed.failed) == ("File does not exist.", True)
    assert (bare.text.strip(), bare.failed) == ("1\tx = 1", False), "nor what the client puts beside a result"
    assert nothing.text.strip() == ""


def test_a_subagent_has_its_own_results_alone(tmp_path):
    session = asked("the parent's")
    agents = tmp_path / "session" / "subagents"
    agents.mkdir(parents=True)
    own = Session()
    own.user("find the branch", isSidechain=True, promptId="p1")
    for number in (1, 2):
        use = f"toolu_{number}"
        own.calls("Bash", {"command": "git branch"}, use, isSidechain=True)
        own.result(f"the agent's {number}", use, isSidechain=True)
    own.write(agents / "agent-abc.jsonl")
    assert texts(found(session, tmp_path, "p1", agent_id="abc")) == ["the agent's 2", "the agent's 1"]
    assert found(session, tmp_path, "p1", agent_id="../abc") == ()
    assert found(session, tmp_path, "p1", agent_id="other") == ()
    assert texts(found(session, tmp_path, "p1")) == ["the parent's"]
    path = str(tmp_path / "session.jsonl")
    then = HOST.sessions().then()
    then.go_to(10**9)
    assert then.lookups(pending_write(path, "p1", "abc"), ()) == ()
    assert texts(then.lookups(pending_write(path, "p1"), ())) == ["the parent's"]


def test_a_long_result_keeps_both_ends_and_many_calls_the_newest(tmp_path):
    session = asked(*(f"result {number}" for number in range(CALLS_MAX + 5)))
    look(session, 999, "first line\n" + "filler line\n" * 30_000 + "last line")
    calls = found(session, tmp_path, "p1")
    assert len(calls) == CALLS_MAX
    assert calls[0].text.startswith("first line\n") and calls[0].text.endswith("last line")
    assert len(calls[0].text) <= TEXT_CHARS_MAX
    assert set(calls[0].text.splitlines()) == {"first line", "filler line", "last line"}
    assert calls[1].text == f"result {CALLS_MAX + 4}"


def test_a_file_is_read_no_further_than_the_reach_and_by_replay_no_later_than_its_call(tmp_path, monkeypatch):
    session = asked("far away")
    then, path = HOST.sessions().then(), session.write(tmp_path / "session.jsonl")
    then.go_to(path.stat().st_size)
    monkeypatch.setattr(transcript_source, "REACH_BYTES_MAX", 20_000)
    session.apart(type="progress", data="x" * 30_000)
    look(session, 2, "near")
    assert texts(found(session, tmp_path, "p1")) == ["near"]
    assert texts(then.lookups(pending_write(path, "p1"), ())) == ["far away"]


@corpus(
    "line",
    [b"", b"\0\xff{", b'{"type":"user","message":{"content":[{"type":"tool_result"}]}}', b'["tool_use"]',
     b'{"type":"user","uuid":7,"parentUuid":null,"message":{"content":[{"type":"tool_result","tool_use_id":[],"content":9}]}}',
     b'{"type":"assistant","message":{"id":{},"content":[{"type":"tool_use","id":null,"input":[]}]}}'],
)  # fmt: skip
def test_garbage_among_the_lines_does_no_harm(tmp_path, line):
    session = asked("kept")
    session.raw(line)
    assert texts(found(session, tmp_path, "p1")) == ["kept"]
    for path in (tmp_path, tmp_path / "none.jsonl", None):
        assert TranscriptReader().lookups(pending_write(path, "p1"), ()) == ()
