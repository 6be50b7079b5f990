"""A command with the processes that it starts: how much memory each took, and one of them killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from running.hookrun import MAIN, Place

LOOK_SECONDS = 0.02
END_SECONDS = 500.0


@dataclass
class Ran:
    """A command that ended. `peaks` has the most resident memory of each worker, in kB; `killed` is the worker that was
    ended by us."""

    returncode: int
    stdout: bytes
    stderr: bytes
    peaks: list[int] = field(default_factory=list)
    killed: int | None = None


def below(pid: int) -> list[int]:
    """All processes that descend from it, as far as they are there."""
    found: list[int] = []
    for task in _listed(f"/proc/{pid}/task"):
        for child in _text(f"/proc/{pid}/task/{task}/children").split():
            found += [int(child), *below(int(child))]
    return found


def is_worker(pid: int) -> bool:
    """Of Ray or of ours: neither what Ray keeps beside its workers, nor what tracks semaphores."""
    named = _text(f"/proc/{pid}/cmdline").replace("\0", " ")
    return "popen_loky" in named or (named.startswith("ray::") and "Agent" not in named)


def peak_of(pid: int) -> int:
    lines = (line.split() for line in _text(f"/proc/{pid}/status").splitlines())
    return next((int(line[1]) for line in lines if line and line[0] == "VmHWM:"), 0)


def ran(place: Place, *words: object, kills: Callable[[], bool] | None = None) -> Ran:
    """Once `kills` says so, a worker is killed, by its id."""
    with (
        (place.root / "told").open("wb+") as out,
        (place.root / "warned").open("wb+") as err,
        subprocess.Popen(
            [sys.executable, "-I", MAIN, *map(str, words)],
            env=place.environment(), cwd=place.project, stdout=out, stderr=err,
        ) as running,
    ):  # fmt: skip
        peaks: dict[int, int] = {}
        killed, until = None, time.monotonic() + END_SECONDS
        while running.poll() is None:
            assert time.monotonic() < until, "it does not end"
            workers = [one for one in below(running.pid) if is_worker(one)]
            peaks |= {one: max(peaks.get(one, 0), peak_of(one)) for one in workers}
            if killed is None and kills is not None and workers and kills():
                killed = workers[-1]
                os.kill(killed, signal.SIGKILL)
            time.sleep(LOOK_SECONDS)
        out.seek(0)
        err.seek(0)
        return Ran(running.returncode, out.read(), err.read(), sorted(peaks.values()), killed)


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
