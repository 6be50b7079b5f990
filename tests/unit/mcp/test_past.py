"""What is told of past checks: `explain`, `pending_questions`, resources; of this project alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from running.mcpserving import FOUND, Stage, called, refused

from compass import Gate, Session

DELETE = {"command": "rm src/old_auth.py"}


def held(gate: Gate, name: str = "one") -> tuple[Session, tuple[str, ...]]:
    session = gate.session(name)
    session.user("Find unused files")
    session.agent(FOUND)
    session.user("Just delete it.")
    found = session.before("Bash", DELETE, call_id="c1")
    assert not found.allowed
    session.agent(found.question)
    return session, found.readings


def asked(stage: Stage) -> tuple[dict[str, Any], dict[str, Any]]:
    """What waits, and the newest check."""

    async def asking(client: Client) -> Any:
        return [await called(client, tool) for tool in ("pending_questions", "explain")]

    waits, newest = stage.ask(asking)
    return waits, newest


def test_a_held_write_waits_with_its_readings_until_it_is_answered(stage: Stage) -> None:
    with Gate(record=True) as gate:
        session, readings = held(gate)
        waits, newest = asked(stage)
        (question,) = waits["questions"]
        assert question["session"] == "one" and question["held"] == ["delete src/old_auth.py"]
        assert question["readings"] == [f"{number}. {text}" for number, text in enumerate(readings, 1)]
        assert "number" in question["user_may"] and "compass: proceed" in question["user_may"]
        assert newest["outcome"] == "held" and "src/legacy_auth.py" in newest["question"]

        session.user(str(readings.index("delete src/old_auth.py") + 1))
        (question,) = asked(stage)[0]["questions"]
        assert question["user_said"] == ["delete src/old_auth.py"]
        assert session.before("Bash", DELETE, call_id="c2").allowed
        session.after("c2")
    waits, newest = asked(stage)
    assert waits["questions"] == []
    assert newest["outcome"] != "held" and newest["question"] == ""


def test_resources_are_the_last_checks_and_each_in_words(stage: Stage) -> None:
    with Gate(record=True) as gate:
        held(gate)

    async def asking(client: Client) -> Any:
        listed = json.loads((await client.read_resource("compass://checks")).contents[0].text)
        uri = f"compass://checks/{listed[0]['check_id']}"
        return listed, json.loads((await client.read_resource(uri)).contents[0].text)

    listed, one = stage.ask(asking)
    assert [row["write"] for row in listed] == ["delete src/old_auth.py"]
    assert (
        one["check_id"] == listed[0]["check_id"] and one["outcome"] == "held" and "Advice only" in one["note"]
    )
    assert not [value for value in one.values() if isinstance(value, float)]


def test_nothing_of_another_project_is_told(stage: Stage) -> None:
    with Gate(record=True) as gate:
        held(gate)
    (check,) = stage.rows()["checks"]
    (stage.root / "other").mkdir()
    stage.words = ["--project", str(stage.root / "other")]

    async def asking(client: Client) -> Any:
        with pytest.raises(MCPError):
            await client.read_resource(f"compass://checks/{check[0]}")
        return (
            await called(client, "pending_questions"),
            await refused(client, "explain", check_id=check[0]),
            (await client.read_resource("compass://checks")).contents[0].text,
        )

    waits, explained, listed = stage.ask(asking)
    assert waits["questions"] == [] and json.loads(listed) == []
    assert "no such check in this project" in explained
