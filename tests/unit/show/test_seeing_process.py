"""The commands that show what the gate did, as processes over checks that real hooks kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from rich.cells import cell_len
from running.hookrun import Place, denial

HOSTILE = "a\x1b]0;own\x07\x1b[2J\u202e\x9b31m.py"
COMMANDS = (
    ["status"],
    ["log"],
    ["log", "--all", "--held"],
    ["explain"],
    ["explain", "01"],
    ["why", "a.py"],
    ["statusline"],
)


def new_place(tmp_path: Path) -> Place:
    return Place(tmp_path, {"COLUMNS": ""})


place = pytest.fixture(new_place, name="place")


def hook(place: Place, event: str, **given: Any) -> None:
    payload = {"session_id": "session-1", "cwd": str(place.project), "hook_event_name": event, **given}
    assert place.hook(event, payload).returncode == 0


def ask(place: Place, *messages: str, prior: str = "") -> None:
    place.say(*messages, prior=prior)
    hook(place, "user-prompt-submit", prompt=messages[-1], prompt_id="prompt-1")


def write(place: Place, name: str, number: str = "toolu_1", *, succeeds: bool = True) -> str | None:
    given = {"file_path": str(place.project / name), "content": "x\n"}
    reason = denial(place.hook("pre-tool-use", place.payload("Write", given, tool_use_id=number)))
    if reason is None and succeeds:
        (place.project / name).write_text("x\n")
        hook(
            place, "post-tool-use", tool_name="Write", tool_input=given, tool_use_id=number, tool_response={}
        )
    return reason


@pytest.fixture(scope="module")
def used_once(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """One write ran, one was held, one needed no judgement."""
    root = tmp_path_factory.mktemp("used") / "root"
    place = new_place(root)
    hook(place, "session-start", source="startup")
    ask(place, "Create notes.txt that says hello")
    assert write(place, "notes.txt") is None
    assert write(place, "poetry.lock", "toolu_2") is None
    ask(place, "Just delete it.", prior="I found two unused files: src/old_auth.py and src/legacy_auth.py.")
    found = place.hook(
        "pre-tool-use", place.payload("Bash", {"command": "rm src/old_auth.py"}, tool_use_id="toolu_3")
    )
    assert denial(found) is not None
    shutil.copytree(root, root.with_name("kept"))
    return place


@pytest.fixture
def used(used_once: Place) -> Iterator[Place]:
    yield used_once
    used_once.env = {"COLUMNS": ""}
    shutil.rmtree(used_once.root)
    shutil.copytree(used_once.root.with_name("kept"), used_once.root)


def lines(place: Place, *words: str) -> list[str]:
    done = place.command(*words)
    assert (done.returncode, done.stderr) == (0, b""), done
    return done.stdout.decode().splitlines()


def document(place: Place, *words: str) -> Any:
    return json.loads("\n".join(lines(place, *words, "--json")))


@corpus("words", COMMANDS, ids=" ".join, each={"place": new_place})
def test_where_nothing_is_recorded_a_command_says_so_and_leaves_nothing_behind(
    place: Place, words: list[str]
) -> None:
    place.state.rmdir()
    done = place.command(*words)
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said
    assert "nothing recorded yet" in said or "no hook has run" in said or "no check '01'" in said
    assert not place.state.exists()


def test_the_log_has_a_line_a_check_in_eighty_columns(used: Place) -> None:
    found = lines(used, "log")
    assert [line.split()[2:4] for line in found] == [
        ["skipped", "notes.txt"], ["skipped", "poetry.lock"], ["held", "src/old_auth.py"],
    ]  # fmt: skip
    assert all(cell_len(line) <= 80 for line in found)
    assert [line.split() for line in lines(used, "log", "-n", "1")] == [found[2].split()]
    held = lines(used, "log", "--held")
    assert held[0].split() == found[2].split() and held[1] == '    you said: "Just delete it."'
    assert "Compass held back: delete src/old_auth.py" in " ".join(line.strip() for line in held[2:])
    assert all(cell_len(line) <= 80 for line in held)
    assert lines(used, "log", "--all") == lines(used, "log", "--project", str(used.project)) == found
    (only,) = [json.loads(line) for line in lines(used, "log", "--held", "--json")]
    assert (only["decision"], only["targets"]) == ("deny", [str(used.project / "src/old_auth.py")])
    assert only["duration_ms"] >= 0


def test_explain_tells_of_this_projects_last_check_and_of_one_by_its_id(used: Place, tmp_path: Path) -> None:
    ids = [json.loads(line)["check_id"] for line in lines(used, "log", "--json")]
    assert document(used, "explain")["check_id"] == ids[-1]
    assert document(used, "explain", ids[0])["check_id"] == ids[0]
    used.env |= {"CLAUDE_PROJECT_DIR": str(tmp_path), "COLUMNS": "1000"}
    done = used.command("explain")
    assert (done.returncode, f"no checks in {tmp_path} yet".encode() in done.stderr) == (1, True)


def test_why_tells_which_request_a_write_came_from(used: Place) -> None:
    (found,) = document(used, "why", "notes.txt")
    assert found["request"][-1] == "Create notes.txt that says hello"
    assert (found["operation"], found["decision"]) == ("create", "allow")
    told = "\n".join(lines(used, "why", str(used.project / "notes.txt")))
    assert "Create notes.txt that says hello" in told and "Write: create (skipped)" in told
    held = used.command("why", "src/old_auth.py")
    assert (held.returncode, b"was held" in held.stderr) == (1, True)


def test_status_counts_what_became_of_the_calls(used: Place) -> None:
    found = document(used, "status")
    assert (found["mode"], found["backend"], found["checks"]) == ("enforce", "embedded", 3)
    assert (found["passed"], found["held"], found["unjudged"]) == (
        0,
        1,
        {"insufficient_context": 1, "skip_glob": 1},
    )
    assert [one["reason"] for one in found["last"]][1] == "skip_glob"
    assert found["holds"] is False and "compass init" in found["faults"][0]
    told = "\n".join(lines(used, "status"))
    assert "but the gate would not work" in told and "compass doctor" in told
    assert "3 checked: 0 passed, 1 held, 2 ran unjudged" in told


def test_status_of_a_wired_project_holds(used: Place) -> None:
    used.env["COMPASS_MODE"] = "enforce"
    assert used.command("init", "--enforce", "--yes").returncode == 0
    found = document(used, "status")
    assert (found["holds"], found["faults"]) == (True, [])
    assert "compass explain" in found["next"]
    assert document(used, "status", str(used.project))["checks"] == 3


def test_what_was_named_reaches_no_terminal_as_a_control(used: Place) -> None:
    ask(used, f"Create {HOSTILE} with x in it")
    write(used, HOSTILE, "toolu_6")
    for words in (["log"], ["status"], ["why", HOSTILE], ["why", f"{HOSTILE}-none"], ["explain", HOSTILE]):
        done = used.command(*words)
        said = (done.stdout + done.stderr).decode().replace("\n", "")
        assert said.isprintable(), words
