"""The counts of one project's calls, shared by all servers of it: a new process or connection has no calls of its own.

They lie in the folder of the service's socket, which self-protection guards, and hold hashes and times alone. Where
they cannot be kept the process counts for itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Mapping
from typing import cast

from compass.advising.counting import Calls
from compass.api.place import folder_of
from evaluator import wire
from evaluator.configuration.project import project_root
from evaluator.files import PRIVATE_FILE, locked, private_folder

LOCK_SECONDS = 2.0
BYTES_MAX = 1 << 20


class Tally:
    """`path` is the file of the counts; empty for none. Safe for threads."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._own = Calls()
        self._lock = threading.Lock()

    def take(self, turn: str) -> bool:
        """As `Calls.take`, at the wall-clock time once nobody else counts: an earlier one would miss their calls."""
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
                calls = Calls.of(_decoded(os.pread(file, BYTES_MAX, 0)))
                may = calls.take(turn, time.time())
                raw = json.dumps(calls.told()).encode()
                os.pwrite(file, raw, 0)
                os.ftruncate(file, len(raw))
                return may
        finally:
            os.close(file)


def tally_of(env: Mapping[str, str], project: str | None) -> Tally:
    """Of the server's project."""
    folder = os.fsdecode(wire.run_dir(wire.folder_variables(env)))
    root = project_root(folder_of(project))
    name = hashlib.sha256(root.encode(errors="surrogateescape")).hexdigest()[:16]
    return Tally(os.path.join(folder, f"asked-{name}.json") if folder else "")


def _decoded(raw: bytes) -> Mapping[str, object]:
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}
