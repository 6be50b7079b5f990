"""The built wheel: its surface is typed, and examples and snippets run against it, not against the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT

HERE = Path(__file__).parent
SOURCES = (
    "compass",
    "evaluator",
    "calibration",
    "hooks",
    "fixtures",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, without an index, and unpacked as an installer does."""
    root = tmp_path_factory.mktemp("wheel")
    copy, unpacked = root / "source", root / "installed"
    copy.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    building = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(root), str(copy)]
    _pip(*building)
    (built,) = root.glob("*.whl")
    _pip("install", "--no-deps", "--no-index", "--target", str(unpacked), str(built))
    return unpacked


def _pip(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_wheel_says_that_it_is_typed(wheel: Path) -> None:
    assert (wheel / "compass/py.typed").is_file() and (wheel / "compass/api/__init__.py").is_file()


@pytest.mark.parametrize("name", ["test_examples.py", "test_snippets.py"])
def test_examples_and_snippets_run_against_the_wheel(wheel: Path, name: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(wheel), "PYTHONSAFEPATH": "1", "COMPASS_TESTED": str(wheel)}
    words = [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        str(HERE / name),
    ]
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
