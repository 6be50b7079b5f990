"""The MCP servers that are configured for a project. Reads only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import cast

from hooks.json_file import read_object


def mcp_servers(home: str, project_dir: str, settings: Iterable[Mapping[str, object]]) -> list[str]:
    """Their names; nothing else of a server's entry is shown, for it may hold secrets."""
    own = _object(read_object(os.path.join(home, ".claude.json")))
    project = _object(_object(own.get("projects")).get(project_dir))
    shared = _object(read_object(os.path.join(project_dir, ".mcp.json")))
    holders = (own, project, shared, *settings)
    return sorted({name for holder in holders for name in _object(holder.get("mcpServers"))})


def _object(value: object) -> dict[str, object]:
    return cast(dict[str, object], value) if isinstance(value, dict) else {}
