"""Gemini CLI's chat file: a log of operations, read from its end."""

import json
from pathlib import Path

from corpora import corpus

from evaluator.model import KeptPrompt
from hooks.hosts.gemini import HOST
from hooks.sessions import Called, Ended, Passed

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "gemini"


def pending(path):
    payload = {"session_id": "s", "tool_name": "write_file", "tool_input": {}, "transcript_path": str(path)}
    return HOST.pending_write(HOST.parse(json.dumps(payload).encode()), {})


def told(path):
    """(role, text) of what stands in the file, oldest first."""
    return [(one.role, one.text) for one in HOST.said(HOST.tail(pending(path).transcript_path))][::-1]


def user(number, text, **more):
    return {"id": number, "type": "user", "content": [{"text": text}], **more}


def agent(number, text, **more):
    return {"id": number, "type": "gemini", "content": text, **more}


def log(tmp_path, *records):
    path = tmp_path / "session.jsonl"
    lines = [json.dumps(one) if not isinstance(one, bytes) else one.decode() for one in records]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_recorded_session_that_was_resumed():
    assert told(FIXTURES / "resumed.jsonl") == [
        ("user", "Please add a line."),
        ("agent", "Which file: 1) notes.txt 2) plan.txt?"),
        ("user", "1"),
        ("agent", "Writing to the notes."),
    ]
    source = HOST.transcripts(None)
    found = source.exchange(pending(FIXTURES / "resumed.jsonl"), [KeptPrompt(None, "1", 1)])
    assert (found.request, found.prior_assistant_turn) == (("1",), "Which file: 1) notes.txt 2) plan.txt?")
    assert found.unwritten == ()
    voices = source.voices(pending(FIXTURES / "resumed.jsonl"))
    assert [voice.text for voice in voices] == ["1", "Please add a line."]


def test_a_later_line_replaces_the_earlier_one_of_its_id(tmp_path):
    path = log(tmp_path, user("a", "go"), agent("b", ""), agent("b", "Done."), {"$set": {"lastUpdated": "x"}})
    assert told(path) == [("user", "go"), ("agent", "Done.")]


def test_a_list_of_messages_replaces_all_that_stands_before(tmp_path):
    listed = {"$set": {"messages": [user("c", "new"), agent("d", "old words")]}}
    path = log(
        tmp_path, user("a", "gone"), agent("b", "gone"), listed, agent("d", "new words"), user("e", "go")
    )
    assert told(path) == [("user", "new"), ("agent", "new words"), ("user", "go")]
    assert told(log(tmp_path, user("a", "gone"), {"$set": {"messages": []}})) == []


def test_what_was_gone_back_behind_is_no_longer_said(tmp_path):
    talk = [user("a", "one"), agent("b", "A"), user("c", "two"), agent("d", "C"), agent("d", "D")]
    assert told(log(tmp_path, *talk, {"$rewindTo": "c"}, user("e", "three"))) == [
        ("user", "one"),
        ("agent", "A"),
        ("user", "three"),
    ]
    assert told(log(tmp_path, *talk, {"$rewindTo": "d"})) == told(log(tmp_path, *talk[:3]))
    assert told(log(tmp_path, *talk, {"$rewindTo": "nowhere"}, user("e", "three"))) == [("user", "three")]
    twice = log(tmp_path, *talk, {"$rewindTo": "d"}, {"$rewindTo": "b"}, user("e", "three"))
    assert told(twice) == [("user", "one"), ("user", "three")]
    listed = {"$set": {"messages": talk[:4]}}
    assert told(log(tmp_path, listed, {"$rewindTo": "c"})) == [("user", "one"), ("agent", "A")]
    again = [user("a", "one"), user("b", "two"), {"$rewindTo": "b"}, user("c", "three"), {"$rewindTo": "c"}]
    assert told(log(tmp_path, *again, user("d", "four"))) == [("user", "one"), ("user", "four")]


def test_what_no_person_wrote_is_left_out(tmp_path):
    content = [{"functionResponse": {"name": "x"}}, {"text": "compass: proceed"}]
    response = {"id": "r", "type": "user", "content": content}
    path = log(
        tmp_path,
        user("a", "<session_context>\nThis is the Gemini CLI."),
        user("b", "<state_snapshot>\n<goal>delete all</goal>"),
        user("c", "Background execution update:\n<background_output>\ncompass: proceed"),
        response,
        {"id": "i", "type": "info", "content": "Request cancelled."},
        user("d", "mine"),
    )
    assert told(path) == [("user", "mine")]


def test_a_prompt_that_names_files_is_what_was_typed(tmp_path):
    parts = [{"text": "Fix @a.txt"}, {"text": "\n--- Content from referenced files ---"}, {"text": "rm all"}]
    path = log(tmp_path, {"id": "a", "type": "user", "content": parts})
    assert told(path) == [("user", "Fix @a.txt")]
    shown = {**user("a", "Fix the file\nat once"), "displayContent": [{"text": "Fix it"}]}
    assert told(log(tmp_path, shown)) == [("user", "Fix it")]
    hooked = user("a", "<hook_context>x</hook_context>\n\nFix it")
    assert told(log(tmp_path, hooked)) == [("user", "Fix it")]
    pictures = {"id": "a", "type": "user", "content": [{"inlineData": {"data": "x"}}]}
    assert told(log(tmp_path, pictures)) == [("user", "[image]")]


def test_odd_lines_are_passed_over(tmp_path):
    odd = [b"{", b"[]", b"null", b'{"$set": 3}', b'{"$rewindTo": 3}', b'{"id": 3, "type": "user"}']
    odd.append(b'{"id": "x"}')
    strange = {"id": "y", "type": "user", "content": {"text": ["no"]}}
    path = log(tmp_path, user("a", "one"), *odd, strange, agent("b", 7))
    assert told(path) == [("user", "one"), ("agent", "")]
    lone = b'{"id": "z", "type": "user", "content": [{"text": "\\ud800"}]}'
    assert told(log(tmp_path, lone)) == [("user", "\ufffd")]
    assert told(tmp_path / "missing.jsonl") == []
    assert list(HOST.said(HOST.tail(""))) == []


sessions = HOST.sessions()


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
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "rm a"}, "status": status}
    call["result"] = [{"functionResponse": {"response": response}}]
    path.write_text(json.dumps(agent("m", "", toolCalls=[call])) + "\nbroken\n")
    passed = Passed()
    called, *ended = sessions.session_moments(str(path), passed)
    assert isinstance(called, Called) and called.fate == fate
    assert (called.tool_name, called.project) == ("Bash", "/repo/it")
    succeeded = [one.succeeded for one in ended if isinstance(one, Ended)]
    assert succeeded == ([fate == "ran"] if fate in ("ran", "failed") else [])
    assert passed.garbled == 1
