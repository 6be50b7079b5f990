"""The `claude-cli` backend: a fake program that takes the same flags, and the real ones."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from apis.backends import MODEL, REQUEST, ask, claude_error, claude_result, cli_backend, fault
from apis.loopback_api import answer, status
from running.hookrun import KEY
from running.processes import until

from evaluator.egress.prompt import SCHEMA
from evaluator.ports import ReaderReply
from evaluator.readers.claude_cli import ClaudeCliBackend

LOGIN = "sk-ant-oat01-" + "0" * 80


def test_the_nested_client_runs_without_hooks_tools_or_settings_outside_of_any_project(fake, tokens):
    ask(cli_backend(fake, tokens))
    argv, env = fake.seen["argv"], fake.seen["env"]
    assert argv[:5] == ["-p", "--output-format", "json", "--tools", ""]
    flags = dict(itertools.pairwise(argv))
    assert json.loads(flags["--settings"]) == {"disableAllHooks": True}
    assert (flags["--model"], flags["--system-prompt"]) == (MODEL, "the rules")
    assert flags["--setting-sources"] == ""
    assert json.loads(flags["--json-schema"]) == SCHEMA
    assert {"--no-session-persistence", "--strict-mcp-config", "--safe-mode"} <= set(argv)
    assert fake.seen["stdin"] == "the slots, with an é"
    assert re.search(r"/compass-reader-[^/]*$", fake.seen["cwd"])
    assert not Path(fake.seen["cwd"]).exists()
    assert env["COMPASS_NESTED"] == "token-0"
    assert env["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "400"
    assert env["CLAUDE_CODE_OAUTH_TOKEN"] == "kept"
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID"} & set(env)


def test_a_token_is_valid_only_while_its_process_runs(fake, tokens):
    fake.plan({"hang": True})
    fault(cli_backend(fake, tokens), replace(REQUEST, timeout=0.4))
    assert tokens.issued and tokens.valid == set()


def test_an_older_client_is_asked_without_the_flags_that_it_lacks(fake, tokens):
    fake.plan({**claude_result(result=answer()), "lacks": ["--safe-mode", "--setting-sources"]})
    backend = cli_backend(fake, tokens)
    assert json.loads(ask(backend).text)["score"] == 0.9
    assert not {"--safe-mode", "--setting-sources"} & set(fake.seen["argv"])
    ask(backend)
    assert len(tokens.issued) == 4 and tokens.valid == set()


def test_a_client_that_cannot_be_kept_from_its_tools_is_not_used(fake, tokens):
    program = fake.folder / "claude"
    program.write_text("#!/bin/sh\necho \"error: unknown option '--tools'\" >&2\nexit 1\n")
    found = fault(cli_backend(fake, tokens))
    assert (found.kind, "--tools" in found.detail) == ("refused", True)


@pytest.mark.full
def test_the_whole_process_group_is_killed_at_the_deadline(fake, tokens):
    fake.plan({"hang": True, "child": True})
    assert fault(cli_backend(fake, tokens), replace(REQUEST, timeout=5.0)).kind == "timeout"
    child = int((fake.folder / "plan.child").read_text())
    until(lambda: not _alive(child))


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_plain_result_is_taken_where_there_is_no_structured_one(fake, tokens):
    fake.plan(claude_result(result=f"```json\n{answer()}\n```", total_cost_usd="free", usage=[]))
    given = ask(cli_backend(fake, tokens))
    assert given == ReaderReply(text=f"```json\n{answer()}\n```")


@pytest.mark.parametrize(
    ("plan", "kind"),
    [
        (claude_error("Not logged in · Please run /login"), "authentication"),
        (claude_error("Out of calls", api_error="usage_limit_reached", api_error_status=429), "limit"),
        (claude_error("You've hit your 5-hour limit · resets 8pm (UTC)", api_error_status=429), "limit"),
        (claude_error("Claude AI usage limit reached|1790000000"), "limit"),
        (claude_error("API Error: limiting requests (not your usage limit)", api_error_status=429), "rate"),
        (claude_error("API Error: Connection refused", api_error="connection_failed"), "transport"),
        (
            claude_result(is_error=True, subtype="error_max_structured_output_retries", errors=["no output"]),
            "invalid",
        ),
        ({"stdout": "[1]", "stderr": f"boom {KEY}", "code": 3}, "invalid"),
        ({"stdout": "x" * 1_100_000, "code": 0}, "invalid"),
    ],
)
def test_what_the_client_prints_instead_of_an_answer_is_mapped(fake, tokens, plan, kind):
    fake.plan(plan)
    found = fault(cli_backend(fake, tokens))
    assert found.kind == kind
    assert KEY not in found.detail


def test_a_program_that_is_missing_or_cannot_start_is_refused(fake, tokens):
    missing = ClaudeCliBackend(MODEL, {"PATH": ""}, issue=tokens.issue, revoke=tokens.revoke)
    assert fault(missing).kind == "refused"
    (fake.folder / "claude").write_text("#!/nowhere/interpreter\n")
    assert fault(cli_backend(fake, tokens)).kind == "refused"
    assert tokens.valid == set()


def test_the_real_client_answers_through_the_schema_and_maps_errors(api, tmp_path, tokens, client):
    home, ran = tmp_path / "home", tmp_path / "a-hook-ran"
    (home / ".claude").mkdir(parents=True)
    (home / ".claude/CLAUDE.md").write_text("the user's memory")
    hook = [{"hooks": [{"type": "command", "command": f"touch {ran}"}]}]
    hooks = {"SessionStart": hook, "UserPromptSubmit": hook, "Stop": hook}
    (home / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}))
    env = {
        "PATH": os.environ["PATH"], "HOME": str(home), "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": KEY,
        "CLAUDECODE": "1",
    }  # fmt: skip
    backend = ClaudeCliBackend(MODEL, env, issue=tokens.issue, revoke=tokens.revoke, command=str(client))
    patient = replace(REQUEST, timeout=30.0)
    assert json.loads(ask(backend, patient).text) == json.loads(answer())
    (received,) = [one for one in api.requests if one.path.startswith("/v1/messages")]
    assert [tool["name"] for tool in received.body["tools"]] == ["StructuredOutput"]
    assert received.body["max_tokens"] == 400
    assert "the rules" in json.dumps(received.body["system"])
    api.default = status(401, "invalid x-api-key")
    assert fault(backend, patient).kind == "authentication"
    api.default = status(529, "overloaded")
    found = fault(backend, patient)
    assert (found.kind, found.retryable) == ("server", True)
    assert not list(home.glob(".claude/projects/**/*.jsonl"))
    assert not ran.exists()
    assert "the user's memory" not in json.dumps([one.body for one in api.requests])
    assert tokens.valid == set()


def test_the_real_client_tells_a_plans_limit_from_a_throttle(api, tmp_path, tokens, client):
    folder = tmp_path / "home" / ".claude"
    folder.mkdir(parents=True)
    in_two_hours = round(time.time()) + 7200
    login = {
        "accessToken": LOGIN, "refreshToken": LOGIN, "expiresAt": in_two_hours * 1000,
        "scopes": ["user:inference", "user:profile"], "subscriptionType": "pro",
    }  # fmt: skip
    (folder / ".credentials.json").write_text(json.dumps({"claudeAiOauth": login}))
    env = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "ANTHROPIC_BASE_URL": api.url}
    backend = ClaudeCliBackend(MODEL, env, issue=tokens.issue, revoke=tokens.revoke, command=str(client))
    patient = replace(REQUEST, timeout=30.0)
    throttled = status(429, "This request would exceed your account's rate limit")
    api.default = throttled
    assert fault(backend, patient).kind == "rate"
    prefix = "anthropic-ratelimit-unified"
    limits = {
        f"{prefix}-status": "rejected", f"{prefix}-reset": str(in_two_hours),
        f"{prefix}-representative-claim": "five_hour",
    }  # fmt: skip
    api.default = replace(throttled, headers=limits)
    found = fault(backend, patient)
    assert (found.kind, found.retryable) == ("limit", False)
    assert "limit" in found.detail
    assert LOGIN not in found.detail
