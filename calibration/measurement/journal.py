"""How checks of cases came out, and what an unfinished measurement has of them so far: JSON lines, each whole or not
there.

A process that is killed leaves at most one torn line, which counts as not judged.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass
from typing import cast

from pydantic import TypeAdapter

from evaluator.files import PRIVATE_FILE, lock_file, private_folder

WAIT_SECONDS = 0.2
AGE_SECONDS_MAX = 3 * 24 * 3600.0
"""What is older was measured of readers that may have moved since."""


@dataclass(frozen=True, slots=True)
class SymbolicView:
    """What the skip layer alone would do with a case, and whether a skip was due if the case is clear."""

    skipped: bool
    eligible: bool


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """How one check of a case came out. `scores` are of the valid readers, empty where too few answered (`error`);
    `agreement` is that of their readings. `symbolic` is None where nobody asked.
    """

    scores: tuple[float, ...] = ()
    mean: float = 0.0
    stddev: float = 0.0
    agreement: float | None = None
    error: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    symbolic: SymbolicView | None = None

    @property
    def was_read(self) -> bool:
        return bool(self.scores)


OUTCOME: TypeAdapter[CaseOutcome] = TypeAdapter(CaseOutcome)


class BusyError(RuntimeError):
    """Another process measures with this journal."""


class Journal:
    """Outcomes by key. `keep` appends one line at once; `finish` deletes the file. Safe among threads."""

    def __init__(self, path: str, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._lock = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE_FILE)
        self._outcomes: dict[str, CaseOutcome] = {}
        end = 0
        with open(self._path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    os.ftruncate(self._file, end)
                    break
                # A line that says nothing usable is a case that is judged again.
                with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
                    entry = cast(Mapping[str, object], json.loads(line))
                    outcome, at = OUTCOME.validate_python(entry), float(cast(float, entry["at"]))
                    if outcome.was_read and self._now() - at <= AGE_SECONDS_MAX:
                        self._outcomes[str(entry["key"])] = outcome
                end += len(line)

    def __contains__(self, key: object) -> bool:
        return key in self._outcomes

    def outcome(self, key: str) -> CaseOutcome:
        """The kept outcome of a check, by its key. Raises KeyError for one that is not in the journal."""
        return self._outcomes[key]

    def keep(self, key: str, case_id: str, repeat: int, outcome: CaseOutcome) -> None:
        """Appends a check's outcome to the journal, from which a run can go on. Raises OSError."""
        entry = {"key": key, "id": case_id, "repeat": repeat, "at": self._now(), **asdict(outcome)}
        line = json.dumps(entry).encode() + b"\n"
        with self._lock:
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._path)
            self._outcomes[key] = outcome

    def finish(self) -> None:
        """Deletes the journal's file; call it once the result was written."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)

    def close(self) -> None:
        os.close(self._file)


@contextlib.contextmanager
def journal(path: str, now: Callable[[], float]) -> Generator[Journal]:
    """The journal at `path`, for this process alone. Raises BusyError, OSError."""
    private_folder(os.path.dirname(path), repair=False)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(lock_file(f"{path}.lock", WAIT_SECONDS))
        except TimeoutError:
            raise BusyError(
                "`compass calibrate` is already running for this project; wait for it to finish, or stop it"
            ) from None
        opened = Journal(path, now)
        try:
            yield opened
        finally:
            opened.close()
