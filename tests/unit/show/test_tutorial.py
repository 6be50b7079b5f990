"""The tutorial's commands, in its order, as processes in a scratch home; and what it shows of `compass try`."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from repository import ROOT
from running.hookrun import Place, denial
from samples.sessions import Session

TEXT = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(sh|text)\n(.*?)^```$", TEXT, re.M | re.S)


class Machine(Place):
    """Nothing of Compass is set but that no service outlives the test."""

    def environment(self) -> dict[str, str]:
        set_already = ("COMPASS_ENABLED", "COMPASS_EVALUATOR__BACKEND")
        return {name: value for name, value in super().environment().items() if name not in set_already}


pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project with history and a recorded session, and a machine that nobody set up: `init` turns the gate on."""
    made = Machine(tmp_path)
    who = ("-c", "user.name=dev", "-c", "user.email=dev@example.com")
    subprocess.run(["git", "init", "-q"], cwd=made.project, check=True)
    for text, message in (
        ("x = 0\n", "Add sum.py"),
        ("total = 0\n", "Rename the variable x to total in sum.py"),
    ):
        (made.project / "sum.py").write_text(text)
        for words in (("add", "sum.py"), (*who, "commit", "-q", "-m", message)):
            subprocess.run(["git", *words], cwd=made.project, check=True)
    recorded = tmp_path / "home/.claude/projects/-your-project"
    recorded.mkdir(parents=True)
    session = Session()
    session.prompt("Create notes.txt that says hello", "p1", cwd=str(made.project))
    session.calls(
        "Write", {"file_path": str(made.project / "notes.txt"), "content": "hello\n"}, cwd=str(made.project)
    )
    session.result("File created")
    session.says("Done.")
    session.write(recorded / "0d3f1a52-0000-4000-8000-000000000000.jsonl")
    return made


def commands() -> list[str]:
    lines = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    return [line.partition("#")[0].strip() for line in lines if line.startswith("compass ")]


def test_try_shows_what_the_tutorial_shows(place: Place) -> None:
    (shown,) = [text for kind, text in BLOCKS if kind == "text"]
    told = place.command("try", stdin=b"2\n").stdout.decode()
    assert "\n".join(shown.splitlines()[:-1]) in told and shown.splitlines()[-1] == "you>"
    assert "It ran: draft-2024.md has been deleted." in told


def test_its_commands_run_one_after_another(place: Place) -> None:
    lines = commands()
    assert [shlex.split(line)[1] for line in lines] == [
        "try", "init", "doctor", "replay", "log", "explain", "status", "hindsight", "calibrate", "init",
    ]  # fmt: skip
    for line in lines:
        words = [word.replace("~", str(place.root / "home")) for word in shlex.split(line)[1:]]
        if words[0] == "log":
            work(place)
        done = place.command(*words, stdin=b"2\n")
        told = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == 0, (line, told)
        assert SAID[words[0]] in told, (line, told)
    assert denial(write(place, "toolu_2")) is None
    settings = place.command("config", "get", "mode").stdout.decode()
    assert "enforce" in settings


SAID = {
    "try": "Compass held back", "init": "Compass is wired into Claude Code", "doctor": "nothing is blocked",
    "replay": "1 session, 1 tool call, 1 write", "log": "notes.txt", "explain": "notes.txt", "status": "observe",
    "hindsight": "1 session",
    "calibrate": "The gate in force",
}  # fmt: skip
"""What tells that a command did its work."""


def work(place: Place) -> None:
    place.say("Create notes.txt that says hello")
    assert denial(write(place, "toolu_1")) is None


def write(place: Place, number: str) -> subprocess.CompletedProcess[bytes]:
    given = {"file_path": str(place.project / "notes.txt"), "content": "hello\n"}
    return place.hook("pre-tool-use", place.payload("Write", given, tool_use_id=number))
