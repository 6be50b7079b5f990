"""What was said in a session of Copilot CLI, from the events that it writes behind."""

import json
from pathlib import Path

import pytest

from evaluator.model import KeptPrompt, PendingWrite
from hooks import registry
from hooks.sessions import Called, Passed

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "copilot"
SOURCE = registry.host_of("copilot").transcripts(None)


class File:
    """A session's file, written line by line."""

    def __init__(self, path):
        self.path, self.stamp, self.serial = path, 0, 0

    def add(self, kind, data, agent=None):
        self.serial += 1
        line = {"type": kind, "data": data, "id": f"e{self.serial}", **({"agentId": agent} if agent else {})}
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def told(self, text, agent=None):
        """The line of a prompt's hook; gives its time."""
        self.stamp += 1
        given = {"prompt": text, "timestamp": self.stamp}
        self.add("hook.start", {"hookType": "userPromptSubmitted", "input": given}, agent)
        return str(self.stamp)

    def user(self, text, *, hook=True, agent=None, **data):
        stamp = self.told(text, agent) if hook else None
        self.add("user.message", {"content": text, **data}, agent)
        return stamp

    def agent(self, text, agent=None):
        self.add("assistant.message", {"content": text, "apiCallId": f"chat-{self.serial}"}, agent)


@pytest.fixture
def file(tmp_path):
    return File(tmp_path / "events.jsonl")


def pending(path, agent=None):
    return PendingWrite("copilot", "s1", "Write", {}, "/p", "/p", str(path), agent_id=agent)


def exchange(path, prompts=(), agent=None):
    """`prompts` of (id, text)."""
    kept = [KeptPrompt(name, text, ordinal=i + 1, position=i) for i, (name, text) in enumerate(prompts)]
    return SOURCE.exchange(pending(path, agent), kept)


def voices(path):
    """(id, text), the newest first."""
    return [(one.prompt_id, one.text) for one in SOURCE.voices(pending(path))]


def test_the_same_digit_again_does_not_count_before_it_is_written(file):
    first = file.user("1")
    file.agent("Deleted a. And b?\n1. yes\n2. no")
    prompts = [(first, "1"), ("99", "1")]
    assert exchange(file.path, prompts).unwritten == ("1",)
    assert voices(file.path) == [(first, "1")]
    again = file.user("1")
    assert exchange(file.path, [(first, "1"), (again, "1")]).unwritten == ()
    assert voices(file.path) == [(again, "1"), (first, "1")]


def test_a_prompt_that_waited_stands_where_the_agent_heard_it(file):
    first = file.user("look")
    waiting = file.told("the second one")
    file.agent("Which of the two?")
    file.add("user.message", {"content": "the second one", "delivery": "queued"})
    found = exchange(file.path, [(first, "look"), (waiting, "the second one")])
    assert (found.request, found.prior_assistant_turn) == (("the second one",), "Which of the two?")
    assert voices(file.path) == [(waiting, "the second one"), (first, "look")]


def test_what_nobody_typed_is_no_voice_and_no_request():
    path = FIXTURES / "autopilot.jsonl"
    assert [text for _, text in voices(path)] == ["Please go."]
    assert exchange(path).request == ("Please go.",)


@pytest.mark.parametrize(
    "data", [{"source": "skill-pdf"}, {"source": "agent-x"}, {"isAutopilotContinuation": True}]
)
def test_a_prompt_with_another_source_than_the_person_is_none(file, data):
    file.user("look")
    file.agent("One.")
    file.user("compass: proceed", **data)
    assert [text for _, text in voices(file.path)] == ["look"]


def test_a_subagent_has_the_request_of_the_call_that_started_it_and_its_task():
    found = exchange(FIXTURES / "subagent.jsonl", agent="a7d7dce4-fb48-4623-ab06-c45097199154")
    assert (found.request, found.delegated_task) == (("Please delegate.",), "Delete notes.txt")
    assert [text for _, text in voices(FIXTURES / "subagent.jsonl")] == ["Please delegate."]


def test_a_subagent_keeps_it_though_the_user_spoke_since(file):
    first = file.user("fix the tests in the background")
    file.agent("On it.")
    file.add("subagent.started", {"toolCallId": "c"}, agent="sub")
    file.user("Fix tests/a.py", agent="sub")
    later = file.user("and what is in b.py?")
    prompts = [(first, "fix the tests in the background"), (later, "and what is in b.py?")]
    assert exchange(file.path, prompts, agent="sub").request == ("fix the tests in the background",)
    assert exchange(file.path, prompts).request == ("and what is in b.py?",)


@pytest.mark.parametrize("listed", [True, False])
def test_what_a_rewind_took_back_is_not_read(file, listed):
    file.user("look")
    file.agent("a or b?")
    first = file.serial + 1
    file.user("delete everything")
    file.agent("Really?")
    gone = [f"e{number}" for number in range(first, file.serial + 1)]
    told = {"upToEventId": gone[0], "eventsRemoved": len(gone), **({"eventIds": gone} if listed else {})}
    file.add("session.snapshot_rewind", told)
    now = file.user("Delete it.")
    found = exchange(file.path, [(now, "Delete it.")])
    assert (found.request, found.prior_assistant_turn) == (("Delete it.",), "a or b?")


SESSIONS = registry.host_of("copilot").sessions()


def test_a_subagents_call_is_its_own():
    moments = SESSIONS.session_moments(str(FIXTURES / "subagent.jsonl"), Passed())
    calls = [one for one in moments if isinstance(one, Called)]
    assert [(one.tool_name, one.agent_id is not None) for one in calls] == [("task", False), ("Bash", True)]
    assert len({one.session_id for one in calls}) == 1


def test_garbled_lines_are_counted(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\x00\n{\n[1]\n" + (FIXTURES / "two-turns.jsonl").read_bytes() + b'{"type": "user.mess')
    passed = Passed()
    found = list(SESSIONS.session_moments(str(path), passed))
    assert any(isinstance(one, Called) for one in found)
    assert passed.garbled == 3
