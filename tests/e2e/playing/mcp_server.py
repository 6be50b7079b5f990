"""An MCP server over stdio with a tool that writes a file, and one that nobody knows."""

from __future__ import annotations

from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("files")


@server.tool()
def write_file(path: str, content: str) -> str:
    Path(path).write_text(content, encoding="utf-8")
    return "written"


@server.tool()
def keep_all(path: str, content: str) -> str:
    return write_file(path, content)


if __name__ == "__main__":
    server.run("stdio")
