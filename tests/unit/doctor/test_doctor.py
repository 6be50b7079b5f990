"""`compass doctor`: the run of the hook, client, readers and state; for the wiring see `test_doctor_wiring.py`."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import BY_POLICY, DENY, Doctor, Wire, change

from compass.cli import main
from evaluator.state.store import open_store

home, project, doctor, wire = ownhome.home, ownhome.project, ownhome.doctor, ownhome.wire


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


@pytest.mark.parametrize(
    ("body", "name", "said"),
    [
        ("print('note'); " + f"print('{DENY}')", "hook runs", "it printed"),
        ("sys.exit(3)", "hook runs", "exit code 3"),
        ("raise RuntimeError('broken import')", "hook runs", "broken import"),
        ("pass", "hook fails by policy", "not a denial"),
        (f"if b'Read' not in stdin: print('noise'); print('{DENY}')", "hook fails by policy", "not a denial"),
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


def test_the_hook_is_run_away_from_the_real_state(tmp_path: Path, wire: Wire, doctor: Doctor) -> None:
    seen = tmp_path / "seen"
    wire(f"import os\nopen({str(seen)!r}, 'a').write(os.environ['ONLOOKER_DIR'] + '\\n')\n{BY_POLICY}")
    doctor()
    folders = seen.read_text(encoding="utf-8").splitlines()
    assert len(folders) == 2
    assert not any(os.path.exists(folder) for folder in folders)


@pytest.mark.parametrize(
    ("said", "enforce", "ok"),
    [
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


def test_the_last_session_start_is_the_heartbeat(
    wire: Wire, doctor: Doctor, home: Path, project: Path
) -> None:
    wire(BY_POLICY)
    assert "no session" in doctor()["heartbeat"]["detail"]
    now = time.time()
    store = open_store(str(home / ".onlooker" / "compass"), now=now).store
    store.start_session("s", str(project), now - 600)
    store.start_session("t", "/elsewhere", now)
    store.close()
    assert doctor()["heartbeat"]["detail"].endswith("10 minutes ago")


@pytest.mark.parametrize("mode", [0o666, 0o620])
def test_settings_that_others_can_write_fail(wire: Wire, doctor: Doctor, home: Path, mode: int) -> None:
    wire(BY_POLICY)
    assert doctor()["settings files"]["ok"]
    file = home / ".claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text("{}")
    file.chmod(mode)
    found = doctor()["settings file rights"]
    assert not found["ok"] and f"chmod go-w {file}" in found["detail"]
