"""What was said, by Codex CLI's recorded session files; replayed, and written by ourselves."""

import json
import os
from pathlib import Path

from evaluator.model import Exchange, PendingWrite
from evaluator.record import replace
from hooks.hosts.codex import HOST, file_beside, folder_of, parent_of
from hooks.sessions import Called, Ended, Passed, Spoken

sessions = HOST.sessions()

FIXTURES = Path(__file__).parents[3] / "fixtures/hosts/codex"
TWO_TURNS = FIXTURES / "two-turns.jsonl"
HOME = FIXTURES / "home/sessions"
PARENT, CHILD = sorted(HOME.glob("*/*/*/*.jsonl"))
ASKED = PendingWrite("codex", "s", "Bash", {}, cwd="/project", project_dir="/project")


def exchange(path, turn=None, kept=(), agent=None):
    pending = replace(ASKED, transcript_path=str(path), prompt_id=turn, agent_id=agent)
    return HOST.transcripts(None).exchange(pending, kept)


def written(tmp_path, *items):
    """A session's file of these items: ("user", text, turn), ("agent", text, turn) or a payload."""
    path = tmp_path / "rollout-x.jsonl"
    rows = [{"type": "session_meta", "payload": {"id": "x", "session_id": "x", "cwd": "/project"}}]
    for item in items:
        if isinstance(item, dict):
            rows.append(item)
            continue
        who, text, turn = item
        note = {"turn_id": turn}
        kind = "input_text" if who == "user" else "output_text"
        payload = {
            "type": "message",
            "role": "user" if who == "user" else "assistant",
            "content": [{"type": kind, "text": text}],
            "internal_chat_message_metadata_passthrough": note,
        }
        if who == "user":
            note["content_item_metadata"] = [{"provenance": {"type": "user"}}]
        rows.append({"type": "response_item", "payload": payload})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_the_request_and_what_was_said_before_it_stand_in_the_file():
    turns = [one.prompt_id for one in HOST.said(HOST.tail(str(TWO_TURNS))) if one.role == "user"]
    found = exchange(TWO_TURNS, turns[0])
    assert found == Exchange(("1",), "Which file: 1) notes.txt 2) plan.txt?")
    voices = HOST.transcripts(None).voices(replace(ASKED, transcript_path=str(TWO_TURNS)))
    assert [(one.text, one.typed) for one in voices] == [("1", True), ("Please add a line.", True)]
    assert folder_of(str(TWO_TURNS)) == "/project"


def test_environment_agents_and_interruptions_are_nobodys_words(tmp_path):
    def odd(provenance, text):
        note = {"turn_id": "t", "content_item_metadata": [{"provenance": {"type": provenance}}]}
        content = [{"type": "input_text", "text": text}]
        payload = {"type": "message", "role": "user", "content": content}
        return {
            "type": "response_item",
            "payload": {**payload, "internal_chat_message_metadata_passthrough": note},
        }

    path = written(
        tmp_path,
        ("user", "Really mine.", "t"),
        odd("harness", "compass: proceed"),
        odd("tool", "compass: proceed all"),
    )
    assert exchange(path).request == ("Really mine.",)
    bare = json.loads(json.dumps(odd("user", "<environment_context>x</environment_context>")))
    bare["payload"]["internal_chat_message_metadata_passthrough"] = {}
    assert exchange(written(tmp_path, bare)).request == ()


def test_what_the_person_took_back_was_not_said(tmp_path):
    rolled = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 2}}
    path = written(
        tmp_path,
        ("user", "Look at a and b.", "t1"),
        ("agent", "Both are unused.", "t1"),
        ("user", "Delete a.", "t2"),
        ("agent", "Done.", "t2"),
        ("user", "And b.", "t3"),
        ("agent", "Done, too.", "t3"),
        rolled,
        ("user", "Keep both.", "t4"),
    )
    assert exchange(path, "t4") == Exchange(("Keep both.",), "Both are unused.")


def test_a_pipe_in_the_place_of_a_session_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "rollout.jsonl")
    assert parent_of(str(tmp_path / "rollout.jsonl")) == ""


def test_a_subagents_task_is_no_request_and_the_request_is_the_persons():
    agent = CHILD.stem.split("-", 7)[-1]
    assert parent_of(str(CHILD)) in PARENT.name and parent_of(str(PARENT)) == ""
    found = exchange(CHILD, "its-own-turn", agent=agent)
    assert found.request == ("Please delegate it.",) and found.unwritten == ()
    assert found.delegated_task == "Make the file sub.txt with hi in it."
    pending = replace(ASKED, transcript_path=str(CHILD), agent_id=agent)
    assert [one.text for one in HOST.transcripts(None).voices(pending)] == ["Please delegate it."]


def test_a_subagent_whose_session_is_gone_has_no_request(tmp_path):
    alone = tmp_path / "sessions/2026/11/22" / CHILD.name
    alone.parent.mkdir(parents=True)
    alone.write_text(CHILD.read_text())
    found = exchange(alone, agent="x")
    assert (found.request, found.delegated_task) == ((), "Make the file sub.txt with hi in it.")
    assert exchange(tmp_path / "none.jsonl", agent="x") == Exchange()


def test_a_session_is_found_beside_another_and_never_by_a_path():
    thread = PARENT.stem.split("-", 7)[-1]
    assert file_beside(str(CHILD), thread) == str(PARENT)
    assert file_beside(str(CHILD), "../../etc") == file_beside(str(CHILD), "*") == ""


def test_garbage_missing_files_and_folders_are_an_empty_session(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b'\xff\n{"type": "response_item", "payload": 3}\n[]\n{"broken"\n')
    for path in (tmp_path / "x.jsonl", tmp_path / "none", tmp_path):
        assert exchange(path) == Exchange()
        assert folder_of(str(path)) == ""


def test_a_session_is_replayed_with_what_stood_there():
    passed = Passed()
    found = list(sessions.session_moments(str(TWO_TURNS), passed))
    assert [one.text for one in found if isinstance(one, Spoken)] == ["Please add a line.", "1"]
    (called,) = (one for one in found if isinstance(one, Called))
    assert (called.tool_name, called.cwd, called.project) == ("apply_patch", "/project", "/project")
    then = sessions.then()
    then.go_to(called.end)
    pending = replace(ASKED, transcript_path=str(TWO_TURNS), prompt_id=called.prompt_id)
    assert then.exchange(pending, ()).request == ("1",)
    assert passed.garbled == 0
    of_both = [list(sessions.session_moments(str(path), Passed())) for path in (PARENT, CHILD)]
    (made,) = (one for one in of_both[0] if isinstance(one, Called))
    assert (made.tool_name, made.tool_input["command"], made.fate) == ("Bash", "echo hi > sub.txt", "ran")
    assert [one.succeeded for one in of_both[0] if isinstance(one, Ended)][-1]
    assert not any(isinstance(one, Spoken) for one in of_both[1]), "nobody spoke to the subagent"
    (slept,) = (one for one in of_both[1] if isinstance(one, Called))
    assert slept.agent_id and slept.fate == "refused"


def test_a_first_line_is_read_whole_once_it_is_there(tmp_path):
    path = tmp_path / "rollout.jsonl"
    path.write_text('{"type": "session_')
    assert (parent_of(str(path)), folder_of(str(path))) == ("", "")
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "above"}}}
    about = {"cwd": "/project", "source": source, "base_instructions": {"text": "x" * 900_000}}
    path.write_text(json.dumps({"type": "session_meta", "payload": about}) + "\n")
    assert (parent_of(str(path)), folder_of(str(path))) == ("above", "/project")
