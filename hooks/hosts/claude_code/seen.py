"""What this project's sessions called, from the client's own session files, and the MCP servers that are configured for
it. Reads only, within bounds.

Session files lie in `<home>/.claude/projects/<folder of the project with - for what is no letter or digit>/*.jsonl`,
and the agents' below each session. Newest first; what is beyond a bound is not looked at.
"""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Iterable, Iterator, Mapping

from hooks.entries import read_object
from hooks.setup import Seen
from hooks.untyped import decode, mapping, mappings, string

FILES_MAX = 40
BYTES_MAX = 8 * 1024 * 1024
"""Of one file, from its end."""
SECONDS_MAX = 2.0
TOOLS_MAX = 500
FIELDS_MAX = 40
_MARK = b'"tool_use"'


def seen_tools(folder: str) -> Mapping[str, Seen]:
    """By name, in no order. What cannot be read is passed over."""
    found: dict[str, Seen] = {}
    ends = time.monotonic() + SECONDS_MAX
    for path in _newest(folder):
        for line in _lines(path):
            if time.monotonic() > ends:
                return found
            if _MARK in line:
                _note(line, found)
    return found


def _newest(folder: str) -> list[str]:
    here = glob.escape(folder)
    paths = glob.glob(os.path.join(here, "*.jsonl")) + glob.glob(
        os.path.join(here, "*", "subagents", "*.jsonl")
    )
    dated: list[tuple[float, str]] = []
    for path in paths:
        try:
            seen = os.stat(path)
        except OSError:
            continue
        dated.append((seen.st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)[:FILES_MAX]]


def _lines(path: str) -> Iterator[bytes]:
    try:
        # A fifo would wait for a writer.
        if not os.path.isfile(path):
            return
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - BYTES_MAX))
            yield from file.read(BYTES_MAX).split(b"\n")
    except OSError:
        return


def _note(line: bytes, found: dict[str, Seen]) -> None:
    whole = mapping(decode(line))
    if string(whole.get("type")) != "assistant":
        return
    for block in mappings(mapping(whole.get("message")).get("content")):
        name = string(block.get("name"))
        if block.get("type") != "tool_use" or not name or (name not in found and len(found) >= TOOLS_MAX):
            continue
        seen = found.setdefault(name, Seen())
        seen.calls += 1
        for key, value in mapping(block.get("input")).items():
            if isinstance(value, str) and len(seen.fields) < FIELDS_MAX:
                seen.fields[key] = None


def mcp_servers(home: str, project_dir: str, settings: Iterable[Mapping[str, object]]) -> list[str]:
    """Their names; nothing else of a server's entry is shown, for it may hold secrets."""
    own = mapping(read_object(os.path.join(home, ".claude.json")))
    project = mapping(mapping(own.get("projects")).get(project_dir))
    shared = mapping(read_object(os.path.join(project_dir, ".mcp.json")))
    holders = (own, project, shared, *settings)
    return sorted({name for holder in holders for name in mapping(holder.get("mcpServers"))})
