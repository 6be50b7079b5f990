"""`compass mcp`: an MCP server over stdio that gives agents advice before they write. It gates nothing."""

from __future__ import annotations

import argparse

from compass.api.place import folder_of
from evaluator.errors import CompassError

EXTRA = "pip install 'compass-gate[mcp]'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "An agent's client starts it: docs/mcp.md says how it is added."
    parser.add_argument("--project", metavar="DIR", help="another project than that of this folder")


def run(args: argparse.Namespace) -> int:
    """Exit code 0 once the client has left. Raises CompassError without the extra, and for a folder that is none."""
    project = folder_of(args.project)
    try:
        from compass.advising.server import serve_stdio
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise CompassError(f"the MCP SDK is not installed: {EXTRA}") from None
    serve_stdio(project)
    return 0
