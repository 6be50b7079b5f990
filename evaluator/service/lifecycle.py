"""One service per runtime folder: its lock, its socket, its end."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from evaluator import wire
from evaluator.errors import CompassError
from evaluator.service.server import Service

LOCK_NAME = "service.lock"
BACKLOG = 4096
TAKEOVER_SECONDS = 10.0
"""How long a new service waits for one that is on its way out."""
POLL_SECONDS = 0.05
DRAIN_SECONDS = 25.0
FILES_WANTED = 16384


class ServiceError(CompassError):
    """The service cannot start: the folder, its lock or its socket."""


@dataclass(frozen=True, slots=True)
class RuntimeFolder:
    """The folder of the runtime, with its lock and socket. All absolute paths."""

    folder: str

    @property
    def socket(self) -> str:
        return os.path.join(self.folder, wire.SOCKET_NAME)

    @property
    def lock(self) -> str:
        return os.path.join(self.folder, LOCK_NAME)


def prepare(folder: str) -> RuntimeFolder:
    """Makes the socket's runtime folder, 0700, or tightens it. Raises ServiceError where it is somebody else's."""
    place = RuntimeFolder(folder)
    if not folder or len(os.fsencode(place.socket)) > wire.MAX_PATH_BYTES:
        raise ServiceError(
            f"{place.socket or 'no home folder'}: not usable as a socket address, which is limited to "
            f"{wire.MAX_PATH_BYTES} bytes; set XDG_RUNTIME_DIR to a folder with a shorter path"
        )
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.lstat(folder)
        if found.st_uid != os.getuid() or found.st_mode & 0o170000 != 0o040000:
            raise ServiceError(f"{folder}: not a folder owned by this user")
        if found.st_mode & 0o077:
            os.chmod(folder, 0o700)
    except OSError as error:
        raise ServiceError(f"{folder}: {error.strerror or error}") from error
    return place


def take_lock(place: RuntimeFolder, seconds: float = 0.0) -> int | None:
    """The descriptor of the runtime folder's lock, held while it is open; None if another service holds it."""
    import fcntl

    lock = os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                os.close(lock)
                raise
            if time.monotonic() >= end:
                os.close(lock)
                return None
            time.sleep(POLL_SECONDS)
        else:
            os.ftruncate(lock, 0)
            os.pwrite(lock, b"%d\n" % os.getpid(), 0)
            return lock


def holder(place: RuntimeFolder) -> int | None:
    """The process id of the service that holds the lock; None if nobody does."""
    import fcntl

    try:
        lock = os.open(place.lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        text = os.pread(lock, 32, 0).strip()
        return int(text) if text.isdigit() else None
    finally:
        os.close(lock)
    return None


def listen(place: RuntimeFolder) -> socket.socket:
    """A listening Unix socket in the runtime folder; a stale one is removed. The caller holds the lock."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if os.path.lexists(place.socket):
            os.unlink(place.socket)
        line.bind(place.socket)
        os.chmod(place.socket, 0o600)
        line.listen(BACKLOG)
        line.setblocking(False)
    except OSError as error:
        line.close()
        raise ServiceError(f"{place.socket}: {error.strerror or error}") from error
    return line


def raise_file_limit() -> int:
    """How many descriptors this process may have now: every connection is one, and many systems start with 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return FILES_WANTED
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft < wanted:
        # A kernel may have a bound of its own below the one that it states (macOS, kern.maxfilesperproc).
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


async def serve(
    service: Service, place: RuntimeFolder, line: socket.socket, begun: Callable[[], None]
) -> None:
    """Serves until stopped, idle for long, or replaced; then drains. `begun` is called once the socket answers."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, service.closing.set)
    own = os.stat(place.socket).st_ino
    server = await loop.create_unix_server(service.connection, sock=line, backlog=BACKLOG)
    try:
        begun()
        waiting = asyncio.create_task(service.until_closing())
        while not waiting.done():
            await asyncio.wait((waiting,), timeout=5.0)
            # A service whose socket was deleted or replaced is out of reach: it ends, too.
            if _service_socket_inode(place.socket) != own:
                service.closing.set()
    finally:
        if _service_socket_inode(place.socket) == own:
            os.unlink(place.socket)
        server.close()
        await service.drain(DRAIN_SECONDS)


def _service_socket_inode(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0
