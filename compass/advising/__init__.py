"""`compass mcp`: advice for agents that ask. It reads and judges; it holds, releases and records nothing.

`server` alone knows the MCP SDK, which is the extra `[mcp]`; the rest are plain functions over the public `judge` and
the kept checks.
"""
