"""The example for the Claude Agent SDK, as it stands, with the real SDK and the real client."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import claude_agent_sdk as sdk
import pytest
from e2e.playing.replies import Message, Script, act, call, say, write
from e2e.playing.session import REPOSITORY, Open, Session

from compass import Gate
from compass.composition import process

pytestmark = pytest.mark.e2e

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
MENU = "Which one?\n1. delete src/old_auth.py\n2. delete src/legacy_auth.py"


def delete(name: str) -> Message:
    return act("On it.", call("Bash", command=f"rm src/{name}", description="Delete"))


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hooks_of", REPOSITORY / "examples" / "agent_sdk_hooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass
class Program:
    """What a program over the SDK does: passes on what its user types, shows what comes back."""

    example: ModuleType
    gate: Gate
    client: sdk.ClaudeSDKClient
    shown: list[str]

    async def says(self, text: str) -> list[sdk.Message]:
        await self.client.query(text)
        heard: list[sdk.Message] = []
        async for message in self.client.receive_response():
            self.example.hear(self.gate, message)
            heard.append(message)
        return heard


@asynccontextmanager
async def running(session: Session, example: ModuleType) -> AsyncIterator[Program]:
    shown: list[str] = []
    with Gate(session.project, backend="embedded") as gate:
        options = example.options(gate, shown.append, cli_path=session.client, cwd=session.project)
        async with sdk.ClaudeSDKClient(options) as client:
            yield Program(example, gate, client, shown)
    process.close()


def alone(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is the program: the client inherits its environment."""
    for name in set(os.environ) - set(session.environment()):
        monkeypatch.delenv(name)
    for name, value in session.environment().items():
        monkeypatch.setenv(name, value)
    (session.project / "src").mkdir()
    for name in ("old_auth.py", "legacy_auth.py"):
        (session.project / "src" / name).write_text("x = 1\n")


def sources(session: Session) -> list[str]:
    return sorted(path.name for path in (session.project / "src").iterdir())


def results(messages: Sequence[sdk.Message]) -> list[sdk.ToolResultBlock]:
    return [
        block
        for message in messages
        if isinstance(message, sdk.UserMessage) and not isinstance(message.content, str)
        for block in message.content
        if isinstance(block, sdk.ToolResultBlock)
    ]


def digit_of(reading: str, question: str) -> str:
    (line,) = [line for line in question.splitlines() if line.endswith(f". {reading}")]
    return line.split(".")[0].strip()


@pytest.mark.smoke
def test_a_session_of_the_sdk_is_held_asked_and_answered_by_a_digit(
    open_session: Open, example: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plot(project: Path) -> Script:
        held = (delete("old_auth.py"), say(MENU))
        chosen = (delete("legacy_auth.py"), delete("old_auth.py"), say("Deleted src/old_auth.py."))
        return Script((say(FOUND), *held, *chosen, write(project, "notes.md", "hello\n"), say("Done.")))

    session = open_session(plot)
    alone(session, monkeypatch)

    async def play() -> None:
        async with running(session, example) as program:
            await program.says("Which files are unused?")
            assert program.shown == []

            heard = await program.says("Just delete it.")
            assert sources(session) == ["legacy_auth.py", "old_auth.py"]
            (question,) = program.shown
            assert question.startswith("Compass held back: delete src/old_auth.py")
            (refused,) = results(heard)
            assert refused.is_error and "Compass held back: delete" in str(refused.content)

            asked = len(session.api.of("agent"))
            await program.says("compass: status")
            assert "Held in this session: delete src/old_auth.py" in program.shown[1]
            assert len(session.api.of("agent")) == asked, "a control costs no model turn"

            heard = await program.says(digit_of("delete src/old_auth.py", question))
            other, fitting = results(heard)
            assert other.is_error and "does not match what the user chose" in str(other.content)
            assert not fitting.is_error
            assert sources(session) == ["legacy_auth.py"]

            (written,) = results(await program.says("Create notes.md that says hello"))
            assert not written.is_error
            assert (session.project / "notes.md").read_text() == "hello\n"
            assert len(program.shown) == 3, "the second question was that of the call that did not fit"

    asyncio.run(play())


@pytest.mark.parametrize(("hook", "asked"), [("prompt", 0), ("before", 2)])
def test_a_hook_that_fails_lets_nothing_pass(
    open_session: Open, example: ModuleType, monkeypatch: pytest.MonkeyPatch, hook: str, asked: int
) -> None:
    """Unless it is told otherwise, the client goes on as if there were no such hook."""
    session = open_session(
        lambda project: Script((write(project, "notes.md", "hello\n"), say("It was blocked.")))
    )
    alone(session, monkeypatch)
    monkeypatch.setattr(example.Hooks, hook, fails)

    async def play() -> None:
        async with running(session, example) as program:
            heard = await program.says("Create notes.md that says hello")
            assert len(session.api.of("agent")) == asked
            assert all(one.is_error for one in results(heard))
            assert not (session.project / "notes.md").exists()

    asyncio.run(play())


async def fails(*_: object) -> dict[str, object]:
    raise RuntimeError("it cannot tell")
