"""`compass doctor` on the wiring: what the host makes of the settings files, of init's entries and of the plugin."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import ownhome
from running.ownhome import BY_POLICY, Doctor, Wire, change

from compass.cli import main
from hooks.entries import hook_command, read_settings
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()

home, project, doctor, wire = ownhome.home, ownhome.project, ownhome.doctor, ownhome.wire


def handler(hooks: dict[str, Any]) -> dict[str, Any]:
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
def test_entries_by_which_the_gate_would_not_hold_fail_and_others_than_init_writes_are_noted(
    doctor: Doctor, project: Path, edit: Callable[[dict[str, Any]], object], said: str
) -> None:
    main(["init", "--enforce", "--json"])
    assert not doctor()["hooks wired"]["warns"]
    path = project / ownhome.LOCAL
    settings = json.loads(path.read_text(encoding="utf-8"))
    edit(settings["hooks"])
    path.write_text(json.dumps(settings), encoding="utf-8")
    found = doctor()["hooks wired"]
    assert (found["ok"], found["warns"]) == (not said, not said)
    assert "differs from what `compass init` writes" in found["detail"] and said in found["detail"]


def replaced(hooks: dict[str, Any], old: str, new: str) -> None:
    assert old in handler(hooks)["command"]
    handler(hooks)["command"] = handler(hooks)["command"].replace(old, new)


def test_hooks_turned_off_by_any_settings_file_are_named(wire: Wire, doctor: Doctor, project: Path) -> None:
    wire(BY_POLICY)
    assert doctor()["hooks enabled"]["ok"]
    theirs = project / ".claude" / "settings.json"
    theirs.write_text('{"disableAllHooks": true}', encoding="utf-8")
    found = doctor()["hooks enabled"]
    assert not found["ok"]
    assert "settings.json" in found["detail"]
    theirs.unlink()
    Path(HOST.setup().table.managed_file).write_text('{"allowManagedHooksOnly": true}', encoding="utf-8")
    assert not doctor()["hooks enabled"]["ok"]


BAD_HANDLERS: list[Any] = [
    {"type": "shell", "command": "x"},
    {"type": "command"},
    {"type": "command", "command": "x", "timeout": -1},
    {"type": "command", "command": "x", "onFailure": "stop"},
    "x",
]


def test_an_entry_that_makes_the_host_drop_the_file_is_named(
    wire: Wire, doctor: Doctor, project: Path
) -> None:
    path = wire(BY_POLICY)
    settings = json.loads(path.read_text(encoding="utf-8"))
    groups = [{"matcher": "Read", "hooks": [handler]} for handler in BAD_HANDLERS]
    assert [one for one in groups if not SETUP.fatal_entries({"hooks": {"PreToolUse": [one]}})] == []
    settings["hooks"]["PreToolUse"].append(groups[0])
    path.write_text(json.dumps(settings), encoding="utf-8")
    (project / ".claude" / "settings.json").write_text("{// comment\n}", encoding="utf-8")
    found = doctor()["settings files"]
    assert not found["ok"]
    assert "hooks.PreToolUse[1]" in found["detail"]
    assert ".claude/settings.json: not JSON" in found["detail"]


def test_the_plugin_is_found_wired_by_its_record(doctor: Doctor, home: Path, tmp_path: Path) -> None:
    main(["init", "--plugin", "--enforce"])
    assert "by the plugin" in doctor()["hooks wired"]["detail"]
    interpreter = home / ".onlooker" / "compass" / "interpreter"
    lines = interpreter.read_text(encoding="utf-8").splitlines()
    interpreter.write_text("\n".join([str(tmp_path / "gone"), *lines[1:], ""]), encoding="utf-8")
    found = doctor()
    assert not found["hooks wired"]["ok"]
    assert not found["hook runs"]["ok"]
    interpreter.write_text("\n".join([lines[0], lines[1], "open", ""]), encoding="utf-8")
    assert not doctor()["hooks wired"]["ok"], "its policy is open"


def test_tools_that_the_plugin_cannot_gate_are_named(doctor: Doctor, home: Path) -> None:
    main(["init", "--plugin"])
    (home / ".claude").mkdir()
    settings = home / ".claude" / "settings.json"
    settings.write_text('{"compass": {"gate": {"mcp_tools": {"mcp__a__write": "path"}}}}', encoding="utf-8")
    assert doctor()["hooks wired"]["ok"], "its table names every tool of every server"
    settings.write_text('{"compass": {"gate": {"mcp_tools": {"SomeTool": "path"}}}}', encoding="utf-8")
    found = doctor()["hooks wired"]
    assert not found["ok"]
    assert "SomeTool" in found["detail"]


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_project_that_turns_the_plugin_off_is_named(
    doctor: Doctor, home: Path, project: Path, name: str
) -> None:
    for folder, on in ((home, "true"), (project, "false")):
        (folder / ".claude").mkdir(exist_ok=True)
        path = folder / ".claude" / ("settings.json" if folder == home else name)
        path.write_text(f'{{"enabledPlugins": {{"compass@somewhere": {on}, "other@x": true}}}}')
    main(["init", "--plugin"])
    found = doctor()["hooks wired"]
    assert not found["ok"]
    assert f".claude/{name} turns the plugin off" in found["detail"]


def test_the_plugin_stands_back_only_where_settings_really_wire_the_event(wire: Wire, tmp_path: Path) -> None:
    path = wire(BY_POLICY)
    script = tmp_path / "a stand-in" / "compass" / "__main__.py"
    commands = frozenset((hook_command(sys.executable, str(script), "pre-tool-use"),))

    def second(event: str = "PreToolUse", tool: str = "Write") -> bool:
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


def test_a_settings_file_larger_than_the_bound_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hooks.entries.BYTES_MAX", 10)
    path = tmp_path / "settings.json"
    path.write_text('{"a": "0123456789"}', encoding="utf-8")
    assert "larger" in str(read_settings(str(path)))
