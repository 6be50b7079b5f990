"""Starts many real Python processes that run the same code, as close to at once as it goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from repository import ROOT

ROOT = str(ROOT)

START = """
import sys, time
sys.path[:0] = [{root!r}, {tests!r}]
time.sleep(max(0.0, {at} - time.time()))
"""


def start(code: str, *arguments: str, head_start: float = 0.0) -> subprocess.Popen[str]:
    """`code` sees `arguments` in sys.argv[1:]; it begins `head_start` seconds from now."""
    begin = START.format(root=ROOT, tests=ROOT + "/tests/support", at=time.time() + head_start)
    return subprocess.Popen(
        [sys.executable, "-I", "-W", "error", "-c", begin + code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outputs(processes: list[subprocess.Popen[str]]) -> list[str]:
    """What each printed, after all have ended well."""
    finished = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), finished
    return [out for out, _ in finished]


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Waits for what happens in another process or thread; fails where it does not."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def processor_seconds(pid: int) -> float:
    """What another process has taken of the processors so far, in nanoseconds' steps; see clock_getcpuclockid(3)."""
    whole_process = 2
    return time.clock_gettime(~pid << 3 | whole_process)


def end_services(folder: Path) -> None:
    """Kills what hooks started in the background, whose home or runtime folder is that one, by its environment."""
    own = {os.fsencode(f"{name}={folder}") for name in ("HOME", "XDG_RUNTIME_DIR")}
    for found in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if own & {*found.read_bytes().split(b"\0")}:
                os.kill(int(found.parent.name), signal.SIGKILL)


def finished(words: Sequence[object] | str, stdin: Any = b"", **how: Any) -> subprocess.CompletedProcess[Any]:
    """A program run to its end, whatever its code, with both outputs kept."""
    told = {"timeout": 60, **how}
    return subprocess.run(words, input=stdin, capture_output=True, check=False, **told)
