"""Whose words count: a subagent's request and task, and the voices of a session with what was said before each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import corpus
from samples.sessions import Session, kept_prompts, pending_write, read

from evaluator.model import Exchange, KeptPrompt
from evaluator.ports import Voice
from hooks.host import host_table
from hooks.hosts.claude_code.conversation import agent_path
from hooks.hosts.claude_code.messages import classify_line
from hooks.hosts.claude_code.transcript_source import TranscriptReader

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


def test_without_the_agents_file_no_task_is_known(tmp_path: Path) -> None:
    found = read(parent_session(), tmp_path, "p2", agent_id=AGENT)
    assert found == Exchange(("second",), "answered first")


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
    assert found == Exchange(("second",), "answered first")


# Who spoke, as the file tells it: in which words, under which id, and after what.


def voices(session: Session, folder: Path) -> list[Voice]:
    path = session.write(folder / "session.jsonl")
    return list(TranscriptReader().voices(pending_write(path, "p2")))


def test_a_voice_knows_the_last_message_before_it(tmp_path: Path) -> None:
    session = Session()
    session.prompt("first", "p1")
    session.says("An earlier message?", "m1")
    session.calls("Read", {}, "t1", "m1")
    session.result(use_id="t1")
    session.says("Held back.", "m2")
    session.says("Shall I?", "m2")
    session.prompt("yes", "p2")
    session.says("Going on.", "m3")
    second, first = voices(session, tmp_path)
    assert second == Voice("yes", "p2", typed=True, after="Held back.\n\nShall I?")
    assert first == Voice("first", "p1", typed=True, after="")


def test_nothing_was_said_between_two_messages_in_a_row(tmp_path: Path) -> None:
    session = Session()
    session.turn("first", "p1", "Shall I delete it?")
    session.prompt("compas: proceed", "p2")
    session.user("Operation stopped by hook: Compass: did you mean", isMeta=True)
    session.prompt("yes", "p3")
    assert [(voice.text, voice.after) for voice in voices(session, tmp_path)] == [
        ("yes", ""),
        ("compas: proceed", "Shall I delete it?"),
        ("first", ""),
    ]


def test_one_without_an_id_tells_in_which_turns_it_may_have_been_typed(tmp_path: Path) -> None:
    session = Session()
    session.turn("zero", "p0", "done")
    session.prompt("first", "p1")
    session.says("Working.", "m1")
    session.prompt("and this", "p2", promptSource="queued")
    session.says("Done.", "m2")
    session.prompt("and that", "p3", promptSource="queued")
    session.queued("yes")
    found = {voice.text: (voice.prompt_id, voice.during) for voice in voices(session, tmp_path)}
    assert found == {
        "zero": ("p0", ()),
        "first": ("p1", ()),
        "and this": (None, ("p1",)),
        "and that": (None, ("p2", "p1")),
        "yes": (None, ("p3", "p2", "p1")),
    }


def test_what_a_person_types_in_refusing_a_call_is_their_word_and_belongs_to_the_request(
    tmp_path: Path,
) -> None:
    session = Session()
    session.prompt("fix it up", "p2")
    session.calls("Bash", {"command": "git push"}, "t1")
    refused(session, "rebase from main first", toolDenialKind="user-rejected")
    session.calls("Bash", {"command": "git rebase main"}, "t2")
    session.result(use_id="t2")
    pending = pending_write(session.write(tmp_path / "session.jsonl"), "p2")
    kept = [KeptPrompt("p2", "fix it up", 0), KeptPrompt("p2", "and the docs", 0, 1)]
    found = TranscriptReader().exchange(pending, kept)
    assert found.request == ("fix it up", "rebase from main first", "and the docs")
    assert found.unwritten == ("and the docs",), "no hook was told of the words at the refusal"
    newest, opening = voices(session, tmp_path)
    assert newest == Voice("rebase from main first", None, typed=True, during=("p2",))
    assert opening.text == "fix it up"


@pytest.mark.parametrize(
    ("words", "fields", "heard"),
    [
        ("use main", {"version": "2.1.29"}, "use main"),
        ("use main", {"version": "2.1.330"}, ""),
        ("use main", {}, ""),
        ("use main", {"toolDenialKind": "permission-rule"}, ""),
        ("The user wants to clarify these questions.\nAsked:", {"toolDenialKind": "user-rejected"}, ""),
    ],
    ids=["an older client's", "a tool's output", "no client's", "a hook's denial", "the client's own"],
)
def test_words_at_a_refusal_are_the_persons_only_where_the_client_says_so(
    words: str, fields: dict[str, str], heard: str
) -> None:
    session = Session()
    refused(session, words, **fields)
    entry = classify_line(session.lines[-1])
    assert entry is not None and entry.text == heard


def refused(session: Session, words: str, **fields: str) -> None:
    """As the client writes it where the person typed something."""
    text = f"The user doesn't want to proceed with this tool use. {host_table('claude-code')['refused_saying']}{words}"
    session.result(text, "t1", is_error=True, toolUseResult=f"Error: {text}", **fields)
