"""Writes by an MCP server in real sessions; and what the doctor learns from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from e2e.playing.replies import Script, act, call, say
from e2e.playing.session import ALLOWED, Open, Session

pytestmark = pytest.mark.e2e

SERVER = Path(__file__).parent / "playing" / "mcp_server.py"
FILES = "mcp__my-files__"


def asked_with(open_session: Open, tool: str) -> Session:
    """A session with the server under a name of its user's own; its `tool` wrote after a question."""

    def plot(project: Path) -> Script:
        writes = call(FILES + tool, path=str(project / "config.yaml"), content="fast: true\n")
        return Script((act("On it.", writes), say("Done.")))

    session = open_session(plot)
    (session.project / "config.yaml").write_text("fast: false\n")
    served = {"my-files": {"command": sys.executable, "args": ["-I", str(SERVER)]}}
    (session.project / ".mcp.json").write_text(json.dumps({"mcpServers": served}))
    session.flags = ("--mcp-config", ".mcp.json", "--strict-mcp-config")
    session.write_settings({"permissions": {"allow": [*ALLOWED, "mcp__my-files"]}})
    session.init("--project", "--enforce", "--backend", "embedded")
    session.run("Why is the configuration read so slowly?")
    return session


def test_a_write_by_an_mcp_server_is_held_where_a_question_was_asked(open_session: Open) -> None:
    session = asked_with(open_session, "write_file")
    assert (session.project / "config.yaml").read_text() == "fast: false\n"
    check = session.explain()
    assert (check["tool_name"], check["decision"]) == (f"{FILES}write_file", "deny")
    assert check["operation"] == "overwrite"


def test_a_tool_that_nobody_listed_is_named_by_the_doctor_with_the_line_that_gates_it(
    open_session: Open,
) -> None:
    session = asked_with(open_session, "keep_all")
    assert (session.project / "config.yaml").read_text() == "fast: true\n"
    findings = session.doctor()
    assert (findings["tools"]["ok"], findings["tools"]["warns"]) == (True, True)
    assert f"not gated: {FILES}keep_all; " in findings["tools"]["detail"]
    assert "compass config set gate.mcp_tools" in findings["tools"]["detail"]
