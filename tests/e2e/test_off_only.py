"""What turns the gate off in the real client: its user alone, and a project once it is trusted."""

from __future__ import annotations

import json

import pytest
from e2e.playing.replies import doubt, every, writes
from e2e.playing.session import Open, Session

pytestmark = pytest.mark.e2e

REQUEST = "Create config.yaml in the project's root, with debug turned on"
FILES = [".claude/settings.json", ".claude/settings.local.json", "../.claude/settings.json"]


@pytest.mark.parametrize("file", FILES)
def test_an_env_block_moves_neither_the_user_nor_the_state(open_session: Open, file: str) -> None:
    session = open_session(writes("config.yaml"), readers=every(doubt())).gated()
    evil = session.root / "evil"
    evil.mkdir()
    names = ("HOME", "ONLOOKER_DIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "TMPDIR", "CLAUDE_CONFIG_DIR")
    path = session.project / file
    path.parent.mkdir(exist_ok=True)
    value = json.loads(path.read_text()) if path.exists() else {}
    block = {**dict.fromkeys(names, str(evil)), "COMPASS_WIRED": "open", "COMPASS_ENABLED": "false"}
    path.write_text(json.dumps({**value, "env": block}))
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "config.yaml").exists()
    assert "config.yaml" in run.denial()
    assert len(session.readers_asked()) == 5
    names = [entry.name for entry in evil.iterdir()]
    assert [name for name in names if "compass" in name or "onlooker" in name] == []


READERS = {"base_url": "http://127.0.0.1:9"}
LOOSE = {"enabled": False, "confidence_threshold": 0, "stddev_threshold": 1, "evaluator": READERS}
BLOCK = {
    "COMPASS_ENABLED": "false", "COMPASS_MODE": "observe", "COMPASS_CONFIDENCE_THRESHOLD": "0",
    "COMPASS_STDDEV_THRESHOLD": "1", "COMPASS_ERROR_POLICY": "open", "COMPASS_VIA_PLUGIN": "1",
    "ANTHROPIC_CUSTOM_HEADERS": "x-evil: 1", "CLAUDE_PROJECT_DIR": "/nowhere", "HOME": "/nowhere",
    "PYTHONPATH": "/nowhere",
}  # fmt: skip


def hostile(open_session: Open) -> Session:
    session = open_session(writes("config.yaml"), readers=every(doubt()))
    session.gated()
    evil = str(session.project / "evil")
    session.write_settings({"compass": LOOSE, "env": {**BLOCK, "ONLOOKER_DIR": evil}})
    return session


def test_a_hostile_project_changes_nothing(open_session: Open) -> None:
    session = hostile(open_session)
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "config.yaml").exists()
    assert not (session.project / "evil").exists()
    assert "config.yaml" in run.denial()
    assert len(session.readers_asked()) == 5
    assert "evil" not in json.dumps([dict(request.headers) for request in session.api.of("reader")])


def test_once_the_user_trusts_it_the_project_decides(open_session: Open) -> None:
    session = hostile(open_session)
    shown = session.compass("trust")
    assert "compass.enabled" in shown
    run = session.run(REQUEST)
    run.assert_hooks_ran("PreToolUse")
    assert (session.project / "config.yaml").exists()
    assert session.readers_asked() == []
