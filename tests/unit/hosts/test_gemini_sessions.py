"""Recorded sessions of Gemini CLI, in the order of what its hooks were told."""

import json
from pathlib import Path

import pytest
from corpora import corpus

from evaluator.errors import PayloadError
from evaluator.model import KeptPrompt
from hooks import registry
from hooks.hosts.gemini import HOST
from hooks.sessions import Called, Ended, Passed, Spoken

sessions = HOST.sessions()

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "gemini"
HOST = registry.host_of("gemini")


def pending(path):
    payload = {"session_id": "s", "tool_name": "x", "tool_input": {}, "transcript_path": str(path)}
    return HOST.pending_write(payload, {})


def moments(path):
    return list(sessions.session_moments(str(path), Passed()))


def test_a_recorded_session():
    spoken, called, ended = moments(FIXTURES / "first.jsonl")
    assert isinstance(spoken, Spoken) and spoken.text == "Please add a line to the notes."
    assert isinstance(called, Called) and (called.tool_name, called.fate, called.created) == (
        "Write",
        "ran",
        True,
    )
    assert called.tool_input["file_path"] == "/project/new.txt"
    assert isinstance(ended, Ended) and ended.succeeded and ended.tool_use_id == called.tool_use_id
    assert spoken.at < called.at < ended.at
    source = sessions.then()
    source.go_to(called.end)
    found = source.exchange(pending(FIXTURES / "first.jsonl"), [KeptPrompt(None, spoken.text, 1)])
    assert (found.request, found.unwritten) == ((spoken.text,), ())
    assert found.prior_assistant_turn == ""
    source.go_to(0)
    assert source.voices(pending(FIXTURES / "first.jsonl")) == ()


def test_what_a_resumed_file_lists_anew_is_told_once():
    assert [one.text for one in moments(FIXTURES / "resumed.jsonl") if isinstance(one, Spoken)] == [
        "Please add a line.",
        "1",
    ]


@corpus(
    ("status", "response", "fate"),
    [
        ("success", {"output": "Output: x\nProcess Group PGID: 1"}, "ran"),
        ("success", {"output": "Output: x\nExit Code: 1\nProcess Group PGID: 1"}, "failed"),
        ("error", {"error": "Tool execution blocked: Compass held back"}, "held"),
        ("error", {"error": "Tool execution blocked: not now"}, "refused"),
        ("error", {"error": "File not found"}, "failed"),
        ("cancelled", {"error": "[Operation Cancelled]"}, "refused"),
        ("scheduled", {}, "unknown"),
    ],
)
def test_how_a_call_ended(tmp_path, status, response, fate):
    (tmp_path / "chats").mkdir()
    (tmp_path / ".project_root").write_text("/repo/it")
    path = tmp_path / "chats" / "session-1.jsonl"
    part = {"functionResponse": {"response": response}}
    call = {
        "id": "c",
        "name": "run_shell_command",
        "args": {"command": "rm a"},
        "status": status,
        "result": [part],
    }
    path.write_text(
        json.dumps({"id": "m", "type": "gemini", "content": "", "toolCalls": [call]}) + "\nbroken\n"
    )
    passed = Passed()
    called, *ended = sessions.session_moments(str(path), passed)
    assert isinstance(called, Called) and (called.tool_name, called.project, called.fate) == (
        "Bash",
        "/repo/it",
        fate,
    )
    assert [one.succeeded for one in ended if isinstance(one, Ended)] == (
        [fate == "ran"] if fate in ("ran", "failed") else []
    )
    assert passed.garbled == 1


def test_sessions_are_found_and_those_of_subagents_are_not(tmp_path):
    for name in (
        "p/chats/session-b.jsonl",
        "p/chats/session-a.jsonl",
        "p/chats/x/agent.jsonl",
        "p/logs.json",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    one = str(tmp_path / "p/chats/session-a.jsonl")
    assert sessions.find_transcripts([one, str(tmp_path)]) == [one, str(tmp_path / "p/chats/session-b.jsonl")]
    with pytest.raises(PayloadError):
        sessions.find_transcripts([str(tmp_path / "none")])
