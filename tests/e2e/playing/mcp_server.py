"""An MCP server on stdin and stdout with a tool that writes a file, one that reads it, and one that nobody knows.

As `python3 mcp_server.py`; the standard library alone. Messages are JSON-RPC 2.0, one a line.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_FIELDS = {"write_file": ("path", "content"), "read_text_file": ("path",), "keep_all": ("path", "content")}


def tool(name: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {field: {"type": "string"} for field in _FIELDS[name]}}
    return {
        "name": name,
        "description": f"{name} of a test",
        "inputSchema": {**schema, "required": [*_FIELDS[name]]},
    }


def call(name: str, given: dict[str, str]) -> dict[str, Any]:
    path = Path(given["path"])
    if name == "read_text_file":
        said = path.read_text(encoding="utf-8")
    else:
        path.write_text(given["content"], encoding="utf-8")
        said = "written"
    return {"content": [{"type": "text", "text": said}]}


def answer(message: dict[str, Any]) -> dict[str, Any] | None:
    """The result, or None for what needs no answer."""
    method, given = message.get("method"), message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": given["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "files", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [tool(name) for name in _FIELDS]}
    if method == "tools/call":
        return call(given["name"], given.get("arguments") or {})
    return {} if "id" in message else None


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        result = answer(message)
        if result is not None and "id" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
