"""What the tests of the hosted backends share: a request, one-time tokens, a fake `claude` program."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer
from running.hookrun import KEY

from compass.composition.gate import SystemClock
from evaluator.egress.prompt import SCHEMA
from evaluator.errors import ReaderError
from evaluator.ports import Backend, ReaderReply, ReaderRequest
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.claude_warm import WarmClaudeBackend
from evaluator.readers.server_capabilities import ServerMemory
from evaluator.state.store import MemoryStore

MODEL = "claude-haiku-4-5-20251001"

REQUEST = ReaderRequest(
    system="the rules", user="the slots, with an é", schema=SCHEMA, max_output_tokens=400, temperature=0.3,
    timeout=5.0, user_id="0123456789abcdef0123456789abcdef",
)  # fmt: skip

FAKE_CLAUDE = """\
import argparse, json, os, pathlib, sys, time
parser = argparse.ArgumentParser(allow_abbrev=False)
parser.add_argument("-p", action="store_true", required=True)
parser.add_argument("--output-format", choices=["json"], required=True)
parser.add_argument("--tools", choices=[""], required=True)
for name in ("--settings", "--model", "--system-prompt", "--json-schema"):
    parser.add_argument(name)
plan = json.loads(pathlib.Path(os.environ["FAKE_CLAUDE_PLAN"]).read_text())
optional = ("--no-session-persistence", "--setting-sources", "--strict-mcp-config", "--safe-mode")
for name in optional:
    if name in sys.argv and name in plan.get("lacks", []):
        sys.exit("error: unknown option '" + name + "'")
    takes = {} if name == "--setting-sources" else {"action": "store_true"}
    parser.add_argument(name, **takes)
args = parser.parse_args()
stdin = sys.stdin.buffer.read().decode()
seen = {"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "stdin": stdin}
pathlib.Path(os.environ["FAKE_CLAUDE_PLAN"] + ".seen").write_text(json.dumps(seen))
if plan.get("child"):
    import subprocess
    child = subprocess.Popen(["sleep", "60"])
    pathlib.Path(os.environ["FAKE_CLAUDE_PLAN"] + ".child").write_text(str(child.pid))
if plan.get("hang"):
    time.sleep(60)
sys.stdout.write(plan.get("stdout", ""))
sys.stderr.write(plan.get("stderr", ""))
sys.exit(plan.get("code", 0))
"""

RESULT = {
    "type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn",
    "total_cost_usd": 0.0002,
    "usage": {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 20},
}  # fmt: skip


def claude_result(**changes: object) -> dict[str, object]:
    """A plan for the fake program: what the real one prints, and its exit code."""
    printed = {**RESULT, **changes}
    return {"stdout": json.dumps(printed), "code": 1 if printed["is_error"] else 0}


def claude_error(text: str, **changes: object) -> dict[str, object]:
    return claude_result(is_error=True, result=text, **changes)


class Tokens:
    """Issues one-time tokens and remembers which are still valid."""

    def __init__(self) -> None:
        self.issued: list[str] = []
        self.valid: set[str] = set()

    def issue(self) -> str:
        token = f"token-{len(self.issued)}"
        self.issued.append(token)
        self.valid.add(token)
        return token

    def revoke(self, token: str) -> None:
        self.valid.remove(token)


@dataclass
class Fake:
    """The fake `claude` program: its plan, and what its last run saw."""

    folder: Path

    def __post_init__(self) -> None:
        program = self.folder / "claude"
        program.write_text(f"#!{sys.executable} -IS\n{FAKE_CLAUDE}")
        program.chmod(0o755)
        self.plan(claude_result(result=answer()))

    def plan(self, plan: Mapping[str, object]) -> None:
        (self.folder / "plan").write_text(json.dumps(plan))

    @property
    def seen(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "plan.seen").read_text())
        return found

    @property
    def env(self) -> dict[str, str]:
        return {
            "PATH": f"{self.folder}{os.pathsep}{os.environ['PATH']}",
            "FAKE_CLAUDE_PLAN": str(self.folder / "plan"), "ANTHROPIC_API_KEY": KEY, "CLAUDECODE": "1",
            "CLAUDE_CODE_SESSION_ID": "outer", "CLAUDE_CODE_OAUTH_TOKEN": "kept",
        }  # fmt: skip


def server_memory(state: MemoryStore | None = None, model: str = MODEL) -> ServerMemory:
    return ServerMemory(state or MemoryStore(), SystemClock(), "anthropic", "", model)


def api_backend(api: LoopbackApi, **options: Any) -> AnthropicBackend:
    given = {"memory": server_memory(), "base_url": api.url, **options}
    return AnthropicBackend(MODEL, {"ANTHROPIC_API_KEY": KEY}, **given)


def cli_backend(fake: Fake, tokens: Tokens) -> ClaudeCliBackend:
    return ClaudeCliBackend(MODEL, fake.env, issue=tokens.issue, revoke=tokens.revoke)


def ask(backend: Backend, request: ReaderRequest = REQUEST) -> ReaderReply:
    """One answer on a loop of its own; the connections are closed after it."""

    async def once() -> ReaderReply:
        try:
            return await backend.ask(request)
        finally:
            await backend.aclose()

    return asyncio.run(once())


def fault(backend: Backend, request: ReaderRequest = REQUEST) -> ReaderError:
    with pytest.raises(ReaderError) as caught:
        ask(backend, request)
    return caught.value


# What a warm backend keeps: its processes, and the work on them that goes on after an answer.


async def settled(backend: WarmClaudeBackend) -> None:
    """Until what was used is free again."""
    while backend._tasks:
        await asyncio.gather(*backend._tasks, return_exceptions=True)


def pids(backend: WarmClaudeBackend) -> set[int]:
    return {kept.process.pid for kept in backend._all}


def play(backend: WarmClaudeBackend, script: Callable[[], Awaitable[Any]]) -> Any:
    """What `script` returns; the backend is closed on the loop that it ran on."""

    async def whole() -> Any:
        try:
            return await script()
        finally:
            await backend.aclose()

    return asyncio.run(whole())
