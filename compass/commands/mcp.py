"""`compass mcp`: an MCP server that gives agents advice before they write, over stdio. It gates nothing."""

from __future__ import annotations

import argparse

from compass.api.project import folder_of
from compass.extras import needing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "An agent's client starts it: docs/mcp.md shows how to add it."
    parser.add_argument("--project", metavar="DIR", help="a project other than this folder's")


def run(args: argparse.Namespace) -> int:
    """Exit code 0 once the client has left. Raises CompassError without the extra, and for a folder that is none."""
    project = folder_of(args.project)
    with needing("mcp"):
        from compass.mcp_server import serve_stdio
    serve_stdio(project)
    return 0
