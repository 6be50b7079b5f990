"""What `compass forget` erases: rows of the state, lines of the event log, and files that hold what was said."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Mapping
from typing import BinaryIO, cast

from compass.composition.settings import Here
from evaluator.errors import StateError
from evaluator.events import PLUGIN, SESSION_CHARS_MAX
from evaluator.files import locked
from evaluator.record import Record
from evaluator.settings.places import events_path
from evaluator.settings.project_record import key_of
from evaluator.state import erasure as state
from evaluator.state.database import FAULTS_NAME as FAULTS
from evaluator.state.erasure import ErasedRows, ErasureScope
from evaluator.state.store import FILE_NAME as DATABASE

LOCK_SECONDS = 5.0
Meant = Callable[[str, str], bool]
"""Whether the event of a session, about a file, is meant."""
OF_A_PROJECT = (
    "glossary.json",
    "hindsight.*",
    "audit.json",
    "audit.json.before-*",
    "audit.answers.jsonl*",
    "*.unfinished.jsonl",
)
_KEY = "[0-9a-f]" * 12
LISTED_MAX = 10


def _event_lines(path: str, meant: Meant) -> int:
    """How many lines `_take_out_lines` would take out. Raises StateError."""
    try:
        with open(path, "rb") as file:
            return sum(_is_meant(line, meant) for line in file)
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise StateError(f"{path}: cannot be read: {error.strerror}") from None


def _take_out_lines(path: str, meant: Meant) -> int:
    """How many lines were taken out. Other tools' lines stay byte for byte. Raises StateError."""
    try:
        # What is read lies behind what is written, so a second view of the file needs no copy.
        with open(path, "r+b") as file, open(path, "rb") as lines, locked(file.fileno(), LOCK_SECONDS, path):
            return _compacted(file, lines, meant)
    except FileNotFoundError:
        return 0
    except TimeoutError as error:
        raise StateError(f"{error}: run it again") from None
    except OSError as error:
        raise StateError(f"{path}: cannot be written: {error.strerror}") from None


def _compacted(file: BinaryIO, lines: BinaryIO, meant: Meant) -> int:
    """Kept lines move up; the file is cut once nothing stands behind the last line that was read."""
    gone = to = 0
    while line := lines.readline():
        if _is_meant(line, meant):
            gone += 1
            continue
        if gone:
            os.pwrite(file.fileno(), line, to)
        to += len(line)
    if gone:
        file.truncate(to)
        os.fsync(file.fileno())
    return gone


def _is_meant(line: bytes, meant: Meant) -> bool:
    if f'"{PLUGIN}"'.encode() not in line:
        return False
    try:
        found = cast(object, json.loads(line))
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    event = cast(dict[str, object], found)
    payload = event.get("payload")
    path = cast(dict[str, object], payload).get("file_path") if isinstance(payload, dict) else ""
    return event.get("plugin") == PLUGIN and meant(str(event.get("session_id", "")), str(path or ""))


def _files_of_person(state_dir: str) -> list[str]:
    """Of every project, and what names no project: faults, and databases that were set aside as damaged."""
    folder = glob.escape(state_dir)
    return [
        *_found(os.path.join(folder, _KEY), OF_A_PROJECT),
        *_found(folder, (FAULTS,)),
        *_damaged_databases(state_dir),
    ]


def _damaged_databases(state_dir: str) -> list[str]:
    """Databases that were set aside, with their logs: nobody can take single rows out of them."""
    return _found(glob.escape(state_dir), (f"{DATABASE}.corrupt-*", f"{DATABASE}-*.corrupt-*"))


def _delete(paths: list[str]) -> None:
    """Deletes files, some of which may be gone. Raises StateError."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StateError(f"{path}: cannot be deleted: {error.strerror}") from None


def _found(folder: str, patterns: tuple[str, ...]) -> list[str]:
    return sorted({path for pattern in patterns for path in glob.glob(os.path.join(folder, pattern))})


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
    ids = state.sessions_named(found.state_dir, named, now)
    if len(ids) > 1:
        shown = "\n".join(f"  {one}" for one in ids[:LISTED_MAX])
        more = f"\n  and {len(ids) - LISTED_MAX} more" if len(ids) > LISTED_MAX else ""
        raise StateError(f"{named[:60]!r} is the beginning of more than one session:\n{shown}{more}")
    return ErasureScope(session_id=ids[0] if ids else named)


def of_project(found: Here) -> ErasureScope:
    return ErasureScope(folder=found.project, key=key_of(found.state_dir, found.project_dir))


def planned(found: Here, scope: ErasureScope, now: float) -> Erasure:
    """What an erasure would take; changes nothing. Raises StateError."""
    rows = state.counted(found.state_dir, scope, now)
    lines = _event_lines(_log(found), _meant(scope, rows))
    return _erasure(found, scope, rows, lines)


def done(found: Here, scope: ErasureScope, now: float) -> Erasure:
    """Erases, and gives what was. Raises StateError; what was erased until then stays so, and the next call goes on."""
    # The log and the files first: the rows say which sessions they are of.
    rows = state.counted(found.state_dir, scope, now)
    lines = _take_out_lines(_log(found), _meant(scope, rows))
    erasure = _erasure(found, scope, rows, lines)
    _delete(list(erasure.files))
    return _erasure(found, scope, state.erase(found.state_dir, scope, now), lines, erasure.files)


def _erasure(
    found: Here, scope: ErasureScope, rows: ErasedRows, lines: int, gone: tuple[str, ...] | None = None
) -> Erasure:
    paths: list[str] = []
    if gone is None and scope.folder:
        paths = _found(os.path.join(glob.escape(found.state_dir), scope.key), OF_A_PROJECT)
    elif gone is None and not scope.session_id:
        paths = _files_of_person(found.state_dir)
    everything = not scope.folder and not scope.session_id
    return Erasure(
        scope=scope,
        counts={**rows.rows, "events": lines},
        sessions=rows.sessions,
        files=tuple(paths) if gone is None else gone,
        damaged=() if everything else tuple(_damaged_databases(found.state_dir)),
    )


def _log(found: Here) -> str:
    return events_path(found.env, found.home)


def _meant(scope: ErasureScope, rows: ErasedRows) -> Meant:
    """Events name a session as the log may hold it, and a project by the file."""
    ids = {one[:SESSION_CHARS_MAX] for one in (*rows.sessions, scope.session_id) if one}
    if not scope.folder:
        everything = not scope.session_id
        return lambda session, _: everything or session in ids
    below = os.path.join(scope.folder, "")
    return lambda session, path: session in ids or path == scope.folder or path.startswith(below)
