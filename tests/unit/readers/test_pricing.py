"""Prices by model id, and what makes a hosted backend ready."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora import corpus

from evaluator.readers.kinds import anthropic, claude_cli
from evaluator.readers.prerequisites import find_program
from evaluator.readers.response import PRICES, cost_usd, price_of
from evaluator.settings.keys import Settings, build


@corpus(
    ("model", "prefix"),
    [
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-haiku-4-5", "claude-haiku-4-5"),
        ("claude-opus-5-5", "claude-opus-5-5"),
        ("claude-opus-5", "claude-opus-5"),
        ("claude-opus-4-1-20250805", "claude-opus-4"),
        ("claude-opus-4-5@20251101", "claude-opus-4-5"),
        ("claude-sonnet-4-6", "claude-sonnet-4"),
    ],
)
def test_the_longest_prefix_prices_a_model(model: str, prefix: str) -> None:
    assert price_of(model) is PRICES[prefix]


@corpus("model", ["", "llama", "claude", "claude-opus-45", "my-claude-opus-5", "claude-haiku-50"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert price_of(model) is None
    assert cost_usd(model, input_tokens=1, output_tokens=1) is None


def test_cached_tokens_are_weighed() -> None:
    cost = cost_usd(
        "claude-haiku-4-5",
        input_tokens=1_000_000,
        output_tokens=1_000_000,
        cache_read_tokens=1_000_000,
        cache_write_5m_tokens=1_000_000,
        cache_write_1h_tokens=1_000_000,
    )
    assert cost == pytest.approx(1.0 + 5.0 + 0.1 + 1.25 + 2.0)


def test_a_credential_or_an_address_makes_the_anthropic_backend_ready() -> None:
    assert anthropic.missing(Settings(), {"ANTHROPIC_API_KEY": "k"}) is None
    assert anthropic.missing(Settings(), {"ANTHROPIC_AUTH_TOKEN": "t"}) is None
    assert anthropic.missing(build({"evaluator.base_url": "http://127.0.0.1:8080"}), {}) is None
    missing = anthropic.missing(Settings(), {"ANTHROPIC_API_KEY": " "})
    assert missing is not None
    assert "ANTHROPIC_API_KEY" in missing


def test_a_program_on_the_path_makes_the_cli_backend_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert claude_cli.missing(Settings(), {"PATH": str(tmp_path)}) == "no program 'claude' on the PATH"
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
