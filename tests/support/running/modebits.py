"""Runs a command under which mode bits count, as they do not for root: a root without the right to pass over them."""

from __future__ import annotations

import os
import subprocess
import sys

_DROP = """
import ctypes, os, sys
drop = ctypes.CDLL(None).prctl
for capability in (1, 2):  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by PR_CAPBSET_DROP
    assert drop(24, capability, 0, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


def prefix() -> list[str]:
    """Words to put before a command whose program is an absolute path."""
    return [sys.executable, "-I", "-S", "-c", _DROP] if os.geteuid() == 0 else []


def count() -> bool:
    """Whether this machine lets root give that right up."""
    probe = [*prefix(), sys.executable, "-I", "-S", "-c", "import os; os.listdir('/proc/self/fd')"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0
