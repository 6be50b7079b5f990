"""`compass doctor`: each finding, with the wiring that init writes and the ways in which it breaks."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compass import host_settings
from compass.checks import finding
from compass.cli import main
from compass.host_settings import fatal_entries, is_second_wiring
from compass.install import Wiring, entries, merge

LOCAL = Path(".claude") / "settings.local.json"
DENY = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'
BY_POLICY = f"if b'Read' not in stdin: print('{DENY}')"
Doctor = Callable[[], dict[str, dict[str, Any]]]
Wire = Callable[..., Path]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    for name in list(os.environ):
        if name.startswith(("COMPASS_", "ONLOOKER_", "CLAUDE_", "ANTHROPIC_", "GIT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(finding, "MANAGED_FILE", str(tmp_path / "managed-settings.json"))
    (tmp_path / "bin").mkdir()
    return folder


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "it's a $project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder.resolve()


@pytest.fixture
def doctor(project: Path, capsys: pytest.CaptureFixture[str]) -> Doctor:
    """Runs the command; asserts that the exit code says whether all is well, gives findings by name."""

    def call() -> dict[str, dict[str, Any]]:
        capsys.readouterr()
        code = main(["doctor", "--json"])
        findings = json.loads(capsys.readouterr().out)
        assert all(set(item) == {"name", "ok", "detail"} for item in findings)
        assert code == (0 if all(item["ok"] for item in findings) else 1)
        return {item["name"]: item for item in findings}

    return call


@pytest.fixture
def wire(tmp_path: Path, project: Path) -> Wire:
    """Wires a stand-in for the hook, whose body is given, into the project; enables and enforces."""

    def call(body: str, *, blocks: bool = True, enforce: bool = True) -> Path:
        script = tmp_path / "a stand-in" / "compass" / "__main__.py"
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(f"import sys\nstdin = sys.stdin.buffer.read()\n{body}\n", encoding="utf-8")
        main(["init", "--enforce" if enforce else "--observe", "--json"])
        path = project / LOCAL
        settings = merge({}, entries(Wiring(sys.executable, str(script), blocks)))
        path.write_text(json.dumps(settings), encoding="utf-8")
        return path

    return call


def change(path: Path, **values: object) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**found, **values}), encoding="utf-8")


def client(tmp_path: Path, said: str) -> None:
    program = tmp_path / "bin" / "claude"
    program.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
    program.chmod(0o755)


@pytest.mark.parametrize("mode", ["--enforce", "--observe"])
def test_what_init_wrote_passes_with_the_real_hook(tmp_path: Path, doctor: Doctor, mode: str) -> None:
    client(tmp_path, "2.1.330 (Claude Code)")
    main(["init", mode])
    findings = doctor()
    assert {name: item["detail"] for name, item in findings.items() if not item["ok"]} == {}
    wanted = "a deny" if mode == "--enforce" else "nothing"
    assert findings["hook runs"]["detail"].startswith("answered nothing in ")
    assert findings["hook fails by policy"]["detail"].startswith(f"answered {wanted} in ")


def test_the_doctor_leaves_the_real_state_alone(tmp_path: Path, home: Path, doctor: Doctor) -> None:
    main(["init"])
    doctor()
    assert not (home / ".onlooker" / "logs").exists()
    assert not (home / ".onlooker" / "compass" / "faults.log").exists()


def test_before_init_the_way_in_is_named(doctor: Doctor) -> None:
    findings = doctor()
    for name in ("hooks wired", "hook runs", "hook fails by policy", "gate"):
        assert not findings[name]["ok"]
        assert "compass init" in findings[name]["detail"]


def test_a_hook_that_keeps_to_the_protocol_passes(wire: Wire, doctor: Doctor) -> None:
    wire(BY_POLICY)
    findings = doctor()
    assert findings["hook runs"]["ok"]
    assert findings["hook fails by policy"]["ok"]


@pytest.mark.parametrize(
    ("body", "name", "said"),
    [
        ("print('note'); " + f"print('{DENY}')", "hook runs", "it printed"),
        ("sys.exit(3)", "hook runs", "exit code 3"),
        ("raise RuntimeError('broken import')", "hook runs", "broken import"),
        ("pass", "hook fails by policy", "no JSON object"),
        (f"if b'Read' not in stdin: print('noise'); print('{DENY}')", "hook fails by policy", "no JSON"),
        (
            f"if b'Read' not in stdin: print('{DENY}'.replace('deny', 'ask'))",
            "hook fails by policy",
            "no deny",
        ),
        ("if b'Read' not in stdin: print('[]')", "hook fails by policy", "no deny"),
    ],
)
def test_a_hook_that_answers_otherwise_is_named(
    wire: Wire, doctor: Doctor, body: str, name: str, said: str
) -> None:
    wire(body)
    found = doctor()[name]
    assert not found["ok"]
    assert said in found["detail"]
    assert "a stand-in" in found["detail"], "the command is shown"


def test_in_observe_mode_a_deny_of_garbage_is_wrong(wire: Wire, doctor: Doctor) -> None:
    wire(BY_POLICY, blocks=False, enforce=False)
    assert not doctor()["hook fails by policy"]["ok"]


def test_the_hook_is_run_away_from_the_real_state(tmp_path: Path, wire: Wire, doctor: Doctor) -> None:
    seen = tmp_path / "seen"
    wire(f"import os\nopen({str(seen)!r}, 'a').write(os.environ['ONLOOKER_DIR'] + '\\n')\n{BY_POLICY}")
    doctor()
    folders = seen.read_text(encoding="utf-8").splitlines()
    assert len(folders) == 2
    assert not any(os.path.exists(folder) for folder in folders)


def test_a_missing_interpreter_or_script_is_named(wire: Wire, doctor: Doctor, tmp_path: Path) -> None:
    path = wire(BY_POLICY)
    gone = Wiring(str(tmp_path / "gone" / "python"), str(tmp_path / "compass" / "__main__.py"), True)
    path.write_text(json.dumps(merge({}, entries(gone))), encoding="utf-8")
    found = doctor()["hooks wired"]
    assert not found["ok"]
    assert f"interpreter {tmp_path / 'gone' / 'python'} is not there" in found["detail"]
    assert "script" in found["detail"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda hooks: hooks.pop("PostToolUse"), "not wired for PostToolUse"),
        (lambda hooks: hooks["PreToolUse"][0].update(matcher="Write|Edit"), "does not match Bash"),
        (lambda hooks: hooks["PreToolUse"][0]["hooks"][0].pop("onFailure"), "onFailure is not 'block'"),
        (lambda hooks: hooks["PreToolUse"][0]["hooks"][0].update(timeout=5), "timeout 5"),
    ],
)
def test_a_weakened_wiring_is_named(
    wire: Wire, doctor: Doctor, edit: Callable[[dict[str, Any]], object], said: str
) -> None:
    path = wire(BY_POLICY)
    settings = json.loads(path.read_text(encoding="utf-8"))
    edit(settings["hooks"])
    path.write_text(json.dumps(settings), encoding="utf-8")
    found = doctor()["hooks wired"]
    assert not found["ok"]
    assert said in found["detail"]
    assert "compass init" in found["detail"]


def test_hooks_turned_off_by_any_settings_file_are_named(wire: Wire, doctor: Doctor, project: Path) -> None:
    wire(BY_POLICY)
    assert doctor()["hooks enabled"]["ok"]
    (project / ".claude" / "settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    found = doctor()["hooks enabled"]
    assert not found["ok"]
    assert "settings.json" in found["detail"]


def test_managed_settings_that_allow_no_other_hooks_are_named(wire: Wire, doctor: Doctor) -> None:
    wire(BY_POLICY)
    Path(finding.MANAGED_FILE).write_text('{"allowManagedHooksOnly": true}', encoding="utf-8")
    assert not doctor()["hooks enabled"]["ok"]


BAD_HANDLERS: list[Any] = [
    {"type": "shell", "command": "x"},
    {"type": "command"},
    {"type": "command", "command": "x", "timeout": "10"},
    {"type": "command", "command": "x", "timeout": -1},
    {"type": "command", "command": "x", "timeout": True},
    {"type": "command", "command": "x", "onFailure": "stop"},
    "x",
]


@pytest.mark.parametrize("handler", BAD_HANDLERS)
def test_an_entry_that_makes_the_host_drop_the_file_is_named(
    wire: Wire, doctor: Doctor, handler: object
) -> None:
    path = wire(BY_POLICY)
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["hooks"]["PreToolUse"].append({"matcher": "Read", "hooks": [handler]})
    path.write_text(json.dumps(settings), encoding="utf-8")
    found = doctor()["settings files"]
    assert not found["ok"]
    assert "hooks.PreToolUse[1].hooks[0]" in found["detail"]


@pytest.mark.parametrize("group", [{"matcher": 3, "hooks": []}, {"matcher": "Write"}, [], {"hooks": {}}])
def test_a_group_that_makes_the_host_drop_the_file_is_named(group: object) -> None:
    assert fatal_entries({"hooks": {"PreToolUse": [group]}})


@pytest.mark.parametrize("event", ["NoSuchEvent", "PostToolUse", "Stop"])
def test_a_bad_entry_of_another_event_is_named_and_drops_nothing_else(
    wire: Wire, doctor: Doctor, event: str
) -> None:
    path = wire(BY_POLICY)
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["hooks"].setdefault(event, []).append({"hooks": [{"type": "bogus"}]})
    path.write_text(json.dumps(settings), encoding="utf-8")
    found = doctor()["settings files"]
    assert found["ok"]
    assert f"hooks.{event}" in found["detail"]
    assert "bogus" in found["detail"]


def test_a_matcher_that_is_no_regex_is_named(wire: Wire, doctor: Doctor) -> None:
    path = wire(BY_POLICY)
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["hooks"]["PreToolUse"].append({"matcher": "(Write", "hooks": []})
    path.write_text(json.dumps(settings), encoding="utf-8")
    assert "matches nothing" in doctor()["settings files"]["detail"]


def test_a_settings_file_that_is_no_json_is_named(wire: Wire, doctor: Doctor, project: Path) -> None:
    wire(BY_POLICY)
    (project / ".claude" / "settings.json").write_text("{// comment\n}", encoding="utf-8")
    found = doctor()["settings files"]
    assert not found["ok"]
    assert ".claude/settings.json: not JSON" in found["detail"]


def test_two_wirings_of_different_installations_are_named(wire: Wire, doctor: Doctor, home: Path) -> None:
    path = wire(BY_POLICY)
    (home / ".claude").mkdir()
    user = home / ".claude" / "settings.json"
    user.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    once = doctor()["wired once"]
    assert once["ok"]
    assert "same command once" in once["detail"]
    user.write_text(path.read_text(encoding="utf-8").replace("a stand-in", "another"), encoding="utf-8")
    twice = doctor()["wired once"]
    assert not twice["ok"]
    assert "~/.claude/settings.json" in twice["detail"]


@pytest.mark.parametrize(
    ("said", "enforce", "ok"),
    [
        ("2.1.198 (Claude Code)", True, True),
        ("10.0.0", True, True),
        ("2.1.197 (Claude Code)", True, False),
        ("2.1.197 (Claude Code)", False, True),
        ("nonsense", True, False),
    ],
)
def test_a_client_too_old_for_a_closed_policy_fails(
    tmp_path: Path, wire: Wire, doctor: Doctor, said: str, enforce: bool, ok: bool
) -> None:
    client(tmp_path, said)
    wire(BY_POLICY, blocks=enforce, enforce=enforce)
    assert doctor()["client"]["ok"] is ok


def test_a_client_that_is_not_on_the_path_is_only_noted(
    wire: Wire, doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire(BY_POLICY)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    found = doctor()["client"]
    assert found["ok"]
    assert "no `claude`" in found["detail"]


def test_credentials_are_named_and_never_shown(
    wire: Wire, doctor: Doctor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wire(BY_POLICY)
    main(["init", "--backend", "anthropic"])
    missing = doctor()
    assert not missing["backend"]["ok"]
    assert not missing["credentials"]["ok"]
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-value-of-it")
    findings = doctor()
    assert findings["backend"]["ok"]
    assert "ANTHROPIC_API_KEY" in findings["credentials"]["detail"]
    assert "the-value-of-it" not in json.dumps(findings)
    main(["doctor"])
    assert "the-value-of-it" not in capsys.readouterr().out


def test_auto_says_what_it_takes_and_why(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor()["backend"]["detail"].startswith("auto takes embedded: no credential")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    assert doctor()["backend"]["detail"].startswith("auto takes anthropic")


def test_settings_problems_name_file_and_key(wire: Wire, doctor: Doctor, project: Path) -> None:
    change(wire(BY_POLICY), compass={"confidence_treshold": 1, "mode": "observe"})
    found = doctor()["settings"]
    assert not found["ok"]
    assert "settings.local.json: confidence_treshold: unknown key" in found["detail"]
    assert "mode" in found["detail"]


def test_a_state_folder_that_others_can_read_fails(wire: Wire, doctor: Doctor, home: Path) -> None:
    wire(BY_POLICY)
    (home / ".onlooker" / "compass").chmod(0o755)
    found = doctor()["state folder"]
    assert not found["ok"]
    assert "chmod 700" in found["detail"]


def test_a_corrupt_database_is_named(wire: Wire, doctor: Doctor, home: Path) -> None:
    wire(BY_POLICY)
    (home / ".onlooker" / "compass" / "compass.db").write_bytes(b"no database" * 1000)
    found = doctor()["database"]
    assert not found["ok"]
    assert "compass.db" in found["detail"]
    assert doctor()["database"]["ok"], "it was moved aside"


def test_recent_faults_are_shown(wire: Wire, doctor: Doctor, home: Path) -> None:
    wire(BY_POLICY)
    log = home / ".onlooker" / "compass" / "faults.log"
    log.write_text("2001-01-01T00:00:00Z old\n2999-01-01T00:00:00Z pre-tool-use: new\n", encoding="utf-8")
    assert doctor()["faults"]["detail"].endswith("pre-tool-use: new")
    assert "old" not in doctor()["faults"]["detail"]


def test_an_event_log_that_cannot_be_written_fails(
    tmp_path: Path, wire: Wire, doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire(BY_POLICY)
    monkeypatch.setenv("ONLOOKER_EVENTS_LOG", str(tmp_path))
    assert "is a folder" in doctor()["event log"]["detail"]
    monkeypatch.setenv("ONLOOKER_EVENTS_LOG", "/dev/null/x/events.jsonl")
    assert not doctor()["event log"]["ok"]


def test_the_last_session_start_is_the_heartbeat(
    wire: Wire, doctor: Doctor, home: Path, project: Path
) -> None:
    import time

    from evaluator.state.store import open_store

    wire(BY_POLICY)
    assert "no session" in doctor()["heartbeat"]["detail"]
    now = time.time()
    store = open_store(str(home / ".onlooker" / "compass"), now=now).store
    store.start_session("s", str(project), now - 600)
    store.start_session("t", "/elsewhere", now)
    store.close()
    assert doctor()["heartbeat"]["detail"].endswith("10 minutes ago")


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
    assert "recorded policy is open" in doctor()["hooks wired"]["detail"]


def test_mcp_tools_that_the_plugin_cannot_gate_are_named(doctor: Doctor, home: Path) -> None:
    main(["init", "--plugin"])
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(
        '{"compass": {"gate": {"mcp_tools": {"mcp__a__write": "path"}}}}', encoding="utf-8"
    )
    found = doctor()["hooks wired"]
    assert not found["ok"]
    assert "mcp__a__write" in found["detail"]


def test_an_enabled_plugin_counts_as_wiring_once_init_has_run(doctor: Doctor, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(
        '{"enabledPlugins": {"compass@somewhere": true}}', encoding="utf-8"
    )
    assert "init --plugin" in doctor()["hooks wired"]["detail"]
    main(["init", "--plugin"])
    assert doctor()["hooks wired"]["ok"]


def test_the_plugin_stands_back_only_where_settings_really_wire_the_event(
    wire: Wire, home: Path, project: Path
) -> None:
    def second(event: str = "PreToolUse") -> bool:
        return is_second_wiring(str(home), str(project), event)

    assert not second()
    path = wire(BY_POLICY)
    assert second()
    assert not second("Stop")
    change(path, disableAllHooks=True)
    assert not second()
    change(path, disableAllHooks=False)
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["hooks"]["SessionEnd"].append({"hooks": [{"type": "bogus"}]})
    path.write_text(json.dumps(settings), encoding="utf-8")
    assert second()
    settings["hooks"]["PreToolUse"].append({"hooks": [{"type": "bogus"}]})
    path.write_text(json.dumps(settings), encoding="utf-8")
    assert not second(), "the host drops such a file"
    path.write_text("{", encoding="utf-8")
    assert not second()


def test_a_settings_file_larger_than_the_bound_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_settings, "MAX_BYTES", 10)
    path = tmp_path / "settings.json"
    path.write_text('{"a": "0123456789"}', encoding="utf-8")
    assert "larger" in str(host_settings.read_object(str(path)))


def test_the_plain_output_lists_every_finding_without_colour(
    doctor: Doctor, capsys: pytest.CaptureFixture[str]
) -> None:
    names = set(doctor())
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert all(any(line[6:].startswith(name) for line in out.splitlines()) for name in names)
    assert "FAIL" in out
