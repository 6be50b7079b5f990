"""Whose words count, the session file's or the agent's own, and that no claim gains a call or what gates."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from played.hosts.codex import CodexFile
from running.mcpserving import FOUND, Stage, called

from compass import Gate
from compass.mcp_server.tools import CALLS_MAX, CallTally, tally_of

SURE = {"user": "Delete src/old_auth.py", "command": "rm src/old_auth.py"}
"""An account by which the write would pass."""
SESSION, OTHER = "01a2027d-2c4b-7563-bfe3-1a32ca9a8cc0", "01a2027d-4cc1-7f31-8b6c-bd92de704f6f"
Call = Callable[..., dict[str, Any]]
"""One call on a connection of its own: of a process of its own too, where over stdio."""


@pytest.fixture
def call(stage: Stage) -> Call:
    return stage.call


def spent(found: dict[str, Any]) -> bool:
    return bool(found["reason"] == "turn_budget_exhausted")


def held(gate: Gate) -> None:
    session = gate.session("one")
    session.user("Find unused files")
    session.agent(FOUND)
    session.user("Just delete it.")
    assert not session.before("Bash", {"command": "rm src/old_auth.py"}, call_id="c1").allowed


def test_servers_of_one_project_count_together(stage: Stage) -> None:
    found = [stage.call("check_write", **SURE) for _ in range(4)]
    assert [spent(one) for one in found] == [False] * 3 + [True]
    # Below the project it is the same one; another has calls of its own.
    (stage.root / "other").mkdir()
    stage.words = ["--project", str(stage.root / "other")]
    assert not spent(stage.call("check_write", **SURE))
    assert len(stage.counts()) == 2


@pytest.mark.full
def test_a_folder_below_the_project_is_no_project_of_its_own(stage: Stage) -> None:
    subprocess.run(["git", "init", "-q", str(stage.project)], check=True)
    assert not any(spent(stage.call("check_write", **SURE)) for _ in range(3))
    stage.words = ["--project", str(stage.project / "src")]
    assert spent(stage.call("check_write", **SURE))


def test_where_counts_cannot_be_kept_a_server_counts_for_itself(stage: Stage) -> None:
    run = stage.root / "state/compass/run"
    run.parent.mkdir(parents=True)
    run.write_text("a file where the folder should be")

    async def asking(client: Client) -> list[bool]:
        return [spent(await called(client, "check_write", None, **SURE)) for _ in range(5)]

    assert stage.ask(asking) == [False] * 3 + [True] * 2


@pytest.mark.full
def test_who_waits_for_the_counts_holds_up_nobody_else(stage: Stage) -> None:
    stage.call("check_write", **SURE)
    (counts,) = stage.counts()

    async def asking(client: Client) -> None:
        async with anyio.create_task_group() as group:
            with counts.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                group.start_soon(lambda: called(client, "check_write", None, **SURE))
                await anyio.sleep(0.3)
                await called(client, "pending_questions")

    stage.ask(asking)
    assert len(json.loads(counts.read_bytes())["recent"]) == 2


def test_who_waited_for_the_counts_sees_the_calls_that_were_made_meanwhile(stage: Stage) -> None:
    tally = tally_of(stage.env, str(stage.project))
    assert all(tally.take("") for _ in range(CALLS_MAX - 1))
    (counts,) = stage.counts()
    with ThreadPoolExecutor() as pool:
        with counts.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            waits = pool.submit(tally.take, "")
            time.sleep(0.2)
            told = json.loads(file.read())
            file.seek(0)
            file.write(json.dumps({**told, "recent": [*told["recent"], time.time()]}).encode())
        assert not waits.result()


@pytest.mark.parametrize(
    "garbage", [b"\xff\x00", b"[" * 100_000, b'{"recent": {"a": 1}, "turns": [3]}', b"[]"]
)
def test_garbage_among_the_counts_is_no_count(tmp_path: Path, garbage: bytes) -> None:
    counts = tmp_path / "run" / "asked.json"
    tally = CallTally(str(counts))
    assert tally.take("")
    counts.write_bytes(garbage)
    assert [tally.take("") for _ in range(4)] == [True] * 3 + [False]


def rollout(stage: Stage, session: str, *turns: tuple[str, str, str], folder: Path | None = None) -> Path:
    """In the home of the server: (turn, what the user said, what the agent answered)."""
    below = stage.root / "home/.codex/sessions/2026/11/22"
    below.mkdir(parents=True, exist_ok=True)
    path = below / f"rollout-2026-11-22T23-52-57-{session}.jsonl"
    path.unlink(missing_ok=True)
    made = CodexFile(str(path), session)
    for turn, said, answer in turns:
        made.user(said, turn)
        if answer:
            made.says(answer)
    head, *rows = path.read_text().splitlines()
    meta = json.loads(head)
    meta["payload"] |= {"cwd": str(folder or stage.project), "id": session, "session_id": session}
    path.write_text("\n".join([json.dumps(meta), *rows, ""]))
    return path


def meta(session: str = SESSION, turn: str = "t2", thread: str = "") -> dict[str, Any]:
    ids = {"session_id": session, "thread_id": thread or session, "turn_id": turn}
    return {"x-codex-turn-metadata": ids}


def test_another_sessions_yes_is_the_account_of_that_session_and_lets_nothing_run(
    stage: Stage, call: Call
) -> None:
    """The claim is answered by that session's words; the gate still judges by the agent's own."""
    rollout(stage, OTHER, ("t7", "Delete src/old_auth.py", ""))
    with Gate(record=True) as gate:
        held(gate)
    before = stage.rows()
    found = call("check_write", meta(OTHER, "t7"), **SURE)
    assert found["verdict"] == "skipped" and "from the session's file" in found["account"]
    assert stage.rows() == before
    assert still_held()


def still_held() -> bool:
    history = [("user", "Find unused files"), ("agent", FOUND), ("user", "Just delete it.")]
    with Gate(record=True) as gate:
        again = gate.session("one", history=history)
        found = again.before("Bash", {"command": "rm src/old_auth.py"}, call_id="c2")
    return (found.allowed, found.reason) == (False, "denied_before")


FIXTURE = Path(__file__).parents[3] / "fixtures/hosts/codex/home/sessions"


@pytest.fixture
def delegated(stage: Stage) -> tuple[Stage, Path, Path]:
    """The recorded session that started a subagent, in this project: the stage, its file, the subagent's."""
    below = stage.root / "home/.codex/sessions"
    shutil.copytree(FIXTURE, below)
    parent, child = sorted(below.glob("*/*/*/*.jsonl"))
    for path in (parent, child):
        path.chmod(0o600)
        head, *rows = path.read_text().splitlines()
        row = json.loads(head)
        row["payload"]["cwd"] = str(stage.project)
        path.write_text("\n".join([json.dumps(row), *rows, ""]))
    return stage, parent, child


def of_subagent(parent: Path, child: Path, turn: str = "its-own-turn") -> dict[str, Any]:
    session, thread = (path.stem.split("-", 7)[-1] for path in (parent, child))
    return meta(session, turn, thread)


SUB = {"user": "Make the file sub.txt with hi in it.", "command": "echo hi > sub.txt"}


@pytest.mark.full
def test_a_subagent_of_codex_is_advised_by_what_the_person_said_and_its_task(
    delegated: tuple[Stage, Path, Path], call: Call
) -> None:
    stage, parent, child = delegated
    claim = of_subagent(parent, child)
    within = call("check_write", claim, **SUB)
    assert within["verdict"] == "skipped" and "from the session's file" in within["account"]
    # By its own account this would pass: neither the person nor the task spoke of it.
    beyond = call("check_write", claim, **SURE)
    assert beyond["verdict"] == "failed" and "from the session's file" in beyond["account"]
    assert call("check_write", None, **SURE)["verdict"] == "skipped"
    assert stage.rows() == {}


@pytest.mark.full
def test_subagents_share_the_calls_of_the_turn_that_started_them(
    delegated: tuple[Stage, Path, Path], call: Call
) -> None:
    _, parent, child = delegated
    rows = [json.loads(row)["payload"] for row in parent.read_text().splitlines()]
    (newest,) = (
        row["internal_chat_message_metadata_passthrough"]["turn_id"]
        for row in rows
        if row.get("role") == "user" and row["content"][0]["text"] == "Please delegate it."
    )
    claims = [of_subagent(parent, child, turn) for turn in ("a", "b")]
    claims += [meta(parent.stem.split("-", 7)[-1], newest), of_subagent(parent, child, "c")]
    found = [call("check_write", claim, **SUB) for claim in claims]
    assert all("from the session's file" in one["account"] for one in found[:3])
    assert [spent(one) for one in found] == [False] * 3 + [True]


@pytest.mark.full
def test_a_subagent_that_outlives_its_turn_is_advised_by_what_was_said_since(
    delegated: tuple[Stage, Path, Path],
) -> None:
    stage, parent, child = delegated
    assert stage.call("check_write", of_subagent(parent, child), **SURE)["verdict"] == "failed"
    later = stage.root / "later.jsonl"
    CodexFile(str(later), "x").user("Delete src/old_auth.py", "later-turn")
    _, *rows = later.read_text().splitlines()
    with parent.open("a") as file:
        file.write("\n".join([*rows, ""]))
    found = stage.call("check_write", of_subagent(parent, child), **{**SURE, "user": "Tidy up"})
    assert found["verdict"] == "skipped" and "from the session's file" in found["account"]


def test_a_subagent_whose_session_is_gone_vouches_for_nothing(delegated: tuple[Stage, Path, Path]) -> None:
    stage, parent, child = delegated
    os.unlink(parent)
    found = stage.call("check_write", of_subagent(parent, child), **SUB)
    assert "on your own account" in found["account"]


@pytest.fixture
def talked(stage: Stage) -> Stage:
    turns = (("t1", "Which files are unused?", FOUND), ("t2", "Just delete it.", ""))
    rollout(stage, SESSION, *turns)
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
    rollout(stage, OTHER, ("t2", secret, ""), folder=stage.root / "elsewhere")
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
        rollout(talked, SESSION, *turns)
        return [*found, (await called(client, "check_write", meta(turn="t3"), **SURE))["reason"]]

    reasons = talked.ask(asking)
    assert reasons[3] == "turn_budget_exhausted" and reasons[4] == "insufficient_context"


def test_a_claim_in_the_arguments_is_no_claim(talked: Stage) -> None:
    found = talked.call("check_write", None, **SURE, **meta()["x-codex-turn-metadata"])
    assert "on your own account" in found["account"]
