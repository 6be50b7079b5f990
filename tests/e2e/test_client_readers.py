"""A machine with a logged-in client and no key: `compass init` ends with language-model readers after one yes."""

from __future__ import annotations

import json
import time

import pytest
from e2e.playing.replies import doubt, every, writes
from e2e.playing.session import Open, Session
from running.atterminal import at_a_terminal

pytestmark = pytest.mark.e2e

LOGIN = "sk-ant-oat01-" + "0" * 80


def log_in(session: Session) -> None:
    """In the place of a key the client has a login of its own."""
    login = {
        "accessToken": LOGIN,
        "refreshToken": LOGIN,
        "expiresAt": round((time.time() + 86_400) * 1000),
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "pro",
    }
    path = session.home / ".claude" / ".credentials.json"
    path.write_text(json.dumps({"claudeAiOauth": login}))
    path.chmod(0o600)
    session.has_key = False


def agree(session: Session) -> None:
    """One yes at the terminal."""
    log_in(session)
    words = ("init", "--enforce")
    code, printed, shown = at_a_terminal(session.environment(), session.project, b"y\n", *words)
    assert code == 0, printed + shown
    assert shown.count("[y/N]") == 1
    assert "judged by claude-cli" in " ".join(printed.split()), printed


def test_one_yes_ends_with_the_client_as_reader(open_session: Open) -> None:
    session = open_session(writes("notes.txt"), readers=every(doubt()))
    agree(session)
    (sample,) = session.readers_asked()
    assert "--verbose flag" in sample
    code, printed, shown = at_a_terminal(session.environment(), session.project, b"", "init")
    assert code == 0, printed + shown
    assert "[y/N]" not in shown, "who answered is not asked again"
    run = session.run("Tidy the notes up a bit")
    assert "notes.txt" in run.denial()
    assert session.explain()["backend"] == "claude-cli"
    assert len(session.readers_asked()) == 1 + 3
