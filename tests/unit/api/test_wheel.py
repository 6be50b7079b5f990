"""The built wheel: its surface is typed, and examples and snippets run against it, not against the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from repository import ROOT
from running.wheels import built, tree

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, without an index, and unpacked as an installer does."""
    root = tmp_path_factory.mktemp("wheel")
    unpacked = root / "installed"
    with ZipFile(built(tree(root / "source"), root / "dist")) as archive:
        archive.extractall(unpacked)
    return unpacked


@pytest.mark.full
@pytest.mark.parametrize("name", ["test_examples.py", "test_snippets.py"])
def test_examples_and_snippets_run_against_the_wheel(wheel: Path, name: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(wheel), "PYTHONSAFEPATH": "1", "COMPASS_TESTED": str(wheel)}
    words = [
        sys.executable,
        *["-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        str(HERE / name),
    ]
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
