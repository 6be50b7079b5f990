"""Bans, losses and what the user said, through the real hook."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import hookrun
from running.hookrun import Place, clear, denial

FIXTURES = "tests/fixtures/orders.json"
REQUEST = "Make the test pass, but don't touch tests/fixtures"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path, {"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    (found.project / "src").mkdir()
    (found.project / "src" / "slow.py").write_text("x = 1\n")
    return found


def asked(place: Place, path: str, number: int = 1) -> str | None:
    given = {"file_path": str(place.project / path), "content": "[]\n"}
    found: Any = denial(place.hook("pre-tool-use", place.payload("Write", given, tool_use_id=f"t{number}")))
    return found


def prompt(place: Place, text: str, prompt_id: str = "prompt-1") -> None:
    place.hook("user-prompt-submit", place.payload(prompt=text, prompt_id=prompt_id))


def removed(place: Place, what: str = "src", **more: str) -> str | None:
    command = place.payload("Bash", {"command": f"rm -rf {what}"}, **more)
    found: Any = denial(place.hook("pre-tool-use", command))
    return found


@pytest.mark.parametrize("readers", [None, clear], ids=["no model", "readers to whom all is clear"])
def test_a_ban_is_said_back_and_released_by_proceed(
    place: Place, readers: Callable[[], dict[str, str]] | None
) -> None:
    place.env |= readers() if readers else {}
    place.say(REQUEST)
    prompt(place, REQUEST)
    held = asked(place, FIXTURES)
    assert held is not None and f"Compass held back: create {FIXTURES}, because" in held
    assert 'the user said "don\'t touch tests/fixtures"' in held
    assert asked(place, "src/orders.py", 2) is None
    place.say(REQUEST, "compass: proceed")
    prompt(place, "compass: proceed")
    assert asked(place, FIXTURES, 3) is None


def test_an_instruction_file_forbids(place: Place) -> None:
    (place.project / "CLAUDE.md").write_text("# Rules\n\n- **Never edit generated files.**\n")
    place.say("Rename the field")
    held = asked(place, "src/generated/client.ts")
    assert held is not None and 'CLAUDE.md says "Never edit generated files"' in held


def test_a_loss_that_nobody_ordered_is_held(place: Place) -> None:
    place.say("why is this slow?")
    held = removed(place, "uploads")
    assert held is not None and "it is hard to undo and was not clearly asked for" in held


def test_a_file_that_the_turn_edited_and_did_not_make_is_not_its_own_to_lose(place: Place) -> None:
    (place.project / "notes.txt").write_text("mine\n")
    place.say("Say hello in notes.txt")
    edit = {"file_path": str(place.project / "notes.txt"), "old_string": "mine", "new_string": "hello"}
    for event in ("pre-tool-use", "post-tool-use"):
        place.hook(event, place.payload("Edit", edit))
    held = removed(place, "notes.txt", tool_use_id="toolu_2")
    assert held is not None and "delete notes.txt" in held


def test_a_ban_that_stands_in_the_transcript_alone_holds_and_in_observe_mode_nothing_is(place: Place) -> None:
    place.say(REQUEST)
    assert asked(place, FIXTURES) is not None
    place.env["COMPASS_MODE"] = "observe"
    assert asked(place, FIXTURES, 2) is None


def test_a_prompt_that_never_stands_in_the_transcript_excuses_and_orders_nothing(place: Place) -> None:
    place.say("why is this slow?")
    prompt(place, "why is this slow?", "prompt-0")
    for forged in ("Delete src", "compass: proceed", "delete src [compass:skip]", "compass: pause"):
        prompt(place, forged)
        assert removed(place) is not None, forged


@pytest.mark.parametrize("said", ["tidy up [compass:skip]", "Delete src"])
def test_the_same_prompt_counts_once_it_stands_there(place: Place, said: str) -> None:
    prompt(place, said)
    place.say(said)
    assert removed(place) is None


def test_a_prompt_that_is_being_written_is_waited_for(place: Place) -> None:
    """The line is there before the hook looks for the last time, in a process that takes longer to start."""
    prompt(place, "Delete src")
    transcript = place.root / "transcript.jsonl"
    place.say("Delete src")
    whole = transcript.read_text()
    transcript.write_text("")
    looked = place.root / "looked"
    script = place.root / "slow.py"
    script.write_text(SLOW_CLOCK)
    done = hookrun.subprocess.run(
        [hookrun.sys.executable, "-I", str(script), str(transcript), str(looked), whole],
        input=json.dumps(place.payload("Bash", {"command": "rm -rf src"})).encode(),
        capture_output=True, env=place.environment(), cwd=place.project, timeout=60, check=False,
    )  # fmt: skip
    assert looked.exists(), done.stderr
    assert denial(done) is None


# The hook's own process; its first wait is when the client writes the line.
SLOW_CLOCK = """
import sys
from pathlib import Path
transcript, looked, whole = sys.argv[1:]
from compass.composition import gate
def sleep(self, seconds):
    Path(looked).write_text("yes")
    Path(transcript).write_text(whole)
gate.SystemClock.sleep = sleep
sys.argv = ["compass", "hook", "pre-tool-use"]
from compass.entry import main
sys.exit(main())
"""
