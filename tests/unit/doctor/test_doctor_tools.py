"""`compass doctor` on tools that may write and that no hook, or no row, gates, and an older matcher upgraded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running import ownhome
from running.ownhome import BY_POLICY, LOCAL, Doctor, Initialized, Wire, read

from compass.cli import main
from evaluator.trigger.tool_names import only_reads
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import matcher_of

SETUP = HOST.setup()
own_handlers = SETUP.own_handlers
sessions_folder = HOST.sessions_folder


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """What is said is looked for in whole sentences."""
    monkeypatch.setenv("COLUMNS", "1000")


home, project, doctor, wire = ownhome.home, ownhome.project, ownhome.doctor, ownhome.wire
here = ownhome.here
OLD = "Write|Edit|MultiEdit|NotebookEdit|Bash"
"""The PreToolUse matcher of 0.1.0."""


def use(tool: str, **given: object) -> dict[str, Any]:
    block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}
    return {"type": "assistant", "uuid": "u", "message": {"id": "m", "role": "assistant", "content": [block]}}


def session(home: Path, project: Path, *lines: object, name: str = "one.jsonl") -> Path:
    folder = Path(sessions_folder(str(home), str(project)))
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def narrowed(path: Path) -> None:
    """The entries as 0.1.0 wrote them."""
    settings = read(path)
    for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        settings["hooks"][event][0]["matcher"] = OLD
    path.write_text(json.dumps(settings), encoding="utf-8")


def test_tools_that_may_write_are_named(wire: Wire, doctor: Doctor, home: Path, project: Path) -> None:
    wire(BY_POLICY)
    assert doctor()["tools"]["detail"].startswith("0 seen")
    session(
        home, project,
        use("mcp__odd__keep_all", note="x", path="a"), use("mcp__odd__keep_all", path="b"), use("SomeTool", what="x"),
        use("mcp__odd__ran_it", command="ls"), use("mcp__odd__get_things", id="1"), use("Read", file_path="a"),
        use("Agent", prompt="x"), use("mcp__filesystem__write_file", path="a", content="b"),
        use("Write", file_path="a"),
    )  # fmt: skip
    found = doctor()["tools"]
    assert (found["ok"], found["warns"]) == (True, True)
    assert found["detail"].startswith("not gated: SomeTool, mcp__odd__keep_all, mcp__odd__ran_it; ")
    (own,) = (home / ".onlooker" / "compass").glob("*/settings.json")
    rows = {"SomeTool": "what", "mcp__odd__keep_all": "path", "mcp__odd__ran_it": "shell:command"}
    own.write_text(json.dumps({**read(own), "gate": {"mcp_tools": rows}}), encoding="utf-8")
    assert "does not see SomeTool: run" in doctor()["tools"]["detail"], "no hook sees it yet"
    main(["init", "--enforce", "--json"])
    mended = doctor()
    assert (mended["tools"]["ok"], mended["tools"]["warns"]) == (True, False)
    assert mended["hooks wired"]["ok"]


def test_a_known_writer_that_no_hook_sees_is_a_fault_and_init_again_mends_it(
    doctor: Doctor, home: Path, project: Path
) -> None:
    main(["init", "--enforce", "--json"])
    narrowed(project / LOCAL)
    found = doctor()
    assert found["tools"]["ok"], "nobody called one yet"
    assert (found["hooks wired"]["ok"], found["hooks wired"]["warns"]) == (True, True)
    assert "but the gate still works" in found["hooks wired"]["detail"]
    moves = use("mcp__filesystem__move_file", source="a", destination="b")
    session(home, project, moves, use("CronCreate", prompt="x"))
    broken = doctor()["tools"]
    assert not broken["ok"]
    assert "does not see CronCreate, mcp__filesystem__move_file" in broken["detail"]
    main(["init", "--enforce", "--json"])
    mended = doctor()
    assert mended["tools"]["ok"]
    assert (mended["hooks wired"]["ok"], mended["hooks wired"]["warns"]) == (True, False)


@pytest.mark.parametrize("foreign", [False, True])
def test_init_again_upgrades_the_entries_of_0_1_0_in_place(here: Initialized, foreign: bool) -> None:
    here.init("--enforce")
    path = here.local
    narrowed(path)
    linter = {"type": "command", "command": "true"}
    settings = read(path)
    if foreign:
        settings["hooks"]["PreToolUse"][0]["hooks"].insert(0, linter)
        path.write_text(json.dumps(settings), encoding="utf-8")
    here.init()
    after = read(path)
    own = {event: matcher for event, matcher, _ in own_handlers(after)}
    assert len(own_handlers(after)) == len(own)
    for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        assert own[event] == matcher_of(event)
    neighbour = {"matcher": OLD, "hooks": [linter]}
    assert (neighbour in after["hooks"]["PreToolUse"]) is foreign, "a neighbour keeps its own"
    here.init("--uninstall")
    left = read(path) if path.exists() else {}
    assert left == ({"hooks": {"PreToolUse": [neighbour]}} if foreign else {})


def test_garbage_in_the_folder_of_sessions_is_passed_over(
    wire: Wire, doctor: Doctor, home: Path, project: Path
) -> None:
    wire(BY_POLICY)
    good = session(home, project, use("mcp__odd__keep_all", path="a"))
    garbage = b'{"tool_use"\n\x00\xff"tool_use"' + b"[" * 100_000 + b'\n{"type": "tool_use"'
    (good.parent / "two.jsonl").write_bytes(garbage)
    (good.parent / "three.jsonl").mkdir()
    os.mkfifo(good.parent / "four.jsonl")
    (good.parent / "five.jsonl").symlink_to(good.parent / "nowhere")
    session(home, project, use("mcp__odd__\u202eevil\x1b[31m\n", path="a"), name="six.jsonl")
    detail = doctor()["tools"]["detail"]
    assert "keep_all" in detail
    assert detail.isprintable()


READING = [
    "mcp__github__get_file_contents", "mcp__github__search_code", "mcp__x__readFile", "mcp__x__listAll",
    "mcp__context7__resolve-library-id", "mcp__context7__query-docs", "mcp__git__git_status",
    "mcp__playwright__browser_snapshot", "mcp__x__browse_page", "mcp__x__take_screenshot", "mcp__x__count_rows",
    "mcp__x__get_commit", "mcp__x__list_trash", "mcp__x__show_create_table", "mcp__compass__check_write",
    "mcp__x__list__users",
]  # fmt: skip
WRITING = [
    "mcp__playwright__browser_click", "mcp__x__save", "mcp__x__getaway", "mcp__x__listen_and_write",
    "mcp__x__readjust", "mcp__x__reset_list", "mcp__x__delete_search", "mcp__x__update_status",
    "mcp__x__read_and_send", "mcp__x__search_replace", "mcp__x__check_and_write", "mcp__x__query_db__run",
    "mcp__x__delete__list", "mcp__x__readWriteFile",
]  # fmt: skip


@corpus("tool", READING + WRITING)
def test_an_mcp_tool_is_taken_at_its_name(tool: str) -> None:
    assert only_reads(tool) is (tool in READING)
