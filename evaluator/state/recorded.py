"""What the database holds, read by commands without changing it. Made for a database that other processes use."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import quote

from evaluator.state.precedents import KeptPrecedents
from evaluator.state.store import FILE_NAME
from evaluator.state.transactions import Nowhere

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

CHECKS_MAX = 100_000


def last_start(path: str, project_dir: str) -> float | None:
    """When a session of the project last began, in seconds since the epoch; None if none did.

    None too for a database that cannot be read.
    """
    if not os.path.isfile(path):
        return None
    query = "SELECT max(started_at) FROM sessions WHERE project_dir = ?"
    try:
        with closing(open_read_only(path)) as connection:
            (at,) = connection.execute(query, (project_dir,)).fetchone()
    except sqlite3.Error:
        return None
    return at if isinstance(at, float) else None


def checks(state_dir: str) -> Iterator[Mapping[str, object]]:
    """The newest records of checks, oldest first; none where there is no database. Raises ValueError."""
    path = os.path.join(state_dir, FILE_NAME)
    if not os.path.exists(path):
        return
    query = "SELECT record FROM checks ORDER BY rowid DESC LIMIT ?"
    try:
        with closing(open_read_only(path)) as connection:
            rows = connection.execute(query, (CHECKS_MAX,)).fetchall()
    except sqlite3.Error as error:
        raise ValueError(f"{path}: {error}") from None
    for (text,) in reversed(rows):
        yield cast(Mapping[str, object], json.loads(text))


def failed_checks(state_dir: str, since: float) -> list[Mapping[str, object]]:
    """Records of checks that could not be made since then, for want of readers; oldest first.

    None for a database that is not there or cannot be read.
    """
    path = os.path.join(state_dir, FILE_NAME)
    if not os.path.isfile(path):
        return []
    query = """SELECT record FROM checks WHERE at >= ? AND reason IN ('sampler_error', 'circuit_open')
        ORDER BY rowid DESC LIMIT ?"""
    try:
        with closing(open_read_only(path)) as connection:
            rows = connection.execute(query, (since, CHECKS_MAX)).fetchall()
    except sqlite3.Error:
        return []
    return [cast(Mapping[str, object], json.loads(text)) for (text,) in reversed(rows)]


class RecordedPrecedents(KeptPrecedents):
    """Those of the database in `state_dir`: none where there is none that can be read, and none is kept."""

    def __init__(self, state_dir: str) -> None:
        self._own = ReadOnly(os.path.join(state_dir, FILE_NAME))


class ReadOnly(Nowhere):
    """Reads a database that other processes use, and writes nothing."""

    def __init__(self, path: str) -> None:
        self._path = path

    def read(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T:
        if not os.path.isfile(self._path):
            return otherwise
        try:
            with closing(open_read_only(self._path)) as connection:
                return act(connection)
        except sqlite3.Error:
            return otherwise


def open_read_only(path: str) -> sqlite3.Connection:
    """Raises sqlite3.Error."""
    return sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True, timeout=1.0)
