"""`compass mcp` in real clients, beside the hooks: it advises on the agent's account, and releases nothing.

The clients are given the server by the very commands of docs/mcp.md.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from e2e.hosts.model import Json, Model, call
from e2e.hosts.playing import COMPASS, Stage
from e2e.hosts.test_codex import Codex, patch
from e2e.hosts.test_gemini import GeminiStage
from repository import commands

pytestmark = pytest.mark.e2e

SURE = {"user": "Delete src/old_a.py", "command": "rm src/old_a.py"}
"""An account by which the write would pass; the person said less."""


def typed(stage: Stage, line: str) -> str:
    """A line in the user's shell, in the project; both outputs. Ours and the client are found by their names."""
    path = os.pathsep.join((str(COMPASS.parent), stage.environment["PATH"]))
    stage.environment["PATH"] = path
    done = subprocess.run(
        ["/bin/bash", "-c", line], cwd=stage.project, env=stage.environment, check=False,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def documented(host: str) -> str:
    """The command that adds the server."""
    (found,) = commands("docs/mcp.md", f"{host} mcp add")
    return found


def check_write(**arguments: Any) -> Json:
    return {**call("check_write", **arguments), "namespace": "mcp__compass"}


def answers(codex: Codex) -> list[dict[str, Any]]:
    """What the server answered in the model's last request."""
    return [json.loads(text[text.index("{") :]) for text in codex.model.told if '"verdict"' in text]


@pytest.mark.smoke
def test_codex_is_advised_on_the_agents_account_and_the_hooks_judge_anew(tmp_path: Path) -> None:
    with Model() as model:
        codex = Codex(tmp_path, model)
        typed(codex, documented("codex"))
        # A model that answers at once would else be asked before the server is there.
        known, head = codex.configuration.read_text(), "[mcp_servers.compass]\n"
        assert head in known and "hooks.state" in known
        codex.configuration.write_text(known.replace(head, f"{head}required = true\n"))
        first, second = codex.two_files()
        codex.ask(
            "Just delete it.",
            [check_write(**SURE)],
            [check_write(**SURE), check_write(**SURE), check_write(**SURE)],
            [patch("*** Delete File: src/old_a.py")],
            ["Which one?"],
            resume=True,
        )
    advised, *others = answers(codex)
    assert advised["verdict"] == "skipped", "the person said less than the agent's account"
    # They ran at once, in no order.
    assert sorted(one["reason"] == "turn_budget_exhausted" for one in others) == [False, False, True]
    assert first.exists() and second.exists()
    (held,) = codex.checks()
    assert (held["decision"], held["targets"]) == ("deny", [str(first)]), "asking is no check"


def advised_and_held(gemini: GeminiStage) -> None:
    sure = {"user": "Delete a.txt", "command": "rm a.txt"}
    gemini.say("Which files are unused?", "I found two unused files: a.txt and b.txt.")
    said = gemini.say(
        "Just delete it.",
        [call("mcp_compass_check_write", **sure)],
        [call("run_shell_command", command="rm a.txt")],
        "Which one?",
    )
    told = json.dumps(said.model.requests[-1])
    # On the agent's account nothing is held; by what the user said the hook holds it all the same.
    assert "on your own account" in told and "no model is in use here" in told
    assert gemini.has("a.txt") and "Compass" in said.denied
    (held,) = gemini.checks()
    assert held["decision"] == "deny"


def test_gemini_is_advised_on_the_agents_own_account(tmp_path: Path) -> None:
    gemini = GeminiStage(tmp_path)
    before = json.loads(gemini.settings_file.read_text())
    typed(gemini, documented("gemini"))
    settings = json.loads(gemini.settings_file.read_text())
    assert settings.pop("mcpServers") == {"compass": {"command": "compass", "args": ["mcp"]}}
    assert settings == before
    advised_and_held(gemini)
