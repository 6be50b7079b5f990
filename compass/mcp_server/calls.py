"""Who calls `check_write`, by the session's own file, and how often, by the counts of a project's calls."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import threading
import time
from collections.abc import Mapping
from typing import cast

from pydantic import BaseModel, ValidationError

from compass.api.place import folder_of
from evaluator import wire
from evaluator.effects import text_of
from evaluator.errors import CompassError
from evaluator.files import PRIVATE_FILE, locked, private_folder
from evaluator.model import Exchange
from evaluator.record import Record
from evaluator.settings.places import project_root
from hooks import registry

CODEX, CODEX_META = "codex", "x-codex-turn-metadata"
TOOL = "compass"
CALLS_MAX = 3
SPAN_SECONDS = 60.0
TURNS_MAX = 1000
"""Turns that are remembered, the newest."""
LOCK_SECONDS = 2.0
BYTES_MAX = 1 << 20


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


class CallCounts(BaseModel):
    """Counts of one project, as they are kept. `turns` are calls by turn, `recent` the seconds of those without one.

    Not for threads.
    """

    turns: dict[str, int] = {}
    recent: list[float] = []

    def take(self, turn: str, now: float) -> bool:
        """Whether one more call may be made. `turn` is empty where no session's file vouches for one; `now` in
        seconds. A call that was made later than `now` counts for nothing: the clock was set back since.
        """
        if turn:
            taken = self.turns.pop(turn, 0)
            self.turns[turn] = min(taken + 1, CALLS_MAX)
            if len(self.turns) > TURNS_MAX:
                del self.turns[next(iter(self.turns))]
            return taken < CALLS_MAX
        self.recent = [at for at in self.recent if 0 <= now - at < SPAN_SECONDS]
        if len(self.recent) >= CALLS_MAX:
            return False
        self.recent.append(now)
        return True


class CallTally:
    """`path` is the file of the counts; empty for none. Safe for threads."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._own = CallCounts()
        self._lock = threading.Lock()

    def take(self, turn: str) -> bool:
        """As `CallCounts.take`, at the time once nobody else counts: an earlier one would miss their calls."""
        try:
            return self._shared(turn)
        except OSError:
            with self._lock:
                return self._own.take(turn, time.time())

    def _shared(self, turn: str) -> bool:
        private_folder(os.path.dirname(self._path), repair=False)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        file = os.open(self._path, flags, PRIVATE_FILE)
        try:
            with locked(file, LOCK_SECONDS, self._path):
                calls = _kept(os.pread(file, BYTES_MAX, 0))
                may = calls.take(turn, time.time())
                raw = calls.model_dump_json().encode()
                os.pwrite(file, raw, 0)
                os.ftruncate(file, len(raw))
                return may
        finally:
            os.close(file)


def tally_of(env: Mapping[str, str], project: str | None) -> CallTally:
    """Of the server's project."""
    folder = os.fsdecode(wire.run_dir(wire.folder_variables(env)))
    root = project_root(folder_of(project))
    name = hashlib.sha256(root.encode(errors="surrogateescape")).hexdigest()[:16]
    return CallTally(os.path.join(folder, f"asked-{name}.json") if folder else "")


def _kept(raw: bytes) -> CallCounts:
    """None so far where they are damaged."""
    try:
        return CallCounts.model_validate_json(raw)
    except ValidationError:
        return CallCounts()
