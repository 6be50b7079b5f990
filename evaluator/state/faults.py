"""What went wrong with the state, kept so that `doctor` can show it. Never raises for I/O."""

from __future__ import annotations

import os
from collections.abc import Callable

from evaluator.files import append_line
from evaluator.state.stamp import rfc3339

FILE_NAME = "faults.log"
BYTES_MAX = 64 * 1024
KEPT_BYTES = 32 * 1024
LINE_CHARS_MAX = 400
KEPT_IN_MEMORY = 100
LOCK_SECONDS = 0.2


class FaultLog:
    """Faults of this process in `lines`, and of all processes, one line each, in `<state_dir>/faults.log`.

    The file is best effort and stays under `BYTES_MAX`: the older half goes when it is full. `clock` gives
    seconds since the epoch; `on_fault` is told each fault too.
    """

    def __init__(
        self, state_dir: str, clock: Callable[[], float], on_fault: Callable[[str], None] | None = None
    ) -> None:
        self.path = os.path.join(state_dir, FILE_NAME)
        self.clock = clock
        self.lines: list[str] = []
        self._on_fault = on_fault

    def note(self, what: str, cause: object) -> str:
        """Record that `what` went wrong; returns the fault as one bounded line without a time."""
        fault = one_line(f"{what}: {cause}")
        self.lines.append(fault)
        del self.lines[:-KEPT_IN_MEMORY]
        try:
            _shorten(self.path)
            append_line(self.path, f"{rfc3339(self.clock())} {fault}".encode("ascii"), LOCK_SECONDS)
        except (OSError, ValueError):
            pass  # what is at fault is most often the folder of this very file
        if self._on_fault is not None:
            self._on_fault(fault)
        return fault


def recent_faults(state_dir: str, limit: int = 20) -> tuple[str, ...]:
    """The newest lines of the fault log, oldest first; empty if there is none or it cannot be read."""
    try:
        with open(os.path.join(state_dir, FILE_NAME), "rb") as file:
            lines = file.read(2 * BYTES_MAX).decode("ascii", "replace").splitlines()
    except OSError:
        return ()
    return tuple(lines[-limit:])


def one_line(text: str) -> str:
    """Printable ASCII, at most `LINE_CHARS_MAX` characters."""
    escaped = text.encode("unicode_escape").decode("ascii")
    return escaped if len(escaped) <= LINE_CHARS_MAX else escaped[: LINE_CHARS_MAX - 3] + "..."


def _shorten(path: str) -> None:
    """A line that another process appends at this very moment may be lost."""
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        return
    if size < BYTES_MAX - LINE_CHARS_MAX:
        return
    shorter = f"{path}.{os.getpid()}"
    with open(path, "rb") as file:
        file.seek(-min(size, KEPT_BYTES), os.SEEK_END)
        kept = file.read(KEPT_BYTES).partition(b"\n")[2]
    descriptor = os.open(shorter, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, kept)
    finally:
        os.close(descriptor)
    os.replace(shorter, path)
