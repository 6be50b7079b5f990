"""The harness itself, with stand-ins for Compass: it tells what the client did; nothing passes by default."""

from __future__ import annotations

import shlex
import sys

import pytest
from e2e.playing.replies import writes
from e2e.playing.session import Open, Session

pytestmark = pytest.mark.e2e

DENY = """
import json, sys
event = json.load(sys.stdin)
assert event["tool_name"] == "Write"
answer = {"permissionDecision": "deny", "permissionDecisionReason": "Which one?"}
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}}))
"""


def install_hook(session: Session, source: str, event: str = "PreToolUse", **more: object) -> None:
    script = session.root / f"{event}.py"
    script.write_text(source)
    command = shlex.join([sys.executable, "-I", str(script)])
    hook = {"type": "command", "command": command, "timeout": 10, **more}
    session.write_settings({"hooks": {event: [{"hooks": [hook]}]}})


def test_a_write_without_a_hook_does_not_count_as_let_through(open_session: Open) -> None:
    session = open_session(writes("a.txt", "one\n"))
    run = session.run("Write a file")
    assert (session.project / "a.txt").read_text() == "one\n"
    with pytest.raises(AssertionError, match="no PreToolUse hook ran"):
        run.assert_hooks_ran("PreToolUse")


def test_a_settings_file_that_the_client_drops_is_noticed(open_session: Open) -> None:
    session = open_session(writes("a.txt", "one\n"))
    install_hook(session, DENY, timeout="10")
    run = session.run("Write a file")
    assert run.dropped_settings
    with pytest.raises(AssertionError):
        run.assert_hooks_ran()


@pytest.mark.parametrize("source", ["print('{half')", "print('{half}')", "raise SystemExit(1)"])
def test_a_hook_that_gives_no_verdict_is_noticed(open_session: Open, source: str) -> None:
    session = open_session(writes("a.txt", "one\n"))
    install_hook(session, source)
    run = session.run("Write a file")
    assert (session.project / "a.txt").exists()
    with pytest.raises((AssertionError, ValueError)):
        run.assert_hooks_ran("PreToolUse")
