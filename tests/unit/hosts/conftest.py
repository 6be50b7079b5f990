"""Commands as users run them, in a home of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MAIN = str(Path(__file__).parents[3] / "compass" / "__main__.py")
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def compass_at() -> Command:
    def run(home: Path, project: Path, *words: str) -> subprocess.CompletedProcess[str]:
        env = {"HOME": str(home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}
        return subprocess.run(
            [sys.executable, MAIN, *words],
            cwd=project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run
