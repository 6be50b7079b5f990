"""What a subagent was told to do, from its own transcript beside its parent's."""

from __future__ import annotations

import os
import re

from evaluator.record import Record
from hooks.hosts.claude_code.transcript.messages import classify
from hooks.lines import open_regular

HEAD_BYTES_MAX = 1024 * 1024
"""The task is on the first line of the file; a task that does not fit is not read."""

_AGENT_ID = r"[A-Za-z0-9_-]{1,64}"


class Delegation(Record):
    """`prompt_id` is the prompt in whose turn the agent was started."""

    task: str = ""
    prompt_id: str | None = None


def agent_path(transcript_path: str, agent_id: str) -> str | None:
    """Where the client keeps this agent's transcript; None for an id that may not be part of a path."""
    if not re.fullmatch(_AGENT_ID, agent_id):
        return None
    return f"{transcript_path.removesuffix('.jsonl')}/subagents/agent-{agent_id}.jsonl"


def read_delegation(transcript_path: str, agent_id: str) -> Delegation:
    """The first user line of the agent's file; empty if there is none to read."""
    path = agent_path(transcript_path, agent_id)
    for raw in _head(path) if path else ():
        entry = classify(raw)
        if entry is not None and entry.kind == "prompt":
            return Delegation(entry.text, entry.prompt_id)
    return Delegation()


def _head(path: str) -> list[bytes]:
    descriptor = open_regular(path)
    if descriptor is None:
        return []
    try:
        return os.pread(descriptor, HEAD_BYTES_MAX, 0).split(b"\n")
    except OSError:
        return []
    finally:
        os.close(descriptor)
