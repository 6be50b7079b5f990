"""`compass mcp`: an MCP server that gives agents advice before they write, over stdio or HTTP. It gates nothing."""

from __future__ import annotations

import argparse
import os

from compass.api.place import folder_of
from compass.extras import needing
from evaluator.errors import CompassError
from evaluator.service.tokens import DEFAULT_HOST, MCP_PORT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "An agent's client starts it, or is given its address: docs/mcp.md says how it is added."
    parser.add_argument("--project", metavar="DIR", help="another project than that of this folder")
    parser.add_argument(
        "--http", action="store_true", help="serve over HTTP, with a bearer token, until it is stopped"
    )
    parser.add_argument(
        "--host", default=None, help=f"with --http: listen here (default {DEFAULT_HOST}, this machine alone)"
    )
    parser.add_argument("--port", type=int, default=None, help=f"with --http: this port (default {MCP_PORT})")


def run(args: argparse.Namespace) -> int:
    """Exit code 0 once the client has left, or the process was told to end.

    Raises CompassError without the extra, for a folder that is none, and for an address that cannot be listened at.
    """
    if not args.http and (args.host is not None or args.port is not None):
        raise CompassError("--host and --port go with --http")
    project = folder_of(args.project)
    with needing("mcp"):
        from compass.mcp_server import server
    if not args.http:
        server.serve_stdio(project)
        return 0
    from compass.mcp_server.http import serve_http

    port = MCP_PORT if args.port is None else args.port
    return serve_http(project, args.host or DEFAULT_HOST, port, os.environ, as_json=args.json)
