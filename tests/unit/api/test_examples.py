"""The examples, as they stand: an agent loop over the Anthropic SDK, and hooks of the Claude Agent SDK."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import claude_agent_sdk as sdk
import pytest
from anthropic import Anthropic
from apis.loopback_api import Behaviour, LoopbackApi, reply
from repository import ROOT

import compass
from compass import Gate

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."


def test_the_package_is_the_one_to_be_tested() -> None:
    """`test_wheel` runs this file against the built wheel."""
    expected = os.environ.get("COMPASS_TESTED", str(ROOT))
    assert Path(compass.__file__).is_relative_to(expected)


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def calls(line: str, number: int, text: str = "On it.") -> Behaviour:
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": "sh", "input": {"line": line}}
    return reply("", content=[{"type": "text", "text": text}, block], stop_reason="tool_use")


@pytest.fixture
def sources(project: Path) -> Iterator[Path]:
    for name in ("old_auth.py", "legacy_auth.py"):
        (project / "src" / name).write_text("x = 1\n")
    yield project / "src"


def results(api: LoopbackApi, number: int) -> list[dict[str, Any]]:
    """The tool results that a request ends in."""
    found: list[dict[str, Any]] = api.requests[number].body["messages"][-1]["content"]
    return found


def digit_of(reading: str, shown: list[str]) -> str:
    """Under which it stands in the question that the person was shown."""
    (question,) = [one for one in shown if one.startswith("Compass held back")]
    (line,) = [line for line in question.splitlines() if line.endswith(f". {reading}")]
    return line.split(".")[0].strip()


def test_an_agent_loop_over_the_anthropic_sdk_is_held_asked_and_answered_by_a_digit(sources: Path) -> None:
    loop = example("anthropic_loop")
    said = ["Which files are unused?", "Just delete it.", "compass: status", "DIGIT", ""]
    shown: list[str] = []

    def ask() -> str:
        text = said.pop(0)
        return digit_of("delete src/old_auth.py", shown) if text == "DIGIT" else text

    with LoopbackApi() as api, Gate(tools=loop.TOOLS) as gate:
        api.queue(
            reply(FOUND),
            calls("rm src/old_auth.py", 1),
            reply("Which one?\n1. delete src/old_auth.py\n2. delete src/legacy_auth.py"),
            calls("rm src/legacy_auth.py", 2),
            calls("rm src/old_auth.py", 3),
            reply("Deleted src/old_auth.py."),
        )
        client = Anthropic(base_url=api.url, api_key="none", max_retries=0)
        loop.converse(client, gate.session("terminal"), ask, shown.append)
        client.close()
        assert "temperature" not in api.requests[0].body
        assert len(api.requests) == 6, "a control costs no model turn"
        (held,) = results(api, 2)
        assert held["is_error"] and held["content"].startswith("Compass held back")
        (other,) = results(api, 4)
        assert other["is_error"] and "does not match what the user chose" in other["content"]
        (done,) = results(api, 5)
        assert done == {"type": "tool_result", "tool_use_id": "toolu_3", "content": "", "is_error": False}
    assert sorted(path.name for path in sources.iterdir()) == ["legacy_auth.py"]
    assert any(one.startswith("Compass: mode enforce") for one in shown)


def given(event: str, **more: object) -> dict[str, object]:
    """A callback's input, as the SDK documents it."""
    return {
        "session_id": "s1", "transcript_path": "", "cwd": os.getcwd(), "hook_event_name": event, **more,
    }  # fmt: skip


def test_hooks_of_the_claude_agent_sdk_hold_ask_and_release(sources: Path) -> None:
    """By their inputs alone; `tests/e2e/test_agent_sdk.py` runs the client that calls them."""
    hooks_of = example("agent_sdk_hooks")
    shown: list[str] = []

    async def play() -> None:
        with Gate() as gate:
            hooks = hooks_of.Hooks(gate, shown.append)

            async def call(command: str, number: str) -> dict[str, Any]:
                asked = given(
                    "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id=number
                )
                return await hooks.before(asked, number, {"signal": None})

            async def user(text: str) -> dict[str, Any]:
                return await hooks.prompt(given("UserPromptSubmit", prompt=text), None, {"signal": None})

            assert await user("Find unused files") == {}
            hooks_of.hear(gate, message(FOUND))
            assert await user("Just delete it.") == {}
            assert shown == []
            held = await call("rm src/old_auth.py", "t1")
            assert held["hookSpecificOutput"]["permissionDecision"] == "deny"
            assert held["hookSpecificOutput"]["permissionDecisionReason"].startswith("Compass held back")
            assert len(shown) == 1 and "could mean more than one thing" in shown[0]
            status = await user("compass: status")
            assert status["decision"] == "block" and "Held in this session" in status["reason"]
            assert shown[1:] == [status["reason"]]
            told = await user("compass: proceed")
            assert "allowed" in told["hookSpecificOutput"]["additionalContext"]
            assert await call("rm src/old_auth.py", "t2") == {}
            failed = given(
                "PostToolUseFailure", tool_name="Bash", tool_input={}, tool_use_id="t2", error="no"
            )
            assert await hooks.failed(failed, "t2", {"signal": None}) == {}
            assert await call("rm src/old_auth.py", "t3") == {}
            done = given("PostToolUse", tool_name="Bash", tool_input={}, tool_use_id="t3", tool_response={})
            assert await hooks.after(done, "t3", {"signal": None}) == {}
            assert await call("rm src/old_auth.py", "t4") != {}
            json.dumps(held)

    asyncio.run(play())


def message(text: str) -> sdk.AssistantMessage:
    return sdk.AssistantMessage(content=[sdk.TextBlock(text)], model="m", session_id="s1")
