"""What Cursor's hooks.json would run, run as Cursor runs it: by a shell or as a program, with the payload on stdin."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from running.hookrun import Place

import compass
from evaluator.settings.places import entry_words
from hooks import registry
from hooks.entries import Wiring, program_of
from hooks.hosts.cursor import HOST

SETUP = HOST.setup()
entries = SETUP.entries
entry = HOST.entry
EVENTS = HOST.EVENTS

SCRIPT = Path(compass.__file__).parent / "__main__.py"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "cursor"
PAYLOADS = [json.loads(line) for line in (FIXTURES / "payloads.jsonl").read_text().splitlines()]
DOCUMENTED = {
    "sessionStart",
    "sessionEnd",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
}
HOLDS = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    settings = tmp_path / "home" / ".onlooker" / "compass" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(HOLDS | {"service": {"enabled": False}}))
    (tmp_path / "it's here" / "src").mkdir(parents=True)
    (tmp_path / "it's here" / "src" / "a.py").write_text("x = 1\n")
    return tmp_path / "home"


def wiring(home: Path, *, blocks: bool = True, interpreter: str = sys.executable) -> Wiring:
    said = entry_words({}, str(home), of_project=False, blocks=blocks, host="cursor")
    # The word of a project's own entry acts without a record of the project.
    return Wiring(
        interpreter, str(SCRIPT), blocks, said=tuple("closed" if one == "recorded" else one for one in said)
    )


def run(home: Path, found: dict, payload: dict, *, by_shell: bool) -> subprocess.CompletedProcess[str]:
    project = home.parent / "it's here"
    command = found["command"]
    return subprocess.run(
        command if by_shell else shlex.split(command),
        shell=by_shell,
        input=json.dumps(payload).replace("PROJECT", str(project)),
        env={"HOME": str(home), "PATH": os.environ["PATH"], "COMPASS_SERVICE__ENABLED": "false"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_only_documented_events_are_named_and_each_entry_is_ours(home: Path) -> None:
    found = entries(wiring(home))
    assert set(found) == DOCUMENTED
    assert {program_of(str(one["command"])).event for one in found.values()} == set(EVENTS)
    assert [name for name, one in found.items() if one.get("failClosed")] == ["preToolUse"]
    assert all("failClosed" not in one for one in entries(wiring(home, blocks=False)).values())


@pytest.mark.parametrize("by_shell", [True, False])
def test_where_compass_says_nothing_cursors_own_words_are_printed(home: Path, by_shell: bool) -> None:
    for event, at, answer in (
        ("pre-tool-use", 8, {"permission": "allow"}),
        ("user-prompt-submit", 1, {"continue": True}),
    ):
        ran = run(home, entry(event, wiring(home)), PAYLOADS[at], by_shell=by_shell)
        assert (ran.returncode, json.loads(ran.stdout)) == (0, answer), ran.stderr


@pytest.mark.parametrize("by_shell", [True, False])
def test_a_denial_passes_as_it_is(home: Path, by_shell: bool) -> None:
    run(home, entry("user-prompt-submit", wiring(home)), PAYLOADS[1], by_shell=by_shell)
    ran = run(home, entry("pre-tool-use", wiring(home)), PAYLOADS[2], by_shell=by_shell)
    answer = json.loads(ran.stdout)
    assert (ran.returncode, answer["permission"]) == (0, "deny")
    assert "src/a.py" in answer["agent_message"]


@pytest.mark.parametrize("blocks", [True, False])
def test_a_program_that_is_missing_or_dies_is_answered_by_policy(
    home: Path, tmp_path: Path, blocks: bool
) -> None:
    dying = tmp_path / "dying"
    dying.write_text("#!/bin/sh\necho '{\"permission\":'; kill -9 $$\n")
    dying.chmod(0o755)
    for interpreter in (str(tmp_path / "none"), str(dying)):
        found = entry("pre-tool-use", wiring(home, blocks=blocks, interpreter=interpreter))
        ran = run(home, found, PAYLOADS[3], by_shell=True)
        if blocks:
            assert (ran.returncode, ran.stdout) == (2, "") and "Compass did not answer" in ran.stderr
        else:
            assert ran.returncode == 0
    prompt = entry("user-prompt-submit", wiring(home, interpreter=str(tmp_path / "none")))
    ran = run(home, prompt, PAYLOADS[1], by_shell=True)
    assert (ran.returncode, json.loads(ran.stdout)) == (0, {"continue": True})


def test_a_command_that_only_looks_like_ours_is_not(home: Path) -> None:
    assert program_of("sh -c 'out=$(cat); echo hook pre-tool-use'") is None
    assert program_of("sh -c 'out=$(x hook pre-tool-use); [ -n \"$out\" ] || out=1'") is None


def test_a_file_that_held_nothing_but_its_version_is_left_as_it_was(tmp_path: Path) -> None:
    place = Place(tmp_path)
    file = tmp_path / "home" / ".cursor" / "hooks.json"
    for text in ('{"version": 1}\n', '{"version": 1, "hooks": {}}\n', None):
        file.unlink(missing_ok=True)
        if text is not None:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        for words in (("--yes",), ("--enforce",), ("--uninstall",)):
            done = place.command("init", "--host", "cursor", *words)
            assert done.returncode == 0, done.stderr
            if words[0] != "--uninstall":
                assert "preToolUse" in json.loads(file.read_text())["hooks"]
        assert (json.loads(file.read_text()) == json.loads(text)) if text else not file.exists(), text


def test_the_doctor_knows_an_event_that_would_void_the_file_and_claude_codes_settings(home: Path) -> None:
    project = str(home.parent / "it's here")
    (home / ".cursor").mkdir()
    (home / ".cursor" / "hooks.json").write_text(json.dumps({"hooks": {"beforeEverything": []}}))
    found = {name: (fine, text) for name, fine, text in SETUP.findings({}, str(home), project)}
    assert found["events"][0] is None and "beforeEverything" in found["events"][1]
    assert found["version"][0] is False
    claude = registry.host_of("claude-code").setup()
    assert [name for name, _, _ in claude.findings({}, str(home), project)] == ["Cursor"]
    (home / ".claude").mkdir()
    own = Wiring(sys.executable, str(SCRIPT), True)
    (home / ".claude" / "settings.json").write_text(json.dumps(claude.merge({}, claude.entries(own))))
    (home / ".cursor" / "hooks.json").write_text(json.dumps(SETUP.merge({}, SETUP.entries(wiring(home)))))
    (found,) = SETUP.findings({}, str(home), project)
    assert found[1] is True and "silent" in found[2]
    assert list(claude.findings({}, str(home), project)) == []
