"""`compass doctor` on the wiring: settings files, entries of init, the plugin, and tools that no hook or row gates."""

import json
import os
import sys
from pathlib import Path

import pytest
from corpora import corpus
from running import ownhome
from running.ownhome import BY_POLICY, LOCAL, change, read

from compass.cli import main
from evaluator.trigger.tool_names import only_reads
from hooks.entries import hook_command, read_settings
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()

home, project, doctor, wire = ownhome.home, ownhome.project, ownhome.doctor, ownhome.wire


def handler(hooks):
    (found,) = hooks["PreToolUse"][0]["hooks"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda hooks: hooks.pop("PreToolUse"), "does not wire PreToolUse"),
        (lambda hooks: hooks.pop("UserPromptSubmit"), "does not wire UserPromptSubmit"),
        (lambda hooks: hooks.pop("PostToolUse"), "does not wire PostToolUse"),
        (lambda hooks: handler(hooks).update(timeout=5), "timeout"),
        (lambda hooks: handler(hooks).update(timeout=20), "timeout"),
        (lambda hooks: handler(hooks).update({"async": True}), "an entry with fields other than"),
        (lambda hooks: handler(hooks).update(type="prompt", prompt="x"), "an entry with fields other than"),
        (lambda hooks: handler(hooks).pop("onFailure"), "onFailure must be block"),
        (lambda hooks: hooks["PreToolUse"][0].update(matcher="Write|Edit"), "does not match"),
        (lambda hooks: replaced(hooks, sys.executable, "/nowhere/python"), "/nowhere/python"),
        (lambda hooks: replaced(hooks, "__main__.py", "gone/compass/__main__.py"), "is missing"),
        (lambda hooks: replaced(hooks, " -I ", " "), "without -I"),
        (
            lambda hooks: replaced(hooks, "--wired closed", "--wired open"),
            "its policy would be open; mode and error_policy require closed",
        ),
        (lambda hooks: handler(hooks).pop("statusMessage"), ""),
        (lambda hooks: handler(hooks).update(timeout=25), ""),
    ],
)
def test_entries_by_which_the_gate_would_not_hold_fail_and_others_are_noted(doctor, project, edit, said):
    main(["init", "--enforce", "--json"])
    assert not doctor()["hooks wired"]["warns"]
    path = project / ownhome.LOCAL
    settings = json.loads(path.read_text(encoding="utf-8"))
    edit(settings["hooks"])
    path.write_text(json.dumps(settings), encoding="utf-8")
    found = doctor()["hooks wired"]
    assert (found["ok"], found["warns"]) == (not said, not said)
    assert "differs from what `compass init` writes" in found["detail"] and said in found["detail"]


def replaced(hooks, old, new):
    assert old in handler(hooks)["command"]
    handler(hooks)["command"] = handler(hooks)["command"].replace(old, new)


def test_hooks_turned_off_by_any_settings_file_are_named(wire, doctor, project):
    wire(BY_POLICY)
    assert doctor()["hooks enabled"]["ok"]
    theirs = project / ".claude" / "settings.json"
    theirs.write_text('{"disableAllHooks": true}', encoding="utf-8")
    found = doctor()["hooks enabled"]
    assert not found["ok"] and "settings.json" in found["detail"]
    theirs.unlink()
    Path(HOST.setup().table.managed_file).write_text('{"allowManagedHooksOnly": true}', encoding="utf-8")
    assert not doctor()["hooks enabled"]["ok"]


def test_an_entry_that_makes_the_host_drop_the_file_is_named(wire, doctor, project):
    path = wire(BY_POLICY)
    settings = json.loads(path.read_text(encoding="utf-8"))
    command = {"type": "command", "command": "x"}
    bad = ({"type": "shell", "command": "x"}, {"type": "command"}, {**command, "timeout": -1},
           {**command, "onFailure": "stop"}, "x")  # fmt: skip
    groups = [{"matcher": "Read", "hooks": [handler]} for handler in bad]
    assert [one for one in groups if not SETUP.fatal_entries({"hooks": {"PreToolUse": [one]}})] == []
    settings["hooks"]["PreToolUse"].append(groups[0])
    path.write_text(json.dumps(settings), encoding="utf-8")
    (project / ".claude" / "settings.json").write_text("{// comment\n}", encoding="utf-8")
    found = doctor()["settings files"]
    assert not found["ok"] and "hooks.PreToolUse[1]" in found["detail"]
    assert ".claude/settings.json: not JSON" in found["detail"]


def test_the_plugin_is_found_wired_by_its_record(doctor, home, tmp_path):
    main(["init", "--plugin", "--enforce"])
    assert "by the plugin" in doctor()["hooks wired"]["detail"]
    interpreter = home / ".onlooker" / "compass" / "interpreter"
    lines = interpreter.read_text(encoding="utf-8").splitlines()
    interpreter.write_text("\n".join([str(tmp_path / "gone"), *lines[1:], ""]), encoding="utf-8")
    found = doctor()
    assert not found["hooks wired"]["ok"] and not found["hook runs"]["ok"]
    interpreter.write_text("\n".join([lines[0], lines[1], "open", ""]), encoding="utf-8")
    assert not doctor()["hooks wired"]["ok"], "its policy is open"


def test_tools_that_the_plugin_cannot_gate_are_named(doctor, home):
    main(["init", "--plugin"])
    (home / ".claude").mkdir()
    settings = home / ".claude" / "settings.json"
    settings.write_text('{"compass": {"gate": {"mcp_tools": {"mcp__a__write": "path"}}}}', encoding="utf-8")
    assert doctor()["hooks wired"]["ok"], "its table names every tool of every server"
    settings.write_text('{"compass": {"gate": {"mcp_tools": {"SomeTool": "path"}}}}', encoding="utf-8")
    found = doctor()["hooks wired"]
    assert not found["ok"] and "SomeTool" in found["detail"]


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_project_that_turns_the_plugin_off_is_named(doctor, home, project, name):
    for folder, on in ((home, "true"), (project, "false")):
        (folder / ".claude").mkdir(exist_ok=True)
        path = folder / ".claude" / ("settings.json" if folder == home else name)
        path.write_text(f'{{"enabledPlugins": {{"compass@somewhere": {on}, "other@x": true}}}}')
    main(["init", "--plugin"])
    found = doctor()["hooks wired"]
    assert not found["ok"] and f".claude/{name} turns the plugin off" in found["detail"]


def test_the_plugin_stands_back_only_where_settings_really_wire_the_event(wire, tmp_path):
    path = wire(BY_POLICY)
    script = tmp_path / "a stand-in" / "compass" / "__main__.py"
    commands = frozenset((hook_command(sys.executable, str(script), "pre-tool-use"),))

    def second(event="PreToolUse", tool="Write"):
        found = read_settings(str(path))
        return isinstance(found, dict) and SETUP.is_called(found, event, tool, commands)

    assert second()
    assert not second("Stop")
    assert second(tool="mcp__files__write")
    assert not second(tool="Read")
    assert not second(tool="mcp__files__write\n")
    change(path, disableAllHooks=True)
    assert not second()
    change(path, disableAllHooks=False)
    settings = json.loads(path.read_text(encoding="utf-8"))
    for event, stands in (("SessionEnd", True), ("PreToolUse", False)):
        settings["hooks"][event].append({"hooks": [{"type": "bogus"}]})
        path.write_text(json.dumps(settings), encoding="utf-8")
        assert second() is stands, "of PreToolUse, the host drops such a file"
    path.write_text("{", encoding="utf-8")
    assert not second()


def test_a_settings_file_larger_than_the_bound_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("hooks.entries.BYTES_MAX", 10)
    path = tmp_path / "settings.json"
    path.write_text('{"a": "0123456789"}', encoding="utf-8")
    assert "larger" in str(read_settings(str(path)))


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """What is said is looked for in whole sentences."""
    monkeypatch.setenv("COLUMNS", "1000")


def use(tool, **given):
    block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}
    return {"type": "assistant", "uuid": "u", "message": {"id": "m", "role": "assistant", "content": [block]}}


def session(home, project, *lines, name="one.jsonl"):
    path = Path(HOST.sessions_folder(str(home), str(project))) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_tools_that_may_write_are_named(wire, doctor, home, project):
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


def test_a_known_writer_that_no_hook_sees_is_a_fault_and_init_again_mends_it(doctor, home, project):
    main(["init", "--enforce", "--json"])
    hooks = read(project / LOCAL)["hooks"]
    for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):  # as 0.1.0 wrote them
        hooks[event][0]["matcher"] = "Write|Edit|MultiEdit|NotebookEdit|Bash"
    change(project / LOCAL, hooks=hooks)
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


def test_garbage_in_the_folder_of_sessions_is_passed_over(wire, doctor, home, project):
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
def test_an_mcp_tool_is_taken_at_its_name(tool):
    assert only_reads(tool) is (tool in READING)
