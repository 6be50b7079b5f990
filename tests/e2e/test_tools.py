"""Writes by an MCP server, and schedulers, in real sessions; and what the doctor learns from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from e2e.playing.replies import Plot, Script, act, call, say
from e2e.playing.session import ALLOWED, Open, Session

pytestmark = pytest.mark.e2e

SERVER = Path(__file__).parent / "playing" / "mcp_server.py"
QUESTION = "Why is the configuration read so slowly?"
ENFORCE = ("--project", "--enforce", "--backend", "embedded")
FILES = "mcp__my-files__"


def connected(open_session: Open, plot: Plot, **more: Any) -> Session:
    """A session with the server under a name of its user's own, all its tools allowed; not gated yet."""
    session = open_session(plot, **more)
    served = {"my-files": {"command": sys.executable, "args": ["-I", str(SERVER)]}}
    (session.project / ".mcp.json").write_text(json.dumps({"mcpServers": served}))
    session.flags = ("--mcp-config", ".mcp.json", "--strict-mcp-config")
    session.write_settings({"permissions": {"allow": [*ALLOWED, "mcp__my-files", "CronCreate"]}})
    return session


def by_server(tool: str, name: str, *more: str) -> Plot:
    """One call of the server's tool on a file of the project."""

    def plot(project: Path) -> Script:
        given = {"path": str(project / name)} | ({"content": more[0]} if more else {})
        return Script((act("On it.", call(FILES + tool, **given)), say("Done.")))

    return plot


def test_a_write_by_an_mcp_server_is_held_where_a_question_was_asked(open_session: Open) -> None:
    session = connected(open_session, by_server("write_file", "config.yaml", "fast: true\n"))
    (session.project / "config.yaml").write_text("fast: false\n")
    session.init(*ENFORCE)
    run = session.run(QUESTION)
    run.assert_hooks_ran("PreToolUse")
    assert (session.project / "config.yaml").read_text() == "fast: false\n"
    assert "config.yaml" in run.denial()
    check = session.explain()
    assert (check["tool_name"], check["decision"], check["operation"]) == (
        f"{FILES}write_file",
        "deny",
        "overwrite",
    )


def test_a_tool_that_nobody_listed_is_named_by_the_doctor_with_the_line_that_gates_it(
    open_session: Open,
) -> None:
    session = connected(open_session, by_server("keep_all", "config.yaml", "fast: true\n"))
    session.init(*ENFORCE)
    session.run(QUESTION)
    assert (session.project / "config.yaml").read_text() == "fast: true\n"
    findings = session.doctor()
    assert (findings["tools"]["ok"], findings["tools"]["warns"]) == (True, True)
    assert f"not gated: {FILES}keep_all; " in findings["tools"]["detail"]
    assert "compass config set gate.mcp_tools" in findings["tools"]["detail"]
