"""Self-protection through the real hook: first of all, in both modes, whatever would let the call pass."""

import json
import os
import sys
from pathlib import Path

import pytest
from running.guarded import furnish
from running.hookrun import Place, denial

REFUSED = "Compass does not let an agent do this"
QUESTION = "why is this slow?"
PREFIX = str(Path(sys.executable).parent.parent)
ATTEMPTS = (
    "ln -s ../.claude dist/zz && echo '{}' > dist/zz/settings.local.json",
    "ln -s $ONLOOKER_DIR/compass dist/state && rm dist/state/compass.db",
    f"sed -i s/home/x/ {PREFIX}/pyvenv.cfg",
    'valgrind rm -rf "$ONLOOKER_DIR/compass"',
)
"""One of each kind; `test_protected_places` and `test_protected_lines` have the others."""


@pytest.fixture(params=["observe", pytest.param("enforce", marks=pytest.mark.full)])
def place(tmp_path, request):
    place = Place(tmp_path, {"COMPASS_MODE": request.param})
    furnish(place.root / "home", place.project, place.state / "compass")
    os.remove(place.state / "compass" / "compass.db")
    place.say(QUESTION)
    return place


def bash(place, command, **extra):
    return denial(place.hook("pre-tool-use", place.payload("Bash", {"command": command}, **extra)))


def test_it_is_denied_in_every_mode(place):
    for command in ATTEMPTS:
        if "compass.db" in command:
            (place.state / "compass" / "compass.db").touch()
        assert REFUSED in (bash(place, command) or ""), command


def test_what_an_earlier_call_linked_is_denied_for_every_tool(place):
    for path in ("hardlinked.json", "linked/settings.json"):
        given = {"file_path": str(place.project / path), "content": "{}"}
        assert REFUSED in (denial(place.hook("pre-tool-use", place.payload("Write", given))) or "")


def test_a_tool_that_is_not_gated_is_looked_at(place):
    given = {"path": str(place.state / "compass" / "settings.json"), "content": "{}"}
    tool = "mcp__filesystem__write_file"
    assert REFUSED in (denial(place.hook("pre-tool-use", place.payload(tool, given))) or "")
    reading = place.payload("mcp__filesystem__read_file", {"path": given["path"]})
    assert denial(place.hook("pre-tool-use", reading)) is None


def test_neither_a_pause_nor_the_sentinel_nor_a_glob_comes_before_it(place):
    place.say("[compass:skip] do it")
    given = {"file_path": str(place.project / "dist" / "zz" / "settings.local.json"), "content": "{}"}
    os.symlink("../.claude", place.project / "dist" / "zz")
    assert REFUSED in (denial(place.hook("pre-tool-use", place.payload("Write", given))) or "")
    assert REFUSED in (bash(place, "rm -rf .claude") or "")


def test_with_the_gate_off_nothing_is_looked_at(tmp_path):
    place = Place(tmp_path, {"COMPASS_ENABLED": "false"})
    furnish(place.root / "home", place.project, place.state / "compass")
    assert bash(place, "rm -rf .claude") is None


def test_the_user_may_allow_it(place):
    prompt = "compass: proceed settings"
    place.say(prompt)
    submitted = place.payload() | {"prompt": prompt}
    place.hook("user-prompt-submit", json.dumps(submitted).encode())
    assert REFUSED not in (bash(place, "chmod 600 .claude/settings.local.json") or "")
