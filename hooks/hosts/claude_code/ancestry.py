"""Whether a tool call started this session: by the client's ancestors, or by a mark that it inherited.

Claude Code 2.1.330, tried: a client that a Bash call starts sets its own CLAUDE_PID and CLAUDE_CODE_SESSION_ID for its
hooks, so a hook's variables do not tell. The environment that the client itself was started with does: it holds
CLAUDECODE, AI_AGENT, and CLAUDE_PID and CLAUDE_CODE_SESSION_ID of the session whose call it was. `env -i` takes these
away; then the ancestors still tell, since every client is noted under its process at its first prompt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.model import Origin, Parent
from evaluator.processes import PROC, Process, ancestors, process_of
from hooks.hosts.claude_code.marks import MARKS

if TYPE_CHECKING:
    from hooks.host import OriginNotes

PARENTS_MAX = 8
ENVIRON_BYTES_MAX = 1024 * 1024


def origin_of(env: Mapping[str, str], notes: OriginNotes, session: str, transcript: str) -> Origin | None:
    """Which calls this session comes from; None for one that no tool call started, or where nobody can tell.

    What was found is noted under the client's process, once for each session of it.
    """
    client = process_of(env.get("CLAUDE_PID", ""))
    if client is None:
        return None
    known = _noted(notes, client)
    if known is not None and known.get("session") == session:
        return _origin(known.get("parents"))
    found = _traced(notes, client, session, transcript)
    parents = None if found is None else [[one.session_id, one.transcript_path] for one in found.parents]
    about = {"started": client.started, "session": session, "transcript": transcript, "parents": parents}
    notes.set_note(_key(client.pid), json.dumps(about))
    return found


def _traced(notes: OriginNotes, client: Process, session: str, transcript: str) -> Origin | None:
    for one in ancestors(client.pid):
        known = _noted(notes, one)
        if known is not None and known.get("session") != session:
            return _from_parent(str(known["session"]), str(known.get("transcript") or ""), known)
    born = _started_with(client.pid)
    if not any(born.get(mark) for mark in MARKS):
        return None
    parent = born.get("CLAUDE_CODE_SESSION_ID", "")
    if not parent or parent == session:
        return Origin()
    caller = process_of(born.get("CLAUDE_PID", ""))
    known = None if caller is None else _noted(notes, caller)
    if known is not None and known.get("session") == parent:
        return _from_parent(parent, str(known.get("transcript") or ""), known)
    return Origin((Parent(parent, _beside(transcript, parent)),))


def _from_parent(session: str, transcript: str, known: Mapping[str, object]) -> Origin:
    above = _origin(known.get("parents"))
    return Origin((Parent(session, transcript), *(above.parents if above else ()))[:PARENTS_MAX])


def _beside(transcript: str, session: str) -> str:
    """Where the client keeps another session of the same folder; ids are data and never leave it."""
    plain = session.replace("-", "").isalnum() and len(session) <= 64
    return os.path.join(os.path.dirname(transcript), f"{session}.jsonl") if transcript and plain else ""


def _key(pid: int) -> str:
    return f"client:{pid}"


def _noted(notes: OriginNotes, process: Process) -> Mapping[str, object] | None:
    text = notes.get_note(_key(process.pid))
    if text is None:
        return None
    found = cast(object, json.loads(text))
    if not isinstance(found, dict):
        return None
    about = cast(Mapping[str, object], found)
    return about if about.get("started") == process.started else None


def _origin(parents: object) -> Origin | None:
    if not isinstance(parents, list):
        return None
    return Origin(tuple(Parent(str(one[0]), str(one[1])) for one in cast(list[list[object]], parents)))


def _started_with(pid: int) -> dict[str, str]:
    try:
        with open(f"{PROC}/{pid}/environ", "rb") as file:
            raw = file.read(ENVIRON_BYTES_MAX)
    except OSError:
        return {}
    pairs = (os.fsdecode(item).partition("=") for item in raw.split(b"\0") if item)
    return {name: value for name, _, value in pairs}
