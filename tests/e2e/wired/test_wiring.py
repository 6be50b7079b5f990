"""The hooks as Compass installs them, in a project's settings and as a plugin, in the real client."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from e2e.playing.replies import doubt, every, writes
from e2e.playing.session import REPOSITORY, Open

pytestmark = pytest.mark.e2e

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd")
REQUEST = "Create config.yaml in the project's root, with debug turned on"
AS_PLUGIN = ("--plugin-dir", str(REPOSITORY))


def test_the_installed_hooks_load_and_each_fires_once(open_session: Open) -> None:
    session = open_session(writes("config.yaml"))
    for _ in range(2):
        session.gated()
    run = session.run(REQUEST)
    run.assert_hooks_ran(*EVENTS)
    assert {event: len(run.hooks(event)) for event in EVENTS} == dict.fromkeys(EVENTS, 1)
    assert (session.project / "config.yaml").exists()


@pytest.mark.parametrize("policy", ["closed", "open"])
def test_as_a_plugin_a_missing_interpreter_answers_by_policy(open_session: Open, policy: str) -> None:
    session = open_session(writes("config.yaml"), variables={"COMPASS_ERROR_POLICY": policy}, flags=AS_PLUGIN)
    session.init("--plugin", "--enforce", "--backend", "anthropic")
    for folder in (session.onlooker / "compass", session.home / ".config" / "compass"):
        record = folder / "interpreter"
        _, *rest = record.read_text().splitlines()
        record.write_text("\n".join([str(session.root / "gone" / "python3"), *rest, ""]))
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert (session.project / "config.yaml").exists() is (policy == "open")
    assert session.readers_asked() == []


@pytest.mark.parametrize("manifest", ["", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"])
def test_the_client_accepts_the_plugins_manifests(client: Path, tmp_path: Path, manifest: str) -> None:
    done = subprocess.run(
        [str(client), "plugin", "validate", "--strict", str(REPOSITORY / manifest)],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ICON_MISSING" not in done.stdout


def test_observe_mode_blocks_nothing_and_records(open_session: Open) -> None:
    session = open_session(writes("config.yaml"), readers=every(doubt(), gather=5))
    session.init("--project", "--observe", "--backend", "anthropic")
    run = session.run(REQUEST)
    run.assert_hooks_ran(*EVENTS)
    assert (session.project / "config.yaml").exists()
    assert run.denials == []
    assert len(session.readers_asked()) == 5
    check = session.explain()
    assert (check["verdict"], check["decision"], check["reason"]) == ("failed", "allow", "low_confidence")
    assert "compass.check.failed" not in [event["event_type"] for event in session.events()]
