"""`compass mcp` as a process over stdio, asked by the SDK's own client."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, get_default_environment
from running import forked
from running.hookrun import MAIN

T = TypeVar("T")

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
SECONDS = 60.0


@dataclass
class Stage:
    """`ask` runs one client against one server process."""

    root: Path
    env: dict[str, str]
    words: list[str] = field(default_factory=list)

    @property
    def project(self) -> Path:
        return self.root / "project"

    def ask(self, asking: Callable[[Client], Awaitable[T]], **given: Any) -> T:
        env = {**get_default_environment(), **self.env}
        program, *words = forked.command(MAIN, env, "mcp", *self.words)
        server = StdioServerParameters(command=program, args=words, env=self.env, cwd=str(self.project))

        async def main() -> T:
            with anyio.fail_after(SECONDS):
                async with Client(server, **given) as client:
                    return await asking(client)

        return anyio.run(main)

    def call(self, tool: str, /, meta: Any = None, **arguments: Any) -> dict[str, Any]:
        """One call of a fresh server."""
        return self.ask(lambda client: called(client, tool, meta, **arguments))

    def settings(self, values: dict[str, object]) -> None:
        """The user's own, by dotted name."""
        path = self.root / "state/compass/settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"compass": values}))

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that the database holds, by table; empty without one."""
        path = self.root / "state/compass/compass.db"
        if not path.exists():
            return {}
        with closing(sqlite3.connect(path)) as database, database:
            tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            found = {name: database.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}
        database.close()
        return found

    def files(self) -> set[str]:
        return {str(path) for path in self.root.rglob("*") if path.is_file()}


async def called(client: Client, tool: str, meta: Any = None, /, **arguments: Any) -> dict[str, Any]:
    found = await client.call_tool(tool, arguments, meta=meta)
    assert not found.is_error, found.content
    assert found.structured_content is not None
    return found.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return "".join(getattr(block, "text", "") for block in found.content)
