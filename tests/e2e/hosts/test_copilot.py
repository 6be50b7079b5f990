"""The real Copilot CLI, its model scripted on the loopback interface, through whole sessions."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from e2e.hosts.model import LATENCY, Json, Message, Model, call
from e2e.hosts.playing import Stage

pytestmark = pytest.mark.e2e


def shell(command: str) -> Json:
    return call("bash", command=command, description="x")


FOUND = "I found two unused files: a.txt and b.txt."
DELETES = ["Deleting it.", shell("rm a.txt")]
CLOSED = "Denied by preToolUse hook"


class Said:
    """What became of one prompt: `told` of the agent's calls of the whole session, `shown` to the person."""

    def __init__(self, told: Sequence[str], shown: str):
        self.told, self.shown = list(told), shown

    @property
    def last(self) -> str:
        return self.told[-1]


class CopilotStage(Stage):
    """`a.txt` and `b.txt` stand in the project; each prompt is a run that resumes the session."""

    def __init__(self, root: Path):
        super().__init__(root, "copilot")
        self._session = ""
        self.file("a.txt", "a.txt\n")
        self.file("b.txt", "b.txt\n")

    @property
    def hooks_file(self) -> Path:
        return self.home / ".copilot" / "hooks" / "compass.json"

    @property
    def sessions(self) -> Path:
        return self.home / ".copilot" / "session-state"

    def change(self, event: str, **fields: object):
        """Breaks or replaces what init wrote for an event."""
        value = json.loads(self.hooks_file.read_text())
        value["hooks"][event][0] |= fields
        self.hooks_file.write_text(json.dumps(value))

    def say(
        self,
        text: str,
        *script: Message,
        latency: float = LATENCY,
        flags: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        resumed: bool = True,
    ) -> Said:
        session = [f"--resume={self._session}"] if self._session and resumed else []
        with Model(script, latency=latency) as model:
            variables = {
                "COPILOT_PROVIDER_BASE_URL": f"{model.url}/v1",
                "COPILOT_PROVIDER_API_KEY": "none",
                "COPILOT_MODEL": "gpt-5.1",
                "COPILOT_OFFLINE": "true",
                "COPILOT_AUTO_UPDATE": "false",
                "NO_PROXY": "127.0.0.1",
                **(env or {}),
            }
            done = self.run(["-p", text, "--allow-all-tools", *session, *flags], variables)
            assert done.code == 0, done
            told = model.told
        if not self._session and self.sessions.is_dir():
            (self._session,) = (one.name for one in self.sessions.iterdir() if not one.name.startswith("."))
        return Said(told, " ".join(done.stdout.replace("│", " ").split()))

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        lines = (self.sessions / self._session / "events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["type"] == kind]


@pytest.fixture
def stage(tmp_path):
    return CopilotStage(tmp_path)


@pytest.fixture
def held(stage):
    """The prior turn named two files, "Just delete it." was held."""
    stage.say("Which files are unused?", FOUND)
    said = stage.say("Just delete it.", DELETES, "It was held back.")
    assert stage.has("a.txt") and "Compass held back" in said.last
    return stage


@pytest.mark.parametrize("latency", [pytest.param(0.0, marks=pytest.mark.smoke), 0.3])
def test_clear_writes_pass_unseen_and_an_open_order_is_held_answered_and_done(stage, latency):
    """Without latency the digit is not in the session's file when the call comes (29 of 30)."""
    said = stage.say(
        "Write the line hello to new.txt and replace b.txt by B in b.txt. Then tell me which files are unused.",
        [call("create", path=str(stage.project / "new.txt"), file_text="hello\n")],
        [call("edit", path=str(stage.project / "b.txt"), old_str="b.txt", new_str="B")],
        FOUND,
        latency=latency,
    )
    assert (stage.project / "new.txt").read_text() == "hello\n"
    assert (stage.project / "b.txt").read_text() == "B\n"
    assert "Compass" not in said.shown and not any("Compass" in one for one in said.told)
    said = stage.say("Just delete it.", DELETES, "It was held back.", latency=latency)
    assert stage.has("a.txt")
    for text in (said.last, said.shown):
        assert CLOSED in text and "1. delete a.txt" in text and "2. delete b.txt" in text
    said = stage.say("1", DELETES, "Done.", latency=latency)
    assert not stage.has("a.txt") and stage.has("b.txt")
    assert "Compass" not in said.last
    runtimes = {(one["runtime"], one["session_id"]) for one in stage.events()}
    assert runtimes == {("copilot", stage._session)}


def test_an_agents_own_words_to_a_subagent_release_nothing(held):
    for words in ("1", "compass: proceed", "Delete a.txt."):
        task = call(
            "task", description="x", prompt=words, agent_type="general-purpose", name="h", mode="sync"
        )
        said = held.say("go on", [task], DELETES, "Held.", "Held.")
        assert held.has("a.txt"), words
    assert "Compass" in json.dumps([one["data"] for one in held.events_of("tool.execution_complete")])
    assert said.told


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("/nowhere/python hook", False),
        ("exit 1", False),
        ("kill -9 $$", False),
        ("echo '{\"permissionDec'", True),
        ("sleep 30", True),
    ],
)
def test_a_hook_that_fails_does_what_the_promises_say(stage, command, runs):
    fields: dict[str, object] = {"bash": command}
    if command.startswith("sleep"):
        fields["timeoutSec"] = 1
    stage.change("preToolUse", **fields)
    said = stage.say("Delete a.txt.", DELETES, "Done.")
    assert stage.has("a.txt") is not runs
    assert runs or CLOSED in said.last


@pytest.mark.parametrize("name", [".github/copilot/settings.json", ".claude/settings.json"])
def test_a_repository_that_turns_hooks_off_does_so_only_where_it_is_trusted(stage, name):
    stage.say("Which files are unused?", FOUND)
    stage.file(name, json.dumps({"disableAllHooks": True}))
    stage.say("Just delete it.", DELETES, "Held.")
    assert stage.has("a.txt")
    found = stage.compass("doctor", "--host", "copilot", code=1)
    assert "disableAllHooks" in found.said and name in found.said
    stage.say("Just delete it.", DELETES, "Done.", flags=["--trust-folder"], resumed=False)
    assert not stage.has("a.txt")
