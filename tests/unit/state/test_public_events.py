"""The five public event types, each emitted by real hooks and valid against the Onlooker schema."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from running.doubting import clear
from running.hookstart import Json, place, run, valid_events

PRIOR = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
PROCEED, CANCEL = "compass: proceed", "compass: cancel"
TYPES = {f"compass.check.{kind}" for kind in ("passed", "failed", "skipped", "overridden", "canceled")}


class Session:
    """A session whose user types, so that each message is both a prompt and a line of the transcript."""

    def __init__(self, root: Path) -> None:
        self.place = place(root, {"CLAUDE_CODE_SESSION_ATTENDED": "1"})
        self.transcript = root / "transcript.jsonl"
        self.parent: str | None = None
        self.prompts = 0

    def line(self, kind: str, content: object, **extra: object) -> None:
        """One line of the transcript, below the one before it."""
        own = str(uuid.uuid4())
        message = {"role": kind, "content": content}
        whole = {"parentUuid": self.parent, "isSidechain": False, "type": kind, "message": message}
        with self.transcript.open("a") as file:
            file.write(json.dumps(whole | {"uuid": own, "sessionId": "session-1"} | extra) + "\n")
        self.parent = own

    def agent_says(self, text: str) -> None:
        self.line("assistant", [{"type": "text", "text": text}])

    def user_types(self, text: str, *, on_disk: bool = True) -> None:
        self.prompts += 1
        prompt_id = f"prompt-{self.prompts}"
        self.hook("user-prompt-submit", prompt=text)
        if on_disk:
            human = {"origin": {"kind": "human"}, "promptSource": "typed"}
            self.line("user", text, promptId=prompt_id, **human)

    def hook(self, event: str, tool: str = "Write", given: Json | None = None, **extra: object) -> str | None:
        payload = self.place.payload(tool, given, prompt_id=f"prompt-{self.prompts}", **extra)
        ended = run(self.place, event, payload)
        assert ended.stderr == b""
        return ended.reason if event == "pre-tool-use" else None

    def deletes(self, call: str = "toolu_1") -> str | None:
        return self.hook("pre-tool-use", "Bash", {"command": "rm src/old_auth.py"}, tool_use_id=call)

    @property
    def told(self) -> list[str]:
        return [event["event_type"].rpartition(".")[2] for event in valid_events(self.place)]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


@pytest.fixture
def blocked(session: Session) -> Session:
    """The user was vague, and the deletion is held back."""
    session.agent_says(PRIOR)
    session.user_types("Just delete it.")
    assert session.deletes() is not None
    assert session.told == ["failed"]
    return session


def last(session: Session) -> Any:
    return valid_events(session.place)[-1]


def test_all_five_types_come_from_one_day_of_real_hooks(blocked: Session) -> None:
    target = str(blocked.place.project / "src/old_auth.py")
    blocked.user_types(PROCEED)
    assert blocked.deletes() is None
    assert last(blocked)["payload"]["user_acknowledgment"] is True
    assert last(blocked)["payload"]["file_path"] == target
    blocked.hook("post-tool-use", "Bash", {"command": "rm src/old_auth.py"}, tool_use_id="toolu_1")

    blocked.agent_says(PRIOR)
    blocked.user_types("Just delete it.")
    assert blocked.deletes("toolu_2") is not None
    blocked.user_types(CANCEL)
    assert blocked.deletes("toolu_3") is not None
    assert last(blocked)["payload"] == {"file_path": target}

    blocked.place.env |= clear()
    blocked.user_types("Create notes.txt with a line that says hello")
    assert blocked.hook("pre-tool-use") is None
    lock = {"file_path": str(blocked.place.project / "poetry.lock"), "content": "x"}
    assert blocked.hook("pre-tool-use", given=lock) is None
    assert last(blocked)["payload"]["reason"] == "skip_glob"

    assert blocked.told == ["failed", "overridden", "failed", "canceled", "passed", "skipped"]
    events = valid_events(blocked.place)
    assert {event["event_type"] for event in events} == TYPES
    assert [event["sequence"] for event in events] == list(range(6))
    assert {event["session_id"] for event in events} == {"session-1"}
    assert len({event["machine_id"] for event in events}) == 1
    assert {event["runtime"] for event in events} == {"claude-code"}


@pytest.mark.parametrize("word", [PROCEED, CANCEL])
def test_a_control_reply_that_stands_in_no_transcript_resolves_nothing(blocked: Session, word: str) -> None:
    """A process of the agent can run the hook with a forged prompt; it types nothing into the transcript."""
    blocked.user_types(word, on_disk=False)
    assert blocked.deletes("toolu_2") is not None
    assert blocked.told == ["failed"], "denied from memory, which the schema cannot say"


def test_no_event_is_told_of_reads_and_of_a_gate_that_is_off(session: Session) -> None:
    session.user_types("Create notes.txt with a line that says hello")
    session.hook("pre-tool-use", "Read", {"file_path": "/etc/hosts"})
    session.hook("pre-tool-use", "Bash", {"command": "ls -la"})
    session.place.env["COMPASS_ENABLED"] = "false"
    session.hook("pre-tool-use")
    assert session.told == []
