"""In a subagent: the user's request from the parent's file, the task from the agent's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import corpus
from samples.sessions import Session, kept_prompts, read

from evaluator.model import Exchange
from hooks.hosts.claude_code.conversation import agent_path

AGENT = "a80348ac48fe8567c"


def parent_session() -> Session:
    session = Session()
    session.turn("first", "p1", "answered first")
    session.prompt("second", "p2")
    session.says("Delegating.", "m2")
    session.calls("Agent", {"prompt": "the task on the parent's side"}, "t1", "m2")
    return session


def write_agent(folder: Path, task: object, prompt_id: str = "p2", agent_id: str = AGENT) -> None:
    agents = folder / "session" / "subagents"
    agents.mkdir(parents=True, exist_ok=True)
    line = {
        "parentUuid": None, "isSidechain": True, "promptId": prompt_id, "agentId": agent_id, "type": "user",
        "message": {"role": "user", "content": task}, "uuid": "b4db2ed6-0000-4000-8000-000000000000",
    }  # fmt: skip
    (agents / f"agent-{agent_id}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")


def test_readers_get_the_users_request_and_the_delegated_task(tmp_path: Path) -> None:
    write_agent(tmp_path, "write sub.txt")
    found = read(parent_session(), tmp_path, "p2", agent_id=AGENT)
    assert found == Exchange(("second",), "answered first", delegated_task="write sub.txt")
    assert read(parent_session(), tmp_path, "p2").delegated_task == "", (
        "nothing is delegated to the agent itself"
    )


def test_without_the_agents_file_the_parents_newest_task_stands_in(tmp_path: Path) -> None:
    found = read(parent_session(), tmp_path, "p2", agent_id=AGENT)
    assert found.delegated_task == "the task on the parent's side"


def test_the_parents_note_of_which_agent_got_which_task_is_used(tmp_path: Path) -> None:
    session = parent_session()
    started = {"agentId": AGENT, "prompt": "its own task", "isAsync": True}
    session.result("launched", "t1", toolUseResult=started)
    session.calls("Agent", {"prompt": "another agent's task"}, "t2")
    assert read(session, tmp_path, "p2", agent_id=AGENT).delegated_task == "its own task"


def test_a_background_agent_keeps_the_request_that_started_it(tmp_path: Path) -> None:
    session = parent_session()
    session.result("launched", "t1", toolUseResult={"agentId": AGENT, "prompt": "task"})
    session.says("Started it.")
    session.prompt("something else meanwhile", "p3")
    session.says("on it")
    session.turn("and yet another thing", "p4", "done")
    write_agent(tmp_path, "write sub.txt")
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p3", "something else meanwhile"))
    for known in ((), kept):
        for prompt_id in ("p2", "p3"):
            found = read(session, tmp_path, prompt_id, known, AGENT)
            assert found == Exchange(("second",), "answered first", delegated_task="write sub.txt")


def test_an_agent_whose_prompt_is_not_in_the_file_gets_its_kept_text_or_the_newest_request(
    tmp_path: Path,
) -> None:
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p3", "third"))
    of_its_own = Exchange(("second",), unwritten=("second",))
    assert read(Session(), tmp_path, "p2", kept, AGENT) == of_its_own
    session = Session()
    session.turn("first", "p1", "answered first")
    assert read(session, tmp_path, "p2", kept[:2], AGENT) == Exchange(
        ("second",), "answered first", unwritten=("second",)
    )
    found = read(parent_session(), tmp_path, "unknown", (), AGENT)
    assert (found.request, found.prior_assistant_turn) == (("second",), "answered first")


@corpus("agent_id", ["../../secret", "a/b", "", "a\n", "a\0b", "x" * 65, "a" * 1_000_000, ".", "é"])
def test_an_id_from_outside_never_becomes_part_of_a_path(tmp_path: Path, agent_id: str) -> None:
    assert agent_path("/t/session.jsonl", agent_id) is None
    (tmp_path / "secret.jsonl").write_text('{"type":"user","message":{"content":"secret"}}')
    found = read(parent_session(), tmp_path, "p2", agent_id=agent_id)
    assert found == Exchange(("second",), "answered first", delegated_task="the task on the parent's side")


@pytest.mark.parametrize("content", [b"", b"\x00\xff garbage\n", b"[1]\n{}\n", b'{"type":"user"'])
def test_a_garbled_agent_file_is_like_none(tmp_path: Path, content: bytes) -> None:
    write_agent(tmp_path, "x")
    (tmp_path / "session" / "subagents" / f"agent-{AGENT}.jsonl").write_bytes(content)
    found = read(parent_session(), tmp_path, "p2", agent_id=AGENT)
    assert found.delegated_task == "the task on the parent's side"
