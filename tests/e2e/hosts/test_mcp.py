"""`compass mcp` in real clients, beside the hooks: it advises by the session's own words, and releases nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from e2e.hosts.codex_model import Item, Model, call, patch, say
from e2e.hosts.gemini_model import call as gemini_call
from e2e.hosts.gemini_stage import GeminiStage
from e2e.hosts.playing import COMPASS
from e2e.hosts.test_codex import Codex

pytestmark = pytest.mark.e2e

SURE = {"user": "Delete src/old_a.py", "command": "rm src/old_a.py"}
"""An account by which the write would pass; the person said less."""


def check_write(**arguments: Any) -> Item:
    return {**call("check_write", **arguments), "namespace": "mcp__compass"}


def answers(codex: Codex) -> list[dict[str, Any]]:
    """What the server answered in the model's last request."""
    return [json.loads(text[text.index("{") :]) for text in codex.model.told() if '"verdict"' in text]


@pytest.mark.smoke
def test_codex_is_advised_by_its_sessions_words_and_the_hooks_judge_anew(tmp_path: Path) -> None:
    with Model([]) as model:
        codex = Codex(tmp_path, model)
        with codex.configuration.open("a") as file:
            file.write(f'[mcp_servers.compass]\ncommand = "{COMPASS}"\nargs = ["mcp"]\nrequired = true\n')
        first, second = codex.two_files()
        codex.ask(
            "Just delete it.",
            [check_write(**SURE, ask=True)],
            [check_write(**SURE), check_write(**SURE), check_write(**SURE)],
            [patch("*** Delete File: src/old_a.py")],
            [say("Which one?")],
            resume=True,
        )
    advised, *others = answers(codex)
    assert advised["verdict"] == "failed" and "from the session's file" in advised["account"]
    assert set(advised["readings"]) == {"delete src/old_a.py", "delete src/old_b.py"}
    assert advised["user_answered"] == "", "`codex exec` declines what it is asked"
    # They ran at once, in no order.
    assert sorted(one["reason"] == "turn_budget_exhausted" for one in others) == [False, False, True]
    assert first.exists() and second.exists()
    (held,) = codex.checks()
    assert (held["decision"], held["targets"]) == ("deny", [str(first)]), "asking is no check"


def test_gemini_is_advised_on_the_agents_own_account(tmp_path: Path) -> None:
    gemini = GeminiStage(tmp_path)
    settings = json.loads(gemini.settings_file.read_text())
    settings["mcpServers"] = {"compass": {"command": str(COMPASS), "args": ["mcp"], "trust": True}}
    gemini.settings_file.write_text(json.dumps(settings))
    sure = {"user": "Delete a.txt", "command": "rm a.txt", "ask": True}
    said = gemini.say(
        "Just delete it.",
        [gemini_call("mcp_compass_check_write", **sure)],
        [gemini_call("run_shell_command", command="rm a.txt")],
        "Which one?",
    )
    told = json.dumps(said.model.requests[-1])
    # The agent's account passes; by what the user said the hook holds it all the same.
    assert "on your own account" in told and "readers of the request would expect" in told
    assert gemini.has("a.txt") and "Compass" in said.denied
    (held,) = gemini.checks()
    assert held["decision"] == "deny"
