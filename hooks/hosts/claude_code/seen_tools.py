"""The tools that this project's sessions called, from the client's own session files. Reads only, within bounds.

`<home>/.claude/projects/<folder of the project with - for what is no letter or digit>/*.jsonl`, and the agents' files
below each session. Newest first; what is beyond a bound is not looked at.
"""

from __future__ import annotations

import glob
import os
import re
import time
from collections.abc import Iterator, Mapping

from hooks.hosts.claude_code.transcript.untyped import decode, mapping, sequence, string
from hooks.setup import Seen

FILES_MAX = 40
BYTES_MAX = 8 * 1024 * 1024
"""Of one file, from its end."""
SECONDS_MAX = 2.0
TOOLS_MAX = 500
FIELDS_MAX = 40
_MARK = b'"tool_use"'


def sessions_folder(home: str, project_dir: str) -> str:
    """Where the client keeps the session files of a project."""
    return os.path.join(home, ".claude", "projects", re.sub(r"[^a-zA-Z0-9]", "-", project_dir))


def seen_tools(home: str, project_dir: str) -> Mapping[str, Seen]:
    """By name, in no order. What cannot be read is passed over."""
    found: dict[str, Seen] = {}
    ends = time.monotonic() + SECONDS_MAX
    for path in _newest(sessions_folder(home, project_dir)):
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
    for part in sequence(mapping(whole.get("message")).get("content")):
        block = mapping(part)
        name = string(block.get("name"))
        if block.get("type") != "tool_use" or not name or (name not in found and len(found) >= TOOLS_MAX):
            continue
        seen = found.setdefault(name, Seen())
        seen.calls += 1
        for key, value in mapping(block.get("input")).items():
            if isinstance(value, str) and len(seen.fields) < FIELDS_MAX:
                seen.fields[key] = None
