"""The harness itself, with stand-ins for Compass: it tells what the client did; nothing passes by default."""

from __future__ import annotations

import asyncio
import shlex
import sys

import anthropic
import pytest
from e2e.playing.messages_api import MessagesApi
from e2e.playing.replies import Json, ReaderPlan, Reset, Script, every, judge, lines, say, writes
from e2e.playing.session import Open, Session

pytestmark = pytest.mark.e2e

DENY = """
import json, sys
event = json.load(sys.stdin)
assert event["tool_name"] == "Write"
answer = {"permissionDecision": "deny", "permissionDecisionReason": "Which one?"}
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}}))
"""
SCHEMA: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"score": {"type": "number"}},
    "required": ["score"],
}


def install_hook(session: Session, source: str, event: str = "PreToolUse", **more: object) -> None:
    script = session.root / f"{event}.py"
    script.write_text(source)
    command = shlex.join([sys.executable, "-I", str(script)])
    hook = {"type": "command", "command": command, "timeout": 10, **more}
    session.write_settings({"hooks": {event: [{"hooks": [hook]}]}})


def test_a_denial_is_seen_on_disk_by_the_model_and_in_the_result(open_session: Open) -> None:
    session = open_session(writes("a.txt", "one\n"))
    install_hook(session, DENY)
    run = session.run("Write a file")
    run.assert_hooks_ran("PreToolUse")
    assert not (session.project / "a.txt").exists()
    assert "Which one?" in run.denial()


def test_a_write_without_a_hook_does_not_count_as_let_through(open_session: Open) -> None:
    session = open_session(writes("a.txt", "one\n"))
    run = session.run("Write a file")
    assert (session.project / "a.txt").read_text() == "one\n"
    with pytest.raises(AssertionError, match="no PreToolUse hook ran"):
        run.assert_hooks_ran("PreToolUse")


def test_a_settings_file_that_the_client_drops_is_noticed(open_session: Open) -> None:
    session = open_session(writes("a.txt", "one\n"))
    install_hook(session, DENY, timeout="10")
    run = session.run("Write a file")
    assert run.dropped_settings
    with pytest.raises(AssertionError):
        run.assert_hooks_ran()


@pytest.mark.parametrize("source", ["print('{half')", "print('{half}')", "raise SystemExit(1)"])
def test_a_hook_that_gives_no_verdict_is_noticed(open_session: Open, source: str) -> None:
    session = open_session(writes("a.txt", "one\n"))
    install_hook(session, source)
    run = session.run("Write a file")
    assert (session.project / "a.txt").exists()
    with pytest.raises((AssertionError, ValueError)):
        run.assert_hooks_ran("PreToolUse")


def test_the_end_of_a_session_is_seen(open_session: Open) -> None:
    session = open_session(lines(say("Hello.")))
    install_hook(session, "", "SessionEnd")
    session.run("Hello").assert_hooks_ran("SessionEnd")


async def ask(api: MessagesApi, count: int, schema: Json = SCHEMA) -> list[str | BaseException]:
    """So many readers at once, through the real SDK."""
    async with anthropic.AsyncAnthropic(base_url=api.url, api_key="none", max_retries=0, timeout=10) as sdk:

        async def one() -> str:
            message = await sdk.messages.create(
                model="any",
                max_tokens=200,
                messages=[{"role": "user", "content": "Which?"}],
                output_config={"format": {"type": "json_schema", "schema": schema}},
            )
            block = message.content[0]
            assert block.type == "text"
            return block.text

        return await asyncio.gather(*(one() for _ in range(count)), return_exceptions=True)


def test_held_back_readers_are_answered_only_once_all_wait() -> None:
    plan = ReaderPlan(lambda number, _body: {"score": number / 10}, gather=5, gather_seconds=1.0)
    with MessagesApi(Script(), plan) as api:
        together = asyncio.run(ask(api, 5))
        assert sorted(map(str, together)) == [f'{{"score": {n / 10}}}' for n in range(5)]
        asked = api.of("reader")
        assert max(one.arrived for one in asked) < min(one.answered or 0 for one in asked)
        too_few = asyncio.run(ask(api, 4))
        assert all(isinstance(answer, anthropic.InternalServerError) for answer in too_few)
        assert api.faults == []


def test_a_reset_reaches_the_sdk_as_a_connection_error() -> None:
    with MessagesApi(Script(), every(Reset())) as api:
        (answer,) = asyncio.run(ask(api, 1))
        assert isinstance(answer, anthropic.APIConnectionError)


def test_a_schema_that_the_hosted_api_refuses_is_refused_here() -> None:
    bounded = {**SCHEMA, "properties": {"score": {"type": "number", "minimum": 0}}}
    with MessagesApi(Script(), every(judge(0.9))) as api:
        (answer,) = asyncio.run(ask(api, 1, bounded))
        assert isinstance(answer, anthropic.BadRequestError)
        assert api.faults == ["output_config.format.schema: 'minimum' is not supported"]
