"""The status line at the terminal of the real client: kept up as writes are judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.playing.replies import TIDY, Script, act, call, doubt, every, say
from e2e.playing.session import Open
from e2e.playing.terminal import Terminal

pytestmark = pytest.mark.e2e

OURS = "compass enforce"
AT_THE_START = (f"{OURS} · no checks yet", "compass · no hook has run in this session")


def removing(project: Path) -> Script:
    removes = act("Removing it.", call("Bash", command=f"rm {project}/old.py"))
    return Script((removes, say("It was held back.")))


def test_the_line_tells_what_waits(open_session: Open) -> None:
    session = open_session(removing, readers=every(doubt(), gather=5))
    (session.project / "old.py").write_text("pass\n")
    session.init("--project", "--enforce", "--backend", "anthropic", "--statusline", "--yes")
    with Terminal(session) as terminal:
        # The client may ask for it before its session's first hook has ended, and then asks again at the next message.
        terminal.until(lambda: any(map(terminal.shows, AT_THE_START)), "the line at the start")
        terminal.type(TIDY)
        terminal.until(lambda: terminal.shows("It was held back."), "the end of the turn")
        # The client draws again what has changed alone.
        terminal.until(lambda: terminal.shows(f"{OURS} · held 1 · 1 check"), "the line after it")
        terminal.assert_settings_load()
    assert (session.project / "old.py").exists()
    session.init("--uninstall", "--yes")
    assert not (session.project / ".claude" / "settings.local.json").exists()
