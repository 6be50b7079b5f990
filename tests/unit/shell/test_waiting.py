"""Commands that start something which waits for orders: unknown where an agent can type on, unheard."""

from __future__ import annotations

import json

import pytest
from corpora import corpus
from repository import FIXTURES

from compass.composition.effects import classify, explain
from evaluator.shell import scope
from evaluator.shell.scope import HostPrograms
from evaluator.shell.waiting import waits

ROWS = [json.loads(line) for line in (FIXTURES / "bash/words/waiting.jsonl").read_text().splitlines()]


def of(family: str, count: int) -> list[str]:
    """Its commands, which are so many."""
    found = [row["command"] for row in ROWS if row["family"] == family]
    assert len(found) == count
    return found


@pytest.fixture
def typing_host(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(scope, "_LOADERS", dict(scope._LOADERS))
    scope.joined_hosts.cache_clear()
    scope.join_host("typist", lambda: HostPrograms(types_on=True))
    scope.join_host("other", HostPrograms)
    yield "typist"
    monkeypatch.undo()
    scope.joined_hosts.cache_clear()


@corpus("command", of("waits", 69))
def test_a_command_that_asks_for_orders_waits(command: str) -> None:
    assert waits(explain(command, "/p").ran)


@corpus("command", of("ends", 80))
def test_a_command_that_was_told_what_to_do_does_not(command: str) -> None:
    assert not waits(explain(command, "/p").ran)


def test_what_waits_is_unknown_where_an_agent_types_on(typing_host: str) -> None:
    for command in ("bash", "deno", "echo x > f; python", "less f"):
        found = classify(command, "/p", host=typing_host)
        assert (found.verdict, found.operation_class) == ("unknown", "destructive"), command
        assert classify(command, "/p", host="other") == classify(command, "/p")
    kept = classify("echo x > f; python", "/p", host=typing_host)
    assert kept.targets == ("/p/f",) and kept.each[-1].operation == "unknown"
    assert classify("ls", "/p", host=typing_host) == classify("ls", "/p")
    assert classify("deno", "/p", host="nobody").verdict == "read_only"
