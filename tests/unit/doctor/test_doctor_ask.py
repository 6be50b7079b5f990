"""`compass doctor --ask`: one real sample over a real socket, and what it says; nothing is asked without the flag."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from apis.chat_servers import OLLAMA, ChatServer, completion
from apis.loopback_api import LoopbackApi, answer, hang, reply, status

from compass.cli import main
from compass.doctor import sample
from evaluator.state.store import open_store

Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The findings of the doctor by name, with settings as variables."""
    for folder in ("home", "state", "project"):
        (tmp_path / folder).mkdir()
    for name in [
        name for name in os.environ if name.startswith(("COMPASS_", "ANTHROPIC_", "OPENAI_", "CLAUDE"))
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("ONLOOKER_EVENTS_LOG", raising=False)
    monkeypatch.setenv("COMPASS_SERVICE__ENABLED", "false")
    monkeypatch.chdir(tmp_path / "project")

    def called(*words: str, **variables: str) -> dict[str, Any]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        ended = main(["doctor", "--json", *words])
        found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        assert ended == (0 if all(row["ok"] for row in found.values()) else 1)
        return found

    return called


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(OLLAMA) as made:
        yield made


def of(server: LoopbackApi, **more: str) -> dict[str, str]:
    return {
        "COMPASS_ENABLED": "true",
        "COMPASS_EVALUATOR__BACKEND": "openai",
        "COMPASS_EVALUATOR__BASE_URL": server.url,
        "COMPASS_EVALUATOR__MODEL": "qwen3:4b",
        **more,
    }


def test_nothing_is_asked_without_the_flag(run: Run, server: ChatServer) -> None:
    assert "sample" not in run(**of(server))
    assert server.requests == [] and server.asked_of == []


def test_one_valid_sample_is_told_with_its_figures(run: Run, server: ChatServer) -> None:
    found = run("--ask", **of(server))["sample"]
    assert (found["ok"], found["warns"]) == (True, False)
    said = found["detail"]
    assert said.startswith("valid, score 0.9; qwen3:4b by openai at 127.0.0.1:")
    assert "1600 tokens in, 60 out, price not known, schema kept" in said
    (received,) = server.requests
    assert sample.REQUEST in received.body["messages"][1]["content"]


def test_a_server_that_ignores_the_schema_is_named_whether_or_not_its_answer_can_be_read(
    run: Run, server: ChatServer
) -> None:
    server.ways = replace(OLLAMA, binds=())
    found = run("--ask", **of(server))["sample"]
    assert (found["ok"], found["warns"]) == (True, True)
    assert "schema not kept, so answers are read leniently: a newer version" in found["detail"]
    server.loose = "I would say that this is fine."
    found = run("--ask")["sample"]
    assert not found["ok"]
    assert found["detail"].startswith("not valid: invalid: ") and "update the server" in found["detail"]


def test_readers_one_after_the_other_that_would_not_fit_the_deadline_are_foretold(
    run: Run, server: ChatServer
) -> None:
    server.queue(completion(answer(), delay=1.2))
    found = run("--ask", **of(server, COMPASS_DEADLINE_SECONDS="4"))["sample"]
    assert found["ok"] and found["warns"]
    assert "3 readers one after the other may take" in found["detail"]


def test_a_server_that_is_late_and_one_that_is_not_there(run: Run, server: ChatServer) -> None:
    server.queue(hang())
    found = run("--ask", **of(server, COMPASS_DEADLINE_SECONDS="2"))["sample"]
    assert (
        not found["ok"]
        and "not valid: timeout: " in found["detail"]
        and "`compass config set deadline_seconds N`" in found["detail"]
    )
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        found = run("--ask", COMPASS_EVALUATOR__BASE_URL=url)["sample"]
    assert not found["ok"] and "transport" in found["detail"] and "start the server" in found["detail"]


def test_what_is_missing_is_named_and_nothing_is_asked(run: Run, server: ChatServer) -> None:
    found = run("--ask", **of(server, COMPASS_EVALUATOR__MODEL="claude-haiku-4-5-20251001"))["sample"]
    assert not found["ok"]
    assert found["detail"].startswith(
        "nothing was asked: openai: no model of that server is named (`compass config set"
    )
    assert server.requests == []


def test_rules_are_not_asked(run: Run) -> None:
    found = run("--ask", COMPASS_EVALUATOR__BACKEND="embedded")["sample"]
    assert found["ok"] and found["detail"] == "nothing was asked: rules read in this process"


def test_a_paid_sample_is_told_with_its_cost_and_counts_in_the_days_spending(
    run: Run, tmp_path: Path
) -> None:
    with LoopbackApi() as api:
        chosen = {
            "COMPASS_EVALUATOR__BACKEND": "anthropic",
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "k",
        }
        found = run("--ask", **chosen)["sample"]
        assert found["ok"] and "100 tokens in, 20 out, $0.0002, schema kept" in found["detail"]
        api.queue(status(401, "bad key"))
        found = run("--ask")["sample"]
        assert not found["ok"] and "authentication" in found["detail"]
        api.queue(reply("no answer"), reply("no answer"))
        found = run("--ask")["sample"]
        assert not found["ok"] and "schema not kept" in found["detail"], (
            "a server of one's own, by its address"
        )
    opened = open_store(str(tmp_path / "state/compass"), now=0.0)
    try:
        assert opened.store.spent(time.strftime("%Y-%m-%d", time.gmtime())) == pytest.approx(0.0004)
    finally:
        opened.store.close()
