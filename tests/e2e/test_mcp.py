"""Writes by an MCP server in real sessions, and `compass mcp` beside the hooks: advice which the gate does not heed.

The client is given the server by the very command of docs/mcp.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from e2e.playing.replies import ReaderPlan, Script, act, call, doubt, judge, say
from e2e.playing.session import ALLOWED, COMPASS, Open, Session, shown_to
from repository import commands

pytestmark = pytest.mark.e2e

TOOL = "mcp__compass__check_write"
TEXT = "fast: true\n"
ORDER = "Create config.yaml that says fast: true"
(STDIO,) = commands("docs/mcp.md", "claude mcp add")


def plot(project: Path) -> Script:
    asked = call(TOOL, user=ORDER, path="config.yaml", content=TEXT)
    write = call("Write", file_path=str(project / "config.yaml"), content=TEXT)
    return Script((act("Asking.", asked), act("On it.", write), say("Done.")))


def by_request(_number: int, body: dict[str, Any]) -> dict[str, Any]:
    """The write was ordered by what the agent tells, and by nothing that the user said."""
    return judge(0.95) if ORDER in shown_to(body) else doubt()


def typed(session: Session, line: str) -> str:
    """A line in the user's shell, in the project; both outputs."""
    done = subprocess.run(
        ["/bin/bash", "-c", line], cwd=session.project, env=session.environment(), check=False,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_documented_command_adds_the_server_whose_advice_lets_no_write_pass(open_session: Open) -> None:
    session = open_session(plot, readers=ReaderPlan(by_request))
    session.write_settings({"permissions": {"allow": [*ALLOWED, "mcp__compass"]}})
    session.variables = {"PATH": os.pathsep.join((str(COMPASS.parent), session.environment()["PATH"]))}
    session.gated()
    typed(session, STDIO)
    assert "Connected" in typed(session, "claude mcp get compass")
    run = session.run("Why is the configuration read so slowly?")
    advised = [one.text for one in run.results if "readers of the request would expect" in one.text]
    assert advised and "on your own account" in advised[0]
    assert not (session.project / "config.yaml").exists()
    check = session.explain()
    assert (check["tool_name"], check["decision"]) == ("Write", "deny")


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
