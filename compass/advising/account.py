"""What the user said, by the session's own file where the client names one of this project; else nobody knows.

The ids come from the client beside the call (`_meta`), never from the model. A file of another project is not read
beyond its first line, and a turn that is not the newest of its session vouches for nothing.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Mapping
from typing import cast

from compass.api.place import folder_of
from evaluator.configuration.project import project_root
from evaluator.effects import text_of
from evaluator.errors import CompassError
from evaluator.model import Exchange
from evaluator.record import Record
from hooks import registry

CODEX, CODEX_META = "codex", "x-codex-turn-metadata"
TOOL = "compass"


class Account(Record):
    """`turn` names the turn that the call was made in, for counting."""

    exchange: Exchange
    turn: str


def account_of(
    meta: Mapping[str, object], project: str | None, env: Mapping[str, str], home: str
) -> Account | None:
    """`project` is that of the server. None where no session's file vouches for the call."""
    told = meta.get(CODEX_META)
    if not isinstance(told, dict):
        return None
    given = cast(Mapping[str, object], told)
    session, turn = text_of(given, "session_id"), text_of(given, "turn_id")
    path = _rollout(text_of(given, "thread_id") or session, env, home)
    if not (path and session and turn):
        return None
    host = registry.host_of(CODEX)
    payload: dict[str, object] = {
        "session_id": session, "turn_id": turn, "transcript_path": path, "cwd": os.sep,
        "tool_name": TOOL, "tool_input": {},
    }  # fmt: skip
    try:
        pending = host.pending_write(host.parse(json.dumps(payload).encode()), {})
    except CompassError:
        return None
    if project_root(pending.project_dir) != project_root(folder_of(project)):
        return None
    source = host.transcripts(None)
    spoken, exchange = source.voices(pending), source.exchange(pending, ())
    newest = spoken[0].prompt_id if spoken else None
    # A subagent's turn is its own; what the person said is that of its session.
    if not exchange.request or newest is None or not (newest == turn or exchange.delegated_task):
        return None
    # Counted by the session's turn alone, so that subagents have no calls of their own.
    return Account(exchange, hashlib.sha256(newest.encode()).hexdigest())


def _rollout(thread: str, env: Mapping[str, str], home: str) -> str:
    """The session's file; empty for an id that is none, or has no file."""
    if not thread or not thread.replace("-", "").isalnum():
        return ""
    root = env.get("CODEX_HOME") or os.path.join(home, ".codex")
    below = os.path.join(glob.escape(root), "sessions", "*", "*", "*", f"rollout-*-{thread}.jsonl")
    return next(iter(glob.iglob(below)), "")
