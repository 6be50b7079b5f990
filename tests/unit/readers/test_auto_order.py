"""What `auto` takes, in which order."""

from __future__ import annotations

import json

import pytest
from apis.backends import MODEL, Fake
from corpora import corpus

from compass.composition.automatic_backend import (
    NOBODY_ASKED,
    Agreement,
    MeasuredClient,
    agreement_text,
    better_backend,
    choose_backend,
    read_agreement,
)
from evaluator.settings.keys import build

KEY = {"ANTHROPIC_API_KEY": "sk-ant-test"}
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
    name, why = choose_backend(build(settings), path | (KEY if key else {}), agreement)
    assert name == taken, why
    assert why


def test_what_would_be_better_depends_on_what_was_said(path):
    settings = build({})
    assert better_backend("anthropic", settings, path, NOBODY_ASKED) == ""
    assert "says what it costs" in better_backend("embedded", settings, path, NOBODY_ASKED)
    assert "measures how long it takes" in better_backend("embedded", settings, path, Agreement(True))
    assert "a model is ready" in better_backend("embedded", settings, path, AGREED)
    assert "log in with" in better_backend("embedded", settings, {}, AGREED)


@pytest.mark.parametrize("key", [{}, KEY])
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
