"""What `auto` takes, in which order; prices, what makes a backend ready, which calls share readers."""

from __future__ import annotations

import json
import time

import pytest
from apis.backends import MODEL, Fake
from corpora import corpus
from running.hookrun import KEY

from compass.composition.automatic_backend import (
    NOBODY_ASKED,
    Agreement,
    MeasuredClient,
    agreement_text,
    better_backend,
    choose_backend,
    read_agreement,
)
from compass.composition.gate import SystemClock
from compass.composition.readers import make_readers
from evaluator.gate.run import Rule
from evaluator.model import Thresholds
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers import event_loop
from evaluator.readers.addresses import find_program
from evaluator.readers.event_loop import ReaderLoop
from evaluator.readers.kinds import anthropic, claude_cli
from evaluator.readers.response import PRICES, cost_usd, price_of
from evaluator.settings.keys import Settings, build
from evaluator.state.store import MemoryStore

HERE = "http://127.0.0.1:11434"
AGREED = Agreement(True, MeasuredClient("claude", MODEL, 1.0, "", 0.0))


@pytest.fixture
def path(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where a `claude` stands."""
    return {"PATH": Fake(tmp_path_factory.mktemp("client")).env["PATH"]}


@pytest.mark.parametrize(
    ("settings", "key", "agreement", "taken"),
    [
        ({}, True, AGREED, "anthropic"),
        ({"evaluator.base_url": HERE, "evaluator.model": "qwen3:8b"}, True, AGREED, "anthropic"),
        ({}, False, AGREED, "claude-cli"),
        ({"evaluator.base_url": HERE}, False, AGREED, "claude-cli"),
        ({"evaluator.base_url": HERE, "evaluator.model": "qwen3:8b"}, False, NOBODY_ASKED, "openai"),
        ({"evaluator.base_url": HERE}, False, NOBODY_ASKED, "anthropic"),
        ({"evaluator.base_url": HERE, "evaluator.model": "gateway/claude"}, False, NOBODY_ASKED, "anthropic"),
        ({"evaluator.model": "qwen3:8b"}, False, NOBODY_ASKED, "embedded"),
        ({}, False, Agreement(False, AGREED.measured), "embedded"),
        ({"deadline_seconds": 1.5}, False, AGREED, "embedded"),
        ({"evaluator.model": "claude-other"}, False, AGREED, "embedded"),
        ({}, False, NOBODY_ASKED, "embedded"),
    ],
)
def test_a_key_then_the_agreed_client_then_a_server_then_rules(path, settings, key, agreement, taken):
    name, why = choose_backend(build(settings), path | ({"ANTHROPIC_API_KEY": KEY} if key else {}), agreement)
    assert name == taken, why
    assert why


def test_what_would_be_better_depends_on_what_was_said(path):
    settings = build({})
    assert better_backend("anthropic", settings, path, NOBODY_ASKED) == ""
    assert "says what it costs" in better_backend("embedded", settings, path, NOBODY_ASKED)
    assert "measures how long it takes" in better_backend("embedded", settings, path, Agreement(True))
    assert "a model is ready" in better_backend("embedded", settings, path, AGREED)
    assert "log in with" in better_backend("embedded", settings, {}, AGREED)


@pytest.mark.parametrize("key", [{}, {"ANTHROPIC_API_KEY": KEY}])
def test_until_an_address_is_corrected_nobody_else_is_asked_in_its_place(path, key):
    """`build` takes what the loader leaves of a wrong address: the text itself."""
    settings = build({"evaluator.base_url": "locahost:11434", "evaluator.model": MODEL})
    name, why = choose_backend(settings, path | key, AGREED)
    assert name == "embedded" and "not an http or https address" in why
    assert better_backend(name, settings, path | key, AGREED) == ""


@corpus("name", ["seconds", "at"])
@corpus("value", [1e400, -1.0, float("nan"), 10**400])
def test_a_measurement_that_no_clock_gave_is_none(tmp_path, name, value):
    file, whole = tmp_path / "readers.json", json.loads(agreement_text(AGREED))
    whole["measured"][name] = value
    file.write_text(json.dumps(whole))
    assert read_agreement(str(file)) == NOBODY_ASKED
    file.write_text(agreement_text(AGREED))
    assert read_agreement(str(file)) == AGREED


# Hosted readers


@corpus(
    ("prefix", "more"),
    [
        ("claude-haiku-4-5", "-20251001"), ("claude-haiku-4-5", ""), ("claude-opus-5-5", ""), ("claude-opus-5", ""),
        ("claude-opus-4", "-1-20250805"), ("claude-opus-4-5", "@20251101"), ("claude-sonnet-4", "-6"),
    ],
)  # fmt: skip
def test_the_longest_prefix_prices_a_model(prefix, more):
    assert price_of(prefix + more) is PRICES[prefix]


@corpus("model", ["", "llama", "claude", "claude-opus-45", "my-claude-opus-5", "claude-haiku-50"])
def test_an_unknown_model_has_no_price(model):
    assert price_of(model) is None
    assert cost_usd(model, input_tokens=1, output_tokens=1) is None


def test_a_credential_or_an_address_makes_the_anthropic_backend_ready():
    assert anthropic.missing(Settings(), {"ANTHROPIC_API_KEY": "k"}) is None
    assert anthropic.missing(Settings(), {"ANTHROPIC_AUTH_TOKEN": "t"}) is None
    assert anthropic.missing(build({"evaluator.base_url": "http://127.0.0.1:8080"}), {}) is None
    assert "ANTHROPIC_API_KEY" in anthropic.missing(Settings(), {"ANTHROPIC_API_KEY": " "})


def test_a_program_on_the_path_makes_the_cli_backend_ready(tmp_path, monkeypatch):
    assert claude_cli.missing(Settings(), {"PATH": str(tmp_path)}) == "no program called 'claude' on the PATH"
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n")
    assert claude_cli.missing(Settings(), {"PATH": str(tmp_path)}) is not None
    program.chmod(0o755)
    assert claude_cli.missing(Settings(), {"PATH": str(tmp_path)}) is None
    monkeypatch.chdir(tmp_path)
    for path in ("", ".", ":"):
        assert find_program("claude", {"PATH": path}) is None
    assert find_program("./claude", {"PATH": str(tmp_path)}) is None
    assert find_program(str(program), {}) == str(program)


# Which calls share readers in the service, and which must not.


KEYED = {"PATH": "/usr/bin", "HOME": "/home/a", "ANTHROPIC_API_KEY": KEY}


@pytest.mark.parametrize(
    ("name", "change", "shared"),
    [
        ("claude-cli", {"CLAUDE_CODE_SESSION_ID": "b", "CLAUDE_PROJECT_DIR": "/p/b"}, True),
        *(("claude-cli", {name: "/home/b"}, False) for name in ("CLAUDE_CONFIG_DIR", "HOME", "PATH")),
        ("claude-cli", {"CLAUDE_CODE_OAUTH_TOKEN": "another"}, False),
        ("anthropic", {"PATH": "/bin"}, True),
        ("anthropic", {"ANTHROPIC_API_KEY": "sk-ant-test-another-key-0123456789"}, False),
        ("anthropic", {"convergence.rule": "score+agreement"}, False),
        ("openai", {"ANTHROPIC_API_KEY": "another"}, True),
        ("openai", {"OPENAI_API_KEY": "another"}, False),
    ],
)
def test_readers_are_shared_by_who_has_the_same_account_program_and_plan(name, change, shared):
    keys: set[object] = set()

    class Noting(ReaderLoop):
        def backend(self, key, make):
            keys.add(key)
            return super().backend(key, make)

    loop, store, rule = Noting(), MemoryStore(), Rule(Thresholds(0.65, 0.2), Thresholds(0.65, 0.2))
    changed = build({key: value for key, value in change.items() if "." in key})
    for env, settings in ((KEYED, Settings()), (KEYED | change, changed)):
        make_readers(name, settings, env, store, SystemClock(), lambda: rule, loop)
    assert (len(keys) == 1) is shared


class Closing:
    name, model = "anthropic", "m"

    def __init__(self, closed: dict[int, float], number: int) -> None:
        self.closed, self.number = closed, number

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        return ReaderReply("")

    async def aclose(self) -> None:
        self.closed[self.number] = time.monotonic()


def test_a_backend_that_makes_room_is_closed_once_nobody_can_be_asking_it(monkeypatch):
    monkeypatch.setattr(event_loop, "RETIRED_SECONDS", 0.3)
    loop, closed = ReaderLoop(), dict[int, float]()
    begun = time.monotonic()
    for number in range(event_loop.BACKENDS_MAX + 1):
        loop.backend(number, lambda number=number: Closing(closed, number))
    assert not closed
    end = begun + 10
    while not closed and time.monotonic() < end:
        time.sleep(0.02)
    assert list(closed) == [0]
    assert closed[0] - begun >= 0.3
    loop.close()
    assert len(closed) == event_loop.BACKENDS_MAX + 1
