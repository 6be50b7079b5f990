"""What a warm backend keeps: its processes, and the work on them that goes on after an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from evaluator.readers.claude_warm import WarmClaudeBackend


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
