"""What `init` writes for Copilot CLI, what it takes out, and what `doctor` finds there."""

import json
import subprocess

import pytest
from running.hookrun import MAIN, Place

from hooks import registry
from hooks.entries import Wiring

SETUP = registry.host_of("copilot").setup()


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path)
    subprocess.run(["git", "init", "-q", str(found.project)], check=True)
    return found


def init(place, *words):
    done = place.command("init", "--host", "copilot", "--backend", "embedded", "--yes", *words)
    assert done.returncode == 0, done
    return done


def hooks_file(place):
    return place.root / "home" / ".copilot" / "hooks" / "compass.json"


def commands(place):
    held = json.loads(hooks_file(place).read_text())
    return {event: entry["bash"] for event, (entry,) in held["hooks"].items()}


def test_each_event_is_wired_and_only_the_gate_stops_a_call_where_it_fails(place):
    init(place, "--enforce")
    found = commands(place)
    assert set(found) == {
        "sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "sessionEnd",
    }  # fmt: skip
    assert all(f"{MAIN} hook" in one and "HOST=copilot" in one for one in found.values())
    broken = {event: one.replace(MAIN, "/gone") for event, one in found.items()}
    ends = {
        event: subprocess.run(["bash", "-c", one], check=False).returncode for event, one in broken.items()
    }
    assert [event for event, code in ends.items() if code] == ["preToolUse"]
    init(place, "--observe")
    assert commands(place)["preToolUse"].endswith("|| true"), "a gate that only watches stops nothing"


def test_what_is_wired_answers_as_the_host_expects(place):
    init(place, "--enforce")
    call = {"sessionId": "s", "timestamp": 1, "cwd": str(place.project), "toolName": "bash",
            "toolArgs": {"command": f"rm {hooks_file(place)}"}}  # fmt: skip
    env = {**place.environment(), "COPILOT_PROJECT_DIR": str(place.project)}
    done = subprocess.run(
        ["bash", "-c", commands(place)["preToolUse"]], input=json.dumps(call).encode(), env=env, capture_output=True,
        cwd=place.project, check=True,
    )  # fmt: skip
    answer = json.loads(done.stdout)
    assert (
        answer["permissionDecision"] == "deny"
        and "does not let an agent" in answer["permissionDecisionReason"]
    )


def test_uninstall_leaves_nothing_and_takes_no_file_of_anybody_else(place):
    init(place, "--enforce")
    init(place, "--uninstall")
    assert not (place.root / "home" / ".copilot").exists() or not hooks_file(place).exists()
    hooks_file(place).parent.mkdir(parents=True, exist_ok=True)
    hooks_file(place).write_text('{"hooks": {}}')
    done = place.command("init", "--host", "copilot", "--backend", "embedded", "--yes", "--enforce")
    assert done.returncode != 0 and hooks_file(place).read_text() == '{"hooks": {}}'


def test_a_home_that_is_elsewhere(place, tmp_path):
    place.env["COPILOT_HOME"] = str(tmp_path / "moved")
    init(place, "--enforce")
    assert (tmp_path / "moved" / "hooks" / "compass.json").is_file() and not hooks_file(place).exists()


def test_the_file_that_init_writes_is_ours_and_wires(tmp_path):
    path = tmp_path / ".copilot" / "hooks" / "compass.json"
    path.parent.mkdir(parents=True)
    said = ("--wired", "recorded", "HOST=copilot")
    path.write_text(SETUP.whole_file(Wiring("/p", "/x/compass/__main__.py", True, said=said)))
    assert list(SETUP.findings({}, str(tmp_path), str(tmp_path / "project"))) == []
    assert SETUP.is_own_file(path.read_text()) and SETUP.wires(json.loads(path.read_text()), "preToolUse")


@pytest.mark.parametrize(
    ("name", "ok"),
    [
        ("home/.copilot/settings.json", None),
        ("project/.github/copilot/settings.json", False),
        ("project/.github/copilot/settings.local.json", False),
        ("project/.claude/settings.json", False),
    ],
)
def test_a_switch_that_turns_hooks_off_is_named(tmp_path, name, ok):
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text('{"disableAllHooks": true}')
    ((_, found, text),) = SETUP.findings({}, str(tmp_path / "home"), str(tmp_path / "project"))
    assert found is ok and str(path) in text
    path.write_text('{"disableAllHooks": false}')
    assert list(SETUP.findings({}, str(tmp_path / "home"), str(tmp_path / "project"))) == []
