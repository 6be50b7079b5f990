"""Copilot CLI's recorded sessions as moments and as a session stood at one."""

from pathlib import Path

from evaluator.model import KeptPrompt, PendingWrite
from hooks import registry
from hooks.sessions import Called, Ended, Passed, Spoken

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "copilot"
HOST = registry.host_of("copilot")
SESSIONS = HOST.sessions()


def moments(name):
    passed = Passed()
    found = list(SESSIONS.session_moments(str(FIXTURES / name), passed))
    assert passed == Passed()
    assert [one.at for one in found] == sorted(one.at for one in found)
    return found


def pending(path, prompt_id=None):
    return PendingWrite(
        "copilot", "s", "Bash", {}, cwd="/p", project_dir="/p", transcript_path=str(path), prompt_id=prompt_id
    )


def test_the_recorded_session_in_the_order_of_time():
    found = moments("held-and-answered.jsonl")
    assert [one.text for one in found if isinstance(one, Spoken)] == [
        "Which files are unused?",
        "Just delete it.",
        "1",
    ]
    calls = [one for one in found if isinstance(one, Called)]
    assert [(one.tool_name, one.tool_input["command"], one.fate) for one in calls] == [
        ("Bash", "rm src/a.py", "held"),
        ("Bash", "rm src/a.py", "ran"),
    ]
    assert {(one.project, one.cwd) for one in calls} == {("/project", "/project")}
    assert [one.succeeded for one in found if isinstance(one, Ended)] == [False, True]


def test_each_call_is_read_as_the_session_stood_then():
    path = FIXTURES / "held-and-answered.jsonl"
    then, kept = SESSIONS.then(), []
    seen = []
    for one in moments(path.name):
        if isinstance(one, Spoken):
            kept.append(KeptPrompt(one.prompt_id, one.text, len(kept) + 1, len(kept), one.at))
        elif isinstance(one, Called):
            then.go_to(one.end)
            found = then.exchange(pending(path, one.prompt_id), kept)
            assert found.unwritten == ()
            seen.append((found.request, found.prior_assistant_turn, len(then.voices(pending(path)))))
    assert seen == [
        (("Just delete it.",), "I found two unused files: src/a.py and src/b.py.", 2),
        (("1",), "Stopped.", 3),
    ]


def test_a_subagents_call_is_its_own():
    calls = [one for one in moments("subagent.jsonl") if isinstance(one, Called)]
    assert [(one.tool_name, one.agent_id is not None) for one in calls] == [("task", False), ("Bash", True)]
    assert len({one.session_id for one in calls}) == 1


def test_garbled_lines_are_counted(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\x00\n{\n[1]\n" + (FIXTURES / "two-turns.jsonl").read_bytes() + b'{"type": "user.mess')
    passed = Passed()
    found = list(SESSIONS.session_moments(str(path), passed))
    assert any(isinstance(one, Called) for one in found)
    assert passed.garbled == 3
