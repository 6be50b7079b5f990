"""Commands as users run them, in a home of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from running.hookrun import command

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def compass_at() -> Command:
    def run(home: Path, project: Path, *words: str) -> subprocess.CompletedProcess[str]:
        env = {"HOME": str(home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}
        return command(words, env=env, cwd=project)

    return run
