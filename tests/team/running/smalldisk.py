"""A small disk that can be full: a file system in memory, mounted where only this process and its children see it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CLONE_NEWNS = 0x00020000
MEGABYTE = 1 << 20


class NoMountsError(Exception):
    """This process may not mount anything; the message says why."""


@dataclass
class SmallDisk:
    folder: Path

    @property
    def filler(self) -> Path:
        return self.folder / "filler"

    def fill(self) -> None:
        """Until not one block is left."""
        with self.filler.open("wb", buffering=0) as file:
            for size in (MEGABYTE, 4096):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def free(self) -> None:
        self.filler.unlink()


@contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    """Temporary folders that are made meanwhile lie on it. It is gone with this process, whatever happens to that.

    Raises NoMountsError.
    """
    if os.geteuid() != 0 or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS):
        raise NoMountsError("a mount of its own takes root and the right to make one")
    folder = Path(tempfile.mkdtemp(prefix="compass-disk-"))
    try:
        for words in (
            ("mount", "--make-rprivate", "/"),
            ("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=1777", "tmpfs", str(folder)),
        ):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode:
                raise NoMountsError(done.stderr.strip())
        before, tempfile.tempdir = tempfile.tempdir, str(folder)
        try:
            yield SmallDisk(folder)
        finally:
            tempfile.tempdir = before
            subprocess.run(("umount", "--lazy", str(folder)), check=True)
    finally:
        folder.rmdir()
