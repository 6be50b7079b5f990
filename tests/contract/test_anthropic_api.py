"""The `anthropic` and the `claude-cli` backend: the real SDK and a real socket; a fake program, and the real ones."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from apis.backends import (
    MODEL,
    REQUEST,
    api_backend,
    ask,
    claude_error,
    claude_result,
    cli_backend,
    fault,
    server_memory,
)
from apis.loopback_api import Behaviour, LoopbackApi, answer, garbage, reply, reset, status
from running.hookrun import KEY
from running.processes import until

from compass.composition.gate import SystemClock
from evaluator.egress.prompt import SCHEMA
from evaluator.ports import ReaderReply
from evaluator.processes import process_of
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.keys import build
from evaluator.state.store import MemoryStore


def test_the_request_has_the_shape_that_the_api_documents(api):
    ask(api_backend(api), replace(REQUEST, user="the slots"))
    (received,) = api.requests
    assert received.path == "/v1/messages"
    assert received.body == {
        "model": MODEL,
        "max_tokens": 400,
        "system": "the rules",
        "messages": [{"role": "user", "content": "the slots"}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
        "metadata": {"user_id": "0123456789abcdef0123456789abcdef"},
        "temperature": 0.3,
    }
    assert KEY in received.headers.get("authorization", "") + received.headers.get("x-api-key", "")


@pytest.mark.parametrize(
    ("header", "seconds"), [("1.5", 1.5), ("soon", None), ("-1", None), ("nan", None), ("inf", None)]
)
def test_nothing_is_retried_by_the_sdk_and_a_number_of_seconds_is_handed_on(api, header, seconds):
    api.queue(replace(status(429), headers={"retry-after": header}), reply())
    assert fault(api_backend(api)).retry_after == seconds
    assert len(api.requests) == 1


def test_a_refused_temperature_is_left_out_once_and_remembered(api):
    state = MemoryStore()
    api.queue(status(400, "`temperature` is not supported by this model"))
    for _ in range(2):
        assert ask(api_backend(api, memory=server_memory(state))).keeps_schema
    ask(api_backend(api), replace(REQUEST, temperature=None))
    assert ["temperature" in received.body for received in api.requests] == [True, False, False, False]


@pytest.mark.parametrize(("said", "asked"), [("temperature", 2), ("max_tokens is too small", 1)])
def test_a_refusal_that_stays_is_not_asked_again(api, said, asked):
    api.default = status(400, said)
    found = fault(api_backend(api))
    assert (found.kind, said in found.detail, len(api.requests)) == ("refused", True, asked)


def test_a_reset_connection_and_a_refused_one_are_retryable_transport_faults(api):
    api.queue(reset())
    closed = AnthropicBackend(MODEL, {}, memory=server_memory(), base_url="http://127.0.0.1:9")
    for backend, place in ((api_backend(api), ""), (closed, "127.0.0.1:9")):
        found = fault(backend)
        assert (found.kind, found.retryable, place in found.detail) == ("transport", True, True)


@pytest.mark.parametrize(
    "body", [b"{", b"\xff\xfe", b"[]", b'{"content": [1, {"type": "text", "text": 3}]}', b"[" * 100_000, b""]
)
def test_a_body_that_is_no_message_is_invalid(api, body):
    api.queue(garbage(body, "application/json"))
    assert fault(api_backend(api)).kind == "invalid"


def test_thinking_blocks_and_unknown_fields_are_passed_over(api):
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "novelty", "text": "not this"},
        {"type": "text", "text": '{"a":'}, {"type": "text", "text": "1}"},
    ]  # fmt: skip
    api.queue(reply("", content=blocks))
    assert ask(api_backend(api)).text == '{"a":1}'


def test_cached_tokens_are_counted_and_priced(api):
    usage = {"input_tokens": 1000, "cache_read_input_tokens": 2000, "cache_creation_input_tokens": 400}
    api.queue(reply(usage={**usage, "output_tokens": 100}))
    given = ask(api_backend(api))
    assert (given.input_tokens, given.output_tokens) == (3400, 100)
    assert given.cost_usd == pytest.approx(3400e-6 + 500e-6)


def test_models_that_think_unless_told_otherwise_are_told(api):
    for model in ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-opus-4-8"):
        memory = server_memory(model=model)
        ask(AnthropicBackend(model, {"ANTHROPIC_API_KEY": KEY}, memory=memory, base_url=api.url))
    assert [received.body.get("thinking") for received in api.requests] == [
        {"type": "disabled"}, {"type": "between_tools"}, None, None,
    ]  # fmt: skip
    assert [received.body["max_tokens"] for received in api.requests] == [400, 400, 2000, 400]


def test_the_address_may_come_from_the_environment_that_is_passed_in(api, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-of-the-process")
    given = {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_AUTH_TOKEN": "token-1"}
    ask(AnthropicBackend(MODEL, given, memory=server_memory()))
    ask(AnthropicBackend(MODEL, {}, memory=server_memory(), base_url=api.url))
    assert api.requests[0].headers["authorization"] == "Bearer token-1"
    assert "sk-ant-of-the-process" not in str([one.headers for one in api.requests])


@pytest.mark.parametrize(
    ("env", "base_url", "kind"),
    [
        ({}, None, "authentication"),
        ({"ANTHROPIC_API_KEY": "sk-ant-se\ncret-value"}, "http://127.0.0.1:9", "authentication"),
        ({"ANTHROPIC_API_KEY": "sk-ant-sécret-value"}, "http://127.0.0.1:9", "authentication"),
        ({"ANTHROPIC_API_KEY": KEY}, "ftp://127.0.0.1/", "refused"),
        ({"ANTHROPIC_API_KEY": KEY}, "not an address", "refused"),
        ({"ANTHROPIC_API_KEY": KEY}, "http://127.0.0.1:99999/", "refused"),
        ({"ANTHROPIC_API_KEY": KEY}, "http://me:sk-ant-hidden-in-url@127.0.0.1:9/", "transport"),
    ],
)
def test_settings_that_cannot_work_are_named_without_showing_secrets(env, base_url, kind):
    found = fault(AnthropicBackend(MODEL, env, memory=server_memory(), base_url=base_url))
    assert found.kind == kind and "cret" not in found.detail and "hidden" not in found.detail


# Servers of the user's own


def own_backend(api: LoopbackApi, notes: MemoryStore) -> AnthropicBackend:
    return api_backend(api, memory=server_memory(notes), own=True)


def fields(api: LoopbackApi) -> list[set[str]]:
    return [{"output_config", "metadata", "temperature"} & set(received.body) for received in api.requests]


def test_fields_that_a_server_of_ones_own_refuses_are_left_out_and_remembered(api):
    notes = MemoryStore()
    api.queue(
        status(400, "metadata: Extra inputs are not permitted"),
        status(400, "output_config: Extra inputs are not permitted"),
        status(400, "temperature is not supported"),
        reply(f"```json\n{answer()}\n```"),
    )
    assert not ask(own_backend(api, notes)).keeps_schema
    ask(own_backend(api, notes))
    assert fields(api) == [
        {"output_config", "metadata", "temperature"}, {"output_config", "temperature"}, {"temperature"}, set(),
        set(),
    ]  # fmt: skip


def test_a_server_that_ignores_the_schema_without_a_word_is_found_out(api):
    notes = MemoryStore()
    api.queue(reply(), reply(f"```json\n{answer()}\n```"), reply())
    assert [ask(own_backend(api, notes)).keeps_schema for _ in range(3)] == [True, False, False]
    assert all(sent == {"output_config", "metadata", "temperature"} for sent in fields(api))


def test_the_hosted_api_is_neither_asked_with_less_nor_read_leniently(api):
    api.queue(status(400, "output_config: Extra inputs are not permitted"), reply("```json\n{}\n```"))
    assert fault(api_backend(api)).kind == "refused"
    assert ask(api_backend(api)).keeps_schema
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    ("base_url", "env", "own"),
    [
        (None, {}, False),
        ("https://api.anthropic.com", {}, False),
        (None, {"ANTHROPIC_BASE_URL": "https://api.anthropic.com/"}, False),
        ("http://127.0.0.1:9", {}, True),
        (None, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, True),
    ],
)
def test_only_an_address_of_ones_own_is_a_server_of_ones_own(base_url, env, own):
    make = kind_of("anthropic").backend
    made = make(build({"evaluator.base_url": base_url}), env, MemoryStore(), SystemClock())
    assert made._own is own  # type: ignore[attr-defined]


def test_no_proxy_stands_between_a_program_and_its_own_machine(api, monkeypatch):
    """A key goes there by plain http, and nobody else may read it."""
    with LoopbackApi() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        ask(api_backend(api))
        assert proxy.requests == [] and len(api.requests) == 1


@pytest.mark.parametrize("code", [302, 307])
def test_a_redirect_takes_key_and_evidence_nowhere(api, code):
    with LoopbackApi() as elsewhere:
        api.default = Behaviour(status=code, body=b"", headers={"location": f"{elsewhere.url}/v1/messages"})
        assert str(code) in fault(api_backend(api)).detail
        assert elsewhere.requests == []


# The client: a fake program that takes the same flags, and the real ones


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
    given = {
        "COMPASS_NESTED": "token-0",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "400",
        "CLAUDE_CODE_OAUTH_TOKEN": "kept",
    }
    assert given.items() <= env.items()
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
    child = (fake.folder / "plan.child").read_text().strip()
    until(lambda: process_of(child) is None)


def test_a_plain_result_is_taken_where_there_is_no_structured_one(fake, tokens):
    fake.plan(claude_result(result=f"```json\n{answer()}\n```", total_cost_usd="free", usage=[]))
    assert ask(cli_backend(fake, tokens)) == ReaderReply(text=f"```json\n{answer()}\n```")


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
            claude_result(is_error=True, subtype="error_max_structured_output_retries", errors=["none"]),
            "invalid",
        ),
        ({"stdout": "[1]", "stderr": f"boom {KEY}", "code": 3}, "invalid"),
        ({"stdout": "x" * 1_100_000, "code": 0}, "invalid"),
    ],
)
def test_what_the_client_prints_instead_of_an_answer_is_mapped(fake, tokens, plan, kind):
    fake.plan(plan)
    found = fault(cli_backend(fake, tokens))
    assert found.kind == kind and KEY not in found.detail


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
    assert "limit" in found.detail and LOGIN not in found.detail
