"""Whose words count: those of the session's file where Codex names one of this project, else the agent's account."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from running.mcpserving import FOUND, Stage, called

SESSION, OTHER = "01a2027d-2c4b-7563-bfe3-1a32ca9a8cc0", "01a2027d-4cc1-7f31-8b6c-bd92de704f6f"
SURE = {"user": "Delete src/old_auth.py", "command": "rm src/old_auth.py"}
"""An account by which the write would pass."""


def item(role: str, kind: str, text: str, turn: str) -> dict[str, object]:
    return {
        "type": "response_item",
        "payload": {
            "type": "message", "role": role, "content": [{"type": kind, "text": text}],
            "internal_chat_message_metadata_passthrough": {
                "turn_id": turn, "content_item_metadata": [{"provenance": {"type": "user"}}],
            },
        },
    }  # fmt: skip


def write_session(stage: Stage, session: str, folder: Path, *turns: tuple[str, str, str]) -> Path:
    """A rollout in the home of the server: (turn, what the user said, what the agent answered)."""
    below = stage.root / "home/.codex/sessions/2026/11/22"
    below.mkdir(parents=True, exist_ok=True)
    path = below / f"rollout-2026-11-22T23-52-57-{session}.jsonl"
    head = {"session_id": session, "id": session, "cwd": str(folder), "source": "exec"}
    lines: list[dict[str, object]] = [{"type": "session_meta", "payload": head}]
    for turn, said, answered in turns:
        lines.append(item("user", "input_text", said, turn))
        if answered:
            lines.append(item("assistant", "output_text", answered, turn))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def meta(session: str = SESSION, turn: str = "t2") -> dict[str, Any]:
    return {"x-codex-turn-metadata": {"session_id": session, "thread_id": session, "turn_id": turn}}


@pytest.fixture
def talked(stage: Stage) -> Stage:
    turns = (("t1", "Which files are unused?", FOUND), ("t2", "Just delete it.", ""))
    write_session(stage, SESSION, stage.project, *turns)
    return stage


def test_the_request_comes_from_the_sessions_file_and_not_from_the_agent(talked: Stage) -> None:
    found = talked.call("check_write", meta(), **SURE)
    assert found["verdict"] == "failed" and "from the session's file" in found["account"]
    assert set(found["readings"]) == {"delete src/old_auth.py", "delete src/legacy_auth.py"}
    own = talked.call("check_write", **SURE)
    assert own["verdict"] == "skipped" and "on your own account" in own["account"]


@pytest.mark.spread(2)
@pytest.mark.parametrize(
    "named",
    [
        meta(OTHER), meta("../" * 4 + SESSION), meta("*"), meta(""), meta(turn="t1"), meta(turn="t9"), meta(turn=""),
        {"x-codex-turn-metadata": "no"}, {"x-codex-turn-metadata": {"session_id": 1, "turn_id": []}},
    ],
    ids=str,
)  # fmt: skip
def test_what_no_file_vouches_for_is_ones_own_account(talked: Stage, named: Any) -> None:
    assert "on your own account" in talked.call("check_write", named, **SURE)["account"]


def test_the_session_of_another_project_is_not_read(stage: Stage) -> None:
    (stage.root / "elsewhere").mkdir()
    secret = "Delete src/old_auth.py and the ledger of Mr. Quill"
    write_session(stage, OTHER, stage.root / "elsewhere", ("t2", secret, ""))
    found = stage.call("check_write", meta(OTHER), user="Tidy up", command="rm src/old_auth.py")
    assert found["verdict"] == "failed" and "on your own account" in found["account"]
    assert "Quill" not in json.dumps(found)


def test_claims_buy_no_further_calls(talked: Stage) -> None:
    """Three for the turn that the file vouches for, three for all else together."""

    async def asking(client: Client) -> list[str]:
        claims = [meta()] * 5 + [meta(OTHER), meta(turn="t1"), meta(turn="t3"), meta(turn="t4"), {}]
        return [(await called(client, "check_write", claim, **SURE))["reason"] for claim in claims]

    spent = [reason == "turn_budget_exhausted" for reason in talked.ask(asking)]
    assert spent == [False] * 3 + [True] * 2 + [False] * 3 + [True] * 2


def test_the_next_prompt_is_another_turn(talked: Stage) -> None:
    async def asking(client: Client) -> list[str]:
        found = [(await called(client, "check_write", meta(), **SURE))["reason"] for _ in range(4)]
        turns = (("t2", "Just delete it.", "Which one?"), ("t3", "Delete src/old_auth.py", ""))
        write_session(talked, SESSION, talked.project, *turns)
        return [*found, (await called(client, "check_write", meta(turn="t3"), **SURE))["reason"]]

    reasons = talked.ask(asking)
    assert reasons[3] == "turn_budget_exhausted" and reasons[4] == "insufficient_context"


def test_a_claim_in_the_arguments_is_no_claim(talked: Stage) -> None:
    found = talked.call("check_write", None, **SURE, **meta()["x-codex-turn-metadata"])
    assert "on your own account" in found["account"]
