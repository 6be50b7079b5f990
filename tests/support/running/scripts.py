"""A program of this repository as somebody runs it: in its root, with what it prints."""

from __future__ import annotations

import subprocess
import sys

from repository import ROOT


def run(script: str, *words: object, fails: bool = False) -> str:
    """What `script`, a path from the root, prints; it has to end well, or with `fails` badly."""
    done = subprocess.run(
        [sys.executable, script, *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode != 0) is fails, done.stderr
    return done.stdout
