"""Which transcripts to replay. Knows nothing of what their lines mean."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hooks.recorded import files_named

AGENTS = "subagents"
"""The folder, beside a session's transcript, of those of its subagents."""


def find_transcripts(names: Sequence[str]) -> list[str]:
    """The files named, and every *.jsonl below the folders named but those of subagents. Raises PayloadError."""
    return files_named(
        names, lambda path: path.endswith(".jsonl") and f"{os.sep}{AGENTS}{os.sep}" not in path
    )


def agent_transcripts(path: str) -> list[tuple[str, str]]:
    """(agent id, path) of the subagents of the session whose transcript `path` is."""
    folder = os.path.join(path.removesuffix(".jsonl"), AGENTS)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [
        (name.removeprefix("agent-").removesuffix(".jsonl"), os.path.join(folder, name))
        for name in names
        if name.startswith("agent-") and name.endswith(".jsonl")
    ]
