"""The real Copilot CLI, its model scripted on the loopback interface, through whole sessions."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from e2e.hosts.playing import Ended, Message, Model, Stage, call

pytestmark = pytest.mark.e2e


DELETES = ["Deleting it.", call("bash", command="rm a.txt", description="x")]
CLOSED = "Denied by preToolUse hook"


class Copilot(Stage):
    """Each prompt is a run that resumes the session."""

    def __init__(self, root: Path, model: Model):
        super().__init__(root, "copilot", model)
        self._session = ""
        self.environment |= {
            "COPILOT_PROVIDER_BASE_URL": f"{model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "gpt-5.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        }

    @property
    def sessions(self) -> Path:
        return self.home / ".copilot" / "session-state"

    def change(self, event: str, **fields: object):
        """Breaks or replaces what init wrote for an event."""
        file = self.home / ".copilot" / "hooks" / "compass.json"
        value = json.loads(file.read_text())
        value["hooks"][event][0] |= fields
        file.write_text(json.dumps(value))

    def say(self, prompt: str, *script: Message, flags: Sequence[str] = (), resumed: bool = True) -> Ended:
        self.model.play(*script)
        session = [f"--resume={self._session}"] if self._session and resumed else []
        done = self.run(["-p", prompt, "--allow-all-tools", *session, *flags])
        assert done.code == 0, done
        if not self._session and self.sessions.is_dir():
            (self._session,) = (one.name for one in self.sessions.iterdir() if not one.name.startswith("."))
        return replace(done, stdout=" ".join(done.stdout.replace("│", " ").split()))


@pytest.fixture
def stage(tmp_path, model):
    return Copilot(tmp_path, model)


@pytest.mark.parametrize("latency", [pytest.param(0.0, marks=pytest.mark.smoke), 0.3])
def test_clear_writes_pass_unseen_and_an_open_order_is_held_answered_and_done(stage, latency):
    """Without latency the digit is not in the session's file when the call comes (29 of 30)."""
    stage.model.latency = latency
    said = stage.say(
        "Write the line hello to new.txt and replace b.txt by B in b.txt.",
        [call("create", path=str(stage.project / "new.txt"), file_text="hello\n")],
        [call("edit", path=str(stage.project / "b.txt"), old_str="b.txt", new_str="B")],
    )
    assert (stage.project / "new.txt").read_text() == "hello\n"
    assert (stage.project / "b.txt").read_text() == "B\n"
    assert "Compass" not in said.stdout and not any("Compass" in one for one in said.told)
    said = stage.hold(DELETES)
    for text in (said.told[-1], said.stdout):
        assert CLOSED in text and "1. delete a.txt" in text and "2. delete b.txt" in text
    said = stage.say("1", DELETES, "Done.")
    assert not stage.has("a.txt") and stage.has("b.txt")
    assert "Compass" not in said.told[-1]
    runtimes = {(one["runtime"], one["session_id"]) for one in stage.events()}
    assert runtimes == {("copilot", stage._session)}


def test_an_agents_own_words_to_a_subagent_release_nothing(stage):
    assert "Compass held back" in stage.hold(DELETES).told[-1]
    for words in ("1", "compass: proceed", "Delete a.txt."):
        asked = {
            "description": "x", "prompt": words, "agent_type": "general-purpose", "name": "h", "mode": "sync",
        }  # fmt: skip
        said = stage.say("go on", [call("task", **asked)], DELETES, "Held.", "Held.")
        assert stage.has("a.txt") and said.told, words
    events = map(json.loads, (stage.sessions / stage._session / "events.jsonl").read_text().splitlines())
    ends = [event["data"] for event in events if event["type"] == "tool.execution_complete"]
    assert "Compass" in json.dumps(ends)


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
    assert runs or CLOSED in said.told[-1]


@pytest.mark.parametrize("name", [".github/copilot/settings.json", ".claude/settings.json"])
def test_a_repository_that_turns_hooks_off_does_so_only_where_it_is_trusted(stage, name):
    stage.look()
    stage.file(name, json.dumps({"disableAllHooks": True}))
    stage.say("Just delete it.", DELETES, "Held.")
    assert stage.has("a.txt")
    found = stage.compass("doctor", "--host", "copilot", code=1)
    assert "disableAllHooks" in found.said and name in found.said
    stage.say("Just delete it.", DELETES, "Done.", flags=["--trust-folder"], resumed=False)
    assert not stage.has("a.txt")
