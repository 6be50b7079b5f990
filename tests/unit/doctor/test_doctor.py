"""`compass doctor` on hook, client, readers, calibration and state; for the wiring see `test_doctor_wiring.py`."""

import json
import os
import time
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, status
from corpora import corpus
from running import hookrun, ownhome
from running.ownhome import BY_POLICY, DENY, change
from running.serving import serving

from compass.cli import main
from compass.commands.doctor import verdict
from compass.composition.thresholds import readers_now
from compass.doctor.situation import Finding
from evaluator.settings import layers
from evaluator.settings.keys import Settings
from evaluator.state.store import open_store
from evaluator.verdict.calibrated_thresholds import THRESHOLDS_FORM

home, project, doctor, wire = ownhome.home, ownhome.project, ownhome.doctor, ownhome.wire
UNKNOWN = {"confidence_treshold": 1, "mode": "observe"}


def client(tmp_path, said):
    program = tmp_path / "bin" / "claude"
    program.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
    program.chmod(0o755)


@pytest.mark.parametrize("mode", ["--enforce", "--observe"])
def test_what_init_wrote_passes_with_the_real_hook_and_the_real_state_stays(tmp_path, home, doctor, mode):
    client(tmp_path, "2.1.330 (Claude Code)")
    main(["init", mode])
    findings = doctor()
    assert {name: item["detail"] for name, item in findings.items() if not item["ok"]} == {}
    wanted = "a deny" if mode == "--enforce" else "nothing"
    assert findings["hook runs"]["detail"].startswith("answered nothing in ")
    assert findings["hook fails by policy"]["detail"].startswith(f"answered {wanted} in ")
    assert not (home / ".onlooker/logs").exists() and not (home / ".onlooker/compass/faults.log").exists()


def test_before_init_the_way_in_is_named(doctor):
    findings = doctor()
    for name in ("hooks wired", "hook runs", "hook fails by policy", "gate"):
        assert not findings[name]["ok"] and "compass init" in findings[name]["detail"]


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
def test_a_hook_that_answers_otherwise_is_named(wire, doctor, body, name, said):
    wire(body)
    found = doctor()[name]
    assert not found["ok"] and said in found["detail"]
    assert "a stand-in" in found["detail"], "the command is shown"


def test_the_hook_is_run_away_from_the_real_state(tmp_path, wire, doctor):
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
def test_a_client_too_old_for_a_closed_policy_fails(tmp_path, wire, doctor, said, enforce, ok):
    client(tmp_path, said)
    wire(BY_POLICY, blocks=enforce, enforce=enforce)
    assert doctor()["client"]["ok"] is ok


def test_credentials_are_named_and_never_shown(wire, doctor, monkeypatch, capsys):
    wire(BY_POLICY)
    main(["init", "--backend", "anthropic"])
    missing = doctor()
    assert not missing["backend"]["ok"] and not missing["credentials"]["ok"]
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-value-of-it")
    findings = doctor()
    assert findings["backend"]["ok"] and "ANTHROPIC_API_KEY" in findings["credentials"]["detail"]
    assert "the-value-of-it" not in json.dumps(findings)
    main(["doctor"])
    assert "the-value-of-it" not in capsys.readouterr().out


def others_may_write(home, mode):
    file = home / ".claude/settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text("{}")
    file.chmod(mode)


@pytest.mark.parametrize(
    ("damage", "name", "said"),
    [
        (lambda _, wired: change(wired, compass=UNKNOWN), "settings", "confidence_treshold: unknown key"),
        (lambda _, wired: change(wired, compass=UNKNOWN), "settings", "settings.local.json: mode"),
        (lambda home, _: ownhome.state(home).chmod(0o755), "state folder", "chmod 700"),
        (
            lambda home, _: (ownhome.state(home) / "compass.db").write_bytes(b"no database" * 1000),
            "database",
            "compass.db",
        ),
        (lambda home, _: others_may_write(home, 0o666), "settings file rights", ".claude/settings.json"),
        (lambda home, _: others_may_write(home, 0o620), "settings file rights", "chmod go-w "),
    ],
)
def test_what_is_wrong_with_settings_and_state_is_named(wire, doctor, home, damage, name, said):
    damage(home, wire(BY_POLICY))
    found = doctor()[name]
    assert not found["ok"] and said in found["detail"]
    if name == "database":
        assert doctor()["database"]["ok"], "it was moved aside"


def test_recent_faults_and_the_last_session_start_are_shown(wire, doctor, home, project):
    wire(BY_POLICY)
    log = home / ".onlooker" / "compass" / "faults.log"
    log.write_text("2001-01-01T00:00:00Z old\n2999-01-01T00:00:00Z pre-tool-use: new\n", encoding="utf-8")
    assert doctor()["faults"]["detail"].endswith("pre-tool-use: new")
    assert "old" not in doctor()["faults"]["detail"]
    assert "no session" in doctor()["heartbeat"]["detail"]
    now = time.time()
    store = open_store(str(home / ".onlooker" / "compass"), now=now).store
    store.start_session("s", str(project), now - 600)
    store.start_session("t", "/elsewhere", now)
    store.close()
    assert doctor()["heartbeat"]["detail"].endswith("10 minutes ago")


@pytest.fixture
def served(tmp_path, api):
    with serving(tmp_path) as found:
        found.place.env |= hookrun.readers_at(api.url)
        yield found


def calibration(served, **changes):
    now = readers_now(Settings(), "anthropic")
    document = {
        "version": THRESHOLDS_FORM, "backend": "anthropic", "model": now.model, "prompt": now.prompt,
        "date": "2026-11-22T00:00:00Z",
        "per_n": {str(now.n): {"irreversible": {"confidence": 0.4, "alpha": 0.1}}}, **changes,
    }  # fmt: skip
    env = served.place.environment()
    path = layers.thresholds_file(env, env["HOME"], str(served.place.project))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(path).write_text(json.dumps(document))
    return path


def test_a_calibration_in_force_is_told_with_its_thresholds_and_used_by_the_gate(served):
    assert hookrun.doctor(served.place)["calibration"]["ok"]
    calibration(served)
    detail = hookrun.doctor(served.place)["calibration"]["detail"]
    assert "a mean of at least 0.40 (certified: blocks at most 10% of clear writes) for what cannot" in detail
    served.place.say("Delete src/old_auth.py")
    served.place.hook("pre-tool-use", served.place.payload("Bash", {"command": "rm src/old_auth.py"}))
    record = json.loads(served.place.command("explain", "--json").stdout)
    assert record["thresholds"] == {"confidence": 0.4, "deviation": 1.0, "agreement": None, "alpha": 0.1}


@corpus(
    ("changes", "said"),
    [
        ({"prompt": "other"}, "stale: prompt was other"),
        ({"backend": "embedded"}, "stale: backend was embedded"),
        ({"per_n": {"99": {"reversible": {"confidence": 0.5, "alpha": 0.1}}}}, "no thresholds for 5 readers"),
        ({"per_n": {"5": {"reversible": {"confidence": 7, "alpha": 0.1}}}}, "from 0 to 1"),
        ({"version": 9}, "has version 9"),
    ],
)
def test_a_calibration_that_does_not_hold_is_a_fault(served, changes, said):
    path = calibration(served, **changes)
    found = hookrun.doctor(served.place)["calibration"]
    assert not found["ok"]
    assert said in found["detail"] and os.path.dirname(path) in found["detail"]


@pytest.mark.full
def test_the_doctors_own_calls_neither_use_a_service_nor_leave_one(served):
    """They have a state folder of their own, which is gone when the doctor is done."""
    scratch = served.place.root / "scratch"
    scratch.mkdir()
    served.place.env["TMPDIR"] = str(scratch)
    assert served.place.command("init", "--enforce").returncode == 0
    served.start()
    assert hookrun.doctor(served.place)["hook runs"]["ok"]
    assert served.counts()["requests"] == 0
    assert served.place.command("serve", "--stop").returncode == 0
    served.place.env["XDG_RUNTIME_DIR"] = ""
    assert hookrun.doctor(served.place)["hook runs"]["ok"]
    time.sleep(1.0)
    assert [*scratch.iterdir()] == []


OVERLOADED = 529
HOLDS = "The gate works as configured."


class Shell(hookrun.Place):
    """A project that `compass init` wired, whose sessions ask readers at an address of their own."""

    def init(self, *words):
        done = self.command("init", *words, "--backend", "embedded")
        assert done.returncode == 0, done.stderr

    def writes(self, api, times, **env):
        """Of a session in whose environment the readers are at `api`."""
        self.say("Create the parts of the engine below src, one module a folder, as we agreed in the plan")
        before = dict(self.env)
        hookrun.point_at(self, api, deadline=15)
        self.env |= env
        for number in range(times):
            given = {"file_path": str(self.project / f"src/{number}/part.py"), "content": "x = 1\n"}
            hookrun.run(self, "pre-tool-use", self.payload("Write", given, tool_use_id=f"w{number}"))
        self.env = before

    def doctor(self):
        """Findings by name, the last line that a person reads, the exit code."""
        text = self.command("doctor")
        return hookrun.doctor(self), text.stdout.decode().splitlines()[-1], text.returncode


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


@pytest.fixture
def failing():
    with LoopbackApi(default=status(OVERLOADED, retry_after=hookrun.NO_RETRY)) as found:
        yield found


def test_an_outage_is_seen_from_a_shell_whose_readers_are_others(shell, failing):
    shell.init("--enforce")
    before, last, code = shell.doctor()
    assert (last, code) == (HOLDS, 0), before
    assert before["circuit"]["detail"] == "closed: no readers are known to be failing"
    shell.writes(failing, 4)
    shell.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    found, last, code = shell.doctor()
    detail = found["circuit"]["detail"]
    assert f"anthropic at {failing.url}, claude-haiku" in detail and "not asked until " in detail
    assert "writes are held meanwhile" in detail
    assert found["circuit"]["warns"]
    assert code == 0, "closed: nothing ran"
    assert last == "No check fails, but readers are failing; when a call needs them, writes are held."
    assert shell.doctor()[0]["circuit"]["detail"] == detail, "looking changes nothing"


@pytest.mark.parametrize(
    ("policy", "ok", "said"),
    [("open", False, "compass config set error_policy closed"), ("embedded", True, "only rules judge")],
)
def test_it_fails_where_writes_run_unjudged_meanwhile(shell, failing, policy, ok, said):
    shell.init("--enforce")
    shell.writes(failing, 2, COMPASS_ERROR_POLICY=policy)
    shell.env["COMPASS_ERROR_POLICY"] = policy
    found, last, _ = shell.doctor()
    assert found["circuit"]["ok"] is ok and said in found["circuit"]["detail"]
    assert last != HOLDS


def test_in_observe_mode_it_only_watches(shell):
    shell.init("--observe")
    watches = "it only watches and holds nothing (`compass init --enforce` turns blocking on)"
    assert shell.doctor()[1:] == (f"No check fails, but {watches}.", 0)


def test_a_plugin_that_nothing_loads_is_not_said_to_hold(shell):
    shell.init("--plugin", "--enforce")
    found, last, _ = shell.doctor()
    assert found["hooks wired"]["warns"]
    assert "only a session started with --plugin-dir is gated" in last
    (shell.root / "home/.claude").mkdir()
    (shell.root / "home/.claude/settings.json").write_text('{"enabledPlugins": {"compass@somewhere": true}}')
    assert "no session has loaded the plugin here yet" in shell.doctor()[1]
    started = {"session_id": "s", "cwd": str(shell.project), "hook_event_name": "SessionStart"}
    hookrun.run(shell, "session-start", started)
    assert shell.doctor()[1] == HOLDS


def test_what_fails_comes_first():
    fine, wrong = Finding("a", True, "", but="readers fail"), Finding("b", False, "")
    assert verdict([fine, wrong])[0] == "1 of 2 checks fail."
    both = verdict([fine, Finding("c", True, "", but="it watches")])
    assert both[0] == "No check fails, but readers fail; it watches."
    assert verdict([Finding("c", True, "")])[0] == HOLDS
