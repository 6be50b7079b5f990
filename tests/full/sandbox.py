"""Commands where they can harm nothing: an unprivileged user in namespaces of their own, without a network, without
other processes, in front of a root file system that is read-only but for a throw-away project, home and /tmp.

`opened()` gives a sandbox or raises `ForbiddenError`, which says what the machine lacks. Nothing here knows Compass.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ENTER = (Path(__file__).parent / "enter.sh").read_text()
TOOLS = ("unshare", "setpriv", "mount", "umount", "pivot_root", "bash", "awk")
SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NAMESPACES = (
    "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--ipc", "--uts",
)  # fmt: skip
WRITABLE = ("project", "home", "srv", "tmp")
"""Folders under `write/`; a command sees them as /repo (and /home/dev/project), /home/dev, /srv and /tmp."""
SECONDS = 30.0

Digest = dict[str, tuple[str, ...]]
"""{path under `write/`: (mode, content or link)}, of a file with its time of change in nanoseconds too."""


class ForbiddenError(Exception):
    """This machine does not let a sandbox be made; the message says what is missing."""


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Sandbox:
    """`base/write` is all that a command can change. `user` is who runs it: (uid, gid), None where the tests'
    own user is unprivileged already."""

    base: Path
    user: tuple[int, int] | None

    @property
    def write(self) -> Path:
        return self.base / "write"

    def give(self) -> None:
        """Hands everything below `write` to the user who runs the commands."""
        if self.user is None:
            return
        for folder, _, files in os.walk(self.write):
            for path in (folder, *(os.path.join(folder, name) for name in files)):
                os.chown(path, *self.user, follow_symlinks=False)

    def run(self, command: str, seconds: float = SECONDS) -> Ran:
        """Runs `command` with bash in /repo. Raises `subprocess.TimeoutExpired`; all that it started is killed then."""
        uid, gid = self.user or (None, None)
        with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            # Files of the user's own and not pipes: a command may open /dev/stdout by its name.
            for file in (stdout, stderr):
                if self.user is not None:
                    os.fchown(file.fileno(), *self.user)
            done = subprocess.run(
                ["unshare", *NAMESPACES, "--", "sh", "-c", ENTER, "sh", str(self.base), command],
                user=uid,
                group=gid,
                extra_groups=None if self.user is None else [],
                cwd="/",
                env={"PATH": SEARCHED},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                timeout=seconds,
                check=False,
            )
            return Ran(done.returncode, _text(stdout), _text(stderr))

    def digest(self) -> Digest:
        """What stands in every folder that a command can change."""
        return dict(_entries(str(self.write), len(str(self.write)) + 1))


def _entries(folder: str, skipped: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    with os.scandir(folder) as found:
        for entry in found:
            status = entry.stat(follow_symlinks=False)
            mode = oct(status.st_mode)
            name = entry.path[skipped:]
            if stat.S_ISLNK(status.st_mode):
                yield name, (mode, os.readlink(entry.path))
            elif stat.S_ISREG(status.st_mode):
                yield name, (mode, _content(entry.path), str(status.st_mtime_ns))
            else:
                yield name, (mode,)
            if stat.S_ISDIR(status.st_mode):
                yield from _entries(entry.path, skipped)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _content(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changes(before: Digest, after: Digest) -> list[str]:
    """The paths that appeared (`+`), vanished (`-`) or changed (`!`), in order."""
    return sorted(
        ("+" if path not in before else "-" if path not in after else "!") + path
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    )


@contextmanager
def opened() -> Iterator[Sandbox]:
    """A sandbox with empty folders, removed at the end. Raises `ForbiddenError`."""
    missing = [tool for tool in TOOLS if shutil.which(tool, path=SEARCHED) is None]
    if missing:
        raise ForbiddenError(f"no {', '.join(missing)} here")
    user = None
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        user = (nobody.pw_uid, nobody.pw_gid)
    base = Path(tempfile.mkdtemp(prefix="compass-full-", dir="/tmp"))
    try:
        base.chmod(0o755)
        (base / "root").mkdir()
        for name in WRITABLE:
            (base / "write" / name).mkdir(parents=True)
        (base / "write" / "home" / "project").mkdir()
        sandbox = Sandbox(base, user)
        sandbox.give()
        tried = sandbox.run("true")
        if tried.code:
            raise ForbiddenError(f"this machine forbids namespaces: {tried.stderr.strip()}")
        yield sandbox
    finally:
        shutil.rmtree(base)
