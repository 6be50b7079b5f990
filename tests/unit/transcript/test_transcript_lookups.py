"""What the calls of the running turn came back with: of this turn, this branch and this agent alone."""

from pathlib import Path

from corpora import corpus
from samples.sessions import Session, kept_prompts, pending_write

from hooks.hosts.claude_code import transcript_source
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.transcript_source import TranscriptReader
from hooks.transcript import CALLS_MAX, TEXT_CHARS_MAX

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


def test_a_continuation_goes_on_with_the_turn(tmp_path):
    session = asked("before")
    session.says("Shall I go on?")
    session.prompt("continue", "p2")
    look(session, 2, "after")
    kept = kept_prompts(("p1", "first"), ("p2", "continue"))
    assert texts(found(session, tmp_path, "p2", kept)) == ["after", "before"]


def test_a_prompt_that_is_not_in_the_file_yet_has_looked_nothing_up(tmp_path):
    session = asked("of the turn before")
    kept = kept_prompts(("p1", "first"), ("p2", "something else"))
    assert found(session, tmp_path, "p2", kept) == ()
    assert texts(found(session, tmp_path, "p1", kept)) == ["of the turn before"]


def test_what_a_rewind_abandoned_was_not_looked_up(tmp_path):
    session = asked()
    opening = session.tip
    look(session, 1, "abandoned")
    session.tip = opening
    look(session, 2, "kept")
    assert texts(found(session, tmp_path, "p1")) == ["kept"]


def test_parallel_calls_of_one_message_all_count(tmp_path):
    session = asked()
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


def test_a_replay_sees_no_result_that_was_not_there_yet(tmp_path):
    session = asked("early")
    then, path = HOST.sessions().then(), session.write(tmp_path / "s.jsonl")
    then.go_to(path.stat().st_size)
    look(session, 2, "late")
    session.write(path)
    assert texts(then.lookups(pending_write(path, "p1"), ())) == ["early"]


def test_a_long_result_keeps_both_ends_and_many_calls_the_newest(tmp_path):
    session = asked(*(f"result {number}" for number in range(CALLS_MAX + 5)))
    look(session, 999, "first line\n" + "filler line\n" * 30_000 + "last line")
    calls = found(session, tmp_path, "p1")
    assert len(calls) == CALLS_MAX
    assert calls[0].text.startswith("first line\n") and calls[0].text.endswith("last line")
    assert len(calls[0].text) <= TEXT_CHARS_MAX
    assert set(calls[0].text.splitlines()) == {"first line", "filler line", "last line"}
    assert calls[1].text == f"result {CALLS_MAX + 4}"


def test_the_file_is_read_no_further_than_the_reach(tmp_path, monkeypatch):
    monkeypatch.setattr(transcript_source, "REACH_BYTES_MAX", 20_000)
    session = asked("far away")
    session.apart(type="progress", data="x" * 30_000)
    look(session, 2, "near")
    assert texts(found(session, tmp_path, "p1")) == ["near"]


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
