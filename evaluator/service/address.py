"""Where the HTTP API and the MCP server lie, and how hooks call the API. Light: `init` and the doctor read it."""

from __future__ import annotations

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8477
MCP_PORT = 8478
TEAM_PORT = 8790
MCP_PATH = "/mcp"
TOKEN_VARIABLE = "COMPASS_HTTP_TOKEN"  # noqa: S105 - a name
PROJECT_HEADER = "X-Compass-Project-Dir"
"""Percent-encoded. The host tells an http hook no folder of the project."""
WIRED_HEADER = "X-Compass-Wired"
"""What the entry says of itself, see `evaluator.configuration.wired_entry`."""
HOOKS_PATH = "/v1/hooks/"


def base_of(port: int) -> str:
    return f"http://{DEFAULT_HOST}:{port}"


def hook_url(port: int, event: str) -> str:
    return f"{base_of(port)}{HOOKS_PATH}{event}"
