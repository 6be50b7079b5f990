"""Bans and losses through the real hook: told in the user's words, released by them, whoever reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running.doubting import clear
from running.hookrun import Place, denial

FIXTURES = "tests/fixtures/orders.json"
REQUEST = "Make the test pass, but don't touch tests/fixtures"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, {"COMPASS_EVALUATOR__BACKEND": "embedded", "CLAUDE_CODE_SESSION_ATTENDED": "1"})


def asked(place: Place, path: str, number: int = 1) -> str | None:
    given = {"file_path": str(place.project / path), "content": "[]\n"}
    found: Any = denial(place.hook("pre-tool-use", place.payload("Write", given, tool_use_id=f"t{number}")))
    return found


def prompt(place: Place, text: str) -> None:
    place.hook("user-prompt-submit", place.payload(prompt=text, prompt_id="prompt-1"))


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
    payload = place.payload("Bash", {"command": "rm -rf uploads"})
    held = denial(place.hook("pre-tool-use", payload))
    assert held is not None and "it is hard to undo and was not clearly asked for" in held


def test_a_file_that_the_turn_edited_and_did_not_make_is_not_its_own_to_lose(place: Place) -> None:
    (place.project / "notes.txt").write_text("mine\n")
    place.say("Say hello in notes.txt")
    edit = {"file_path": str(place.project / "notes.txt"), "old_string": "mine", "new_string": "hello"}
    for event in ("pre-tool-use", "post-tool-use"):
        place.hook(event, place.payload("Edit", edit))
    removal = place.payload("Bash", {"command": "rm notes.txt"}, tool_use_id="toolu_2")
    held = denial(place.hook("pre-tool-use", removal))
    assert held is not None and "delete notes.txt" in held


def test_a_ban_that_stands_in_the_transcript_alone_holds_and_in_observe_mode_nothing_is(place: Place) -> None:
    place.say(REQUEST)
    assert asked(place, FIXTURES) is not None
    place.env["COMPASS_MODE"] = "observe"
    assert asked(place, FIXTURES, 2) is None
