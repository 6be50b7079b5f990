"""What other programs start: `compass mcp`, an MCP server that gives agents advice before they write and gates nothing;
help and wrong usage of `compass hook` and `compass statusline`, which `compass.entry` answers long before this."""

from __future__ import annotations

import argparse
import json
import posix
import sys
import time

from hooks import registry, statusline


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The agent's client starts this server; docs/mcp.md shows how to add it."
    parser.add_argument("--project", metavar="DIR", help="a project other than this folder's")


def run_mcp(args: argparse.Namespace) -> int:
    """Exit code 0 once the client has left. Raises CompassError without the extra, and for a folder that is none."""
    from compass.api.gate import folder_of
    from compass.extras import needing

    project = folder_of(args.project)
    with needing("mcp"):
        from compass.mcp_server import serve_stdio
    serve_stdio(project)
    return 0


def add_hook_arguments(parser: argparse.ArgumentParser) -> None:
    told = "the host's event; its payload is read from stdin"
    parser.add_argument("event", choices=sorted(registry.default_host().EVENTS), help=told)
    told = "words that `compass init` writes into the hook entry to describe it"
    parser.add_argument("--wired", nargs="+", metavar="WORD", help=told)


def run_hook(args: argparse.Namespace) -> int:
    from compass.hook.entry import judge
    from hooks.client import run

    sys.stdout.flush()
    return run(str(args.event), lambda: judge)


def add_statusline_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Reads the host's JSON from stdin. `compass init --statusline` wires it; you can also call it from "
        "your own status line."
    )


def run_statusline(args: argparse.Namespace) -> int:
    """Exit code 0. What the host passes besides is taken by `compass.entry`."""
    payload = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    found = statusline.looked(payload, posix.environ, time.time())
    if not args.json:
        print(statusline.line(found))
        return 0
    values = {name: getattr(found, name) for name in sorted(found.__slots__)} if found is not None else None
    print(json.dumps({"line": statusline.line(found), "session": values}, indent=2))
    return 0
