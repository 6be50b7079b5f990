"""What one `compass forget` is about: found first, then erased."""

from __future__ import annotations

import os
from collections.abc import Mapping

from compass.forgetting import events, files
from compass.joining.kept_checks import Here
from evaluator.configuration import loading
from evaluator.configuration.record import key_of
from evaluator.errors import StateError
from evaluator.events import SESSION_CHARS_MAX
from evaluator.record import Record
from evaluator.state import erasing
from evaluator.state.erasing import ErasedRows, ErasureScope

LISTED_MAX = 10


class Erasure(Record):
    """`counts` by what they are, lines of the event log among them; `files` go whole.

    `damaged`: databases that were set aside, which this erasure leaves.
    """

    scope: ErasureScope
    counts: Mapping[str, int]
    sessions: tuple[str, ...]
    files: tuple[str, ...]
    damaged: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        return any(self.counts.values()) or bool(self.files)


def of_session(found: Here, named: str, now: float) -> ErasureScope:
    """The session that is meant by its id or the beginning of it. Raises StateError where that is not one."""
    ids = erasing.sessions_named(found.state_dir, named, now)
    if len(ids) > 1:
        shown = "\n".join(f"  {one}" for one in ids[:LISTED_MAX])
        more = f"\n  and {len(ids) - LISTED_MAX} more" if len(ids) > LISTED_MAX else ""
        raise StateError(f"{named[:60]!r} is the beginning of more than one session:\n{shown}{more}")
    return ErasureScope(session_id=ids[0] if ids else named)


def of_project(found: Here) -> ErasureScope:
    return ErasureScope(folder=found.project, key=key_of(found.state_dir, found.project_dir))


def planned(found: Here, scope: ErasureScope, now: float) -> Erasure:
    """What there is to be erased; changes nothing. Raises StateError."""
    rows = erasing.counted(found.state_dir, scope, now)
    lines = events.count(_log(found), _meant(scope, rows))
    return _erasure(found, scope, rows, lines)


def done(found: Here, scope: ErasureScope, now: float) -> Erasure:
    """Erases, and gives what was. Raises StateError; what was erased until then stays so, and the next call goes on."""
    # The log and the files first: the rows say which sessions they are of.
    rows = erasing.counted(found.state_dir, scope, now)
    lines = events.take_out(_log(found), _meant(scope, rows))
    erasure = _erasure(found, scope, rows, lines)
    files.delete(list(erasure.files))
    return _erasure(found, scope, erasing.erase(found.state_dir, scope, now), lines, erasure.files)


def _erasure(
    found: Here, scope: ErasureScope, rows: ErasedRows, lines: int, gone: tuple[str, ...] | None = None
) -> Erasure:
    paths: list[str] = []
    if gone is None and scope.folder:
        paths = files.of_project(found.state_dir, scope.key)
    elif gone is None and not scope.session_id:
        paths = files.of_person(found.state_dir)
    everything = not scope.folder and not scope.session_id
    return Erasure(
        scope=scope,
        counts={**rows.rows, "events": lines},
        sessions=rows.sessions,
        files=tuple(paths) if gone is None else gone,
        damaged=() if everything else tuple(files.damaged(found.state_dir)),
    )


def _log(found: Here) -> str:
    return loading.events_path(found.env, found.home)


def _meant(scope: ErasureScope, rows: ErasedRows) -> events.Meant:
    """Events name a session as the log may hold it, and a project by the file."""
    ids = {one[:SESSION_CHARS_MAX] for one in (*rows.sessions, scope.session_id) if one}
    if not scope.folder:
        everything = not scope.session_id
        return lambda session, _: everything or session in ids
    below = os.path.join(scope.folder, "")
    return lambda session, path: session in ids or path == scope.folder or path.startswith(below)
