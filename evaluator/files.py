"""Private folders, file locks, whole-line appends, slots that bound a machine, and the log of faults."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
OTHERS = 0o077
POLL_SECONDS = 0.005
WANT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))
"""A machine out of descriptors or memory: what such a moment hides must not be taken for a file that is not there."""


def private_folder(path: str, *, repair: bool) -> None:
    """Make `path` and whatever is missing above it, 0700 each.

    `repair` also tightens a folder that stood before: only for one that is nobody else's. Raises OSError.
    """
    missing: list[str] = []
    level = path
    while level and not os.path.isdir(level):
        missing.append(level)
        level = os.path.dirname(level.rstrip("/"))
    for level in reversed(missing):
        try:
            os.mkdir(level, PRIVATE_FOLDER)
        except FileExistsError:
            if not os.path.isdir(level):
                raise NotADirectoryError(errno.ENOTDIR, "not a folder", level) from None
    if repair and stat.S_IMODE(os.stat(path).st_mode) & OTHERS:
        os.chmod(path, PRIVATE_FOLDER)


def private_text(path: str, bytes_max: int = 4096) -> str | None:
    """The text of a file that is the user's alone, and no link; None without one. Raises OSError.

    One that others could open, or that is somebody else's, is a PermissionError, as nobody knows who wrote it.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & OTHERS:
            raise PermissionError(errno.EPERM, "must be readable only by you", path)
        return os.read(file, bytes_max).decode("utf-8", "replace").strip()
    finally:
        os.close(file)


def replace_private(path: str, text: str) -> None:
    """Write a file of the user's alone, whole or not at all; what was there, a link too, is gone. Raises OSError."""
    private_folder(os.path.dirname(path), repair=False)
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        with os.fdopen(file, "wb") as out:
            os.fchmod(out.fileno(), PRIVATE_FILE)
            out.write(text.encode("utf-8", "surrogatepass"))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def claim_private(path: str, text: str) -> bool:
    """As `replace_private` where there is no such file; False where another process was first. Raises OSError."""
    temporary = f"{path}.{os.urandom(6).hex()}"
    replace_private(temporary, text)
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        os.unlink(temporary)
    return True


def tighten(path: str) -> None:
    """Make a file that others may open 0600. A missing file is fine. Raises OSError."""
    try:
        if os.stat(path).st_mode & OTHERS:
            os.chmod(path, PRIVATE_FILE)
    except FileNotFoundError:
        return


@contextmanager
def locked(descriptor: int, seconds: float, name: str) -> Generator[None, None, None]:
    """Hold the exclusive flock of an open file; waits at most `seconds`, then raises TimeoutError."""
    import fcntl

    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise TimeoutError(f"{name} stayed locked for {seconds:g} s") from None
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def lock_file(path: str, seconds: float) -> Generator[None, None, None]:
    """Hold the lock that the file at `path` stands for; the file is created and stays. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        with locked(descriptor, seconds, path):
            yield
    finally:
        os.close(descriptor)


def append_line(path: str, line: bytes, seconds: float) -> None:
    """Append one line, whole or not at all, in one write; `line` is without its newline.

    A line that a killed writer left torn is closed first, so that it spoils nobody else's. A file that we
    make is 0600; folder and file that stood before keep their modes, since others may share them. Raises
    OSError, TimeoutError if the lock is not had within `seconds`.
    """
    private_folder(os.path.dirname(path) or ".", repair=False)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
    descriptor = os.open(path, flags, PRIVATE_FILE)
    try:
        with locked(descriptor, seconds, path):
            before = os.fstat(descriptor).st_size
            torn = before > 0 and os.pread(descriptor, 1, before - 1) != b"\n"
            data = (b"\n" if torn else b"") + line + b"\n"
            written = os.write(descriptor, data)
            if written < len(data):
                if os.fstat(descriptor).st_size == before + written:
                    os.ftruncate(descriptor, before)
                raise OSError(errno.ENOSPC, "no space left for a whole line", path)
    finally:
        os.close(descriptor)


@contextmanager
def slot(folder: str, count: int) -> Generator[bool]:
    """Hold one of the machine's `count` slots: True once held, False if none is free. Slots are lock files, which a
    killed process lets go by itself.

    True too where the folder cannot be used: the bound is a courtesy, a missing check is not.
    """
    try:
        os.makedirs(folder, mode=PRIVATE_FOLDER, exist_ok=True)
        held = _lock_free_slot_file(folder, count)
        free = held is not None
    except OSError:
        held, free = None, True
    try:
        yield free
    finally:
        if held is not None:
            os.close(held)


def _lock_free_slot_file(folder: str, count: int) -> int | None:
    """The descriptor of a slot that was free. Raises OSError where the folder cannot be used."""
    import fcntl

    for number in range(count):
        file = os.open(os.path.join(folder, str(number)), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            continue
        return file
    return None


def is_want(error: BaseException) -> bool:
    """Whether the same call may well find the file a moment later, or from another process."""
    return isinstance(error, OSError) and error.errno in WANT


def raise_want(error: BaseException) -> None:
    """Raises `error` if it says nothing about the file; for where a file that cannot be read counts as none."""
    if is_want(error):
        raise error


FAULTS_NAME = "faults.log"
FAULTS_BYTES_MAX = 64 * 1024
FAULT_CHARS_MAX = 400
FAULTS_KEPT = 100
FAULT_LOCK_SECONDS = 0.2


class FaultLog:
    """Faults of this process in `lines`, and of all processes, one line each, in `<state_dir>/faults.log`.

    Never raises for I/O. The file is best effort and stays under `FAULTS_BYTES_MAX`: it begins anew when it is full.
    `clock` gives seconds since the epoch.
    """

    def __init__(self, state_dir: str, clock: Callable[[], float]) -> None:
        self.path = os.path.join(state_dir, FAULTS_NAME)
        self.clock = clock
        self.lines: list[str] = []

    def note(self, what: str, cause: object) -> str:
        """Record that `what` went wrong; returns the fault as one bounded line without a time."""
        from evaluator.text import rfc3339

        escaped = f"{what}: {cause}".encode("unicode_escape").decode("ascii")
        fault = escaped if len(escaped) <= FAULT_CHARS_MAX else escaped[: FAULT_CHARS_MAX - 3] + "..."
        self.lines.append(fault)
        del self.lines[:-FAULTS_KEPT]
        try:
            if os.path.exists(self.path) and os.path.getsize(self.path) > FAULTS_BYTES_MAX - FAULT_CHARS_MAX:
                os.unlink(self.path)
            append_line(self.path, f"{rfc3339(self.clock())} {fault}".encode("ascii"), FAULT_LOCK_SECONDS)
        except (OSError, ValueError):
            pass  # what is at fault is most often the folder of this very file
        return fault


def recent_faults(state_dir: str, limit: int = 20) -> tuple[str, ...]:
    """The newest lines of the fault log, oldest first; empty if there is none or it cannot be read."""
    try:
        with open(os.path.join(state_dir, FAULTS_NAME), "rb") as file:
            lines = file.read(FAULTS_BYTES_MAX).decode("ascii", "replace").splitlines()
    except OSError:
        return ()
    return tuple(lines[-limit:])
