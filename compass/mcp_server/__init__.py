"""`compass mcp`: advice for agents that ask. It reads and judges; it holds, releases and records nothing."""
