"""The version: the tag's where there is one, and something sensible in every tree that has none."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from repository import ROOT
from running.wheels import built, hatchling, tree

BASE = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["version"]["fallback-version"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tree(tmp_path / "source")


def git(source: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", source, *who, *words], check=True, capture_output=True)


def committed(source: Path) -> Path:
    (source / ".gitignore").write_text((ROOT / ".gitignore").read_text())
    git(source, "init", "-q")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "All")
    return source


def test_a_tree_without_git_has_the_base(source: Path) -> None:
    assert hatchling(source, "version") == BASE


@pytest.mark.full
def test_wheel_and_source_distribution_have_the_tag_and_so_has_the_program(
    source: Path, tmp_path: Path
) -> None:
    git(committed(source), "tag", "v7.8.9")
    assert hatchling(source, "version") == "7.8.9"
    archive = built(source, tmp_path / "dist", "sdist")
    assert archive.name == "compass_gate-7.8.9.tar.gz"
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "unpacked", filter="data")
    wheel = built(tmp_path / "unpacked/compass_gate-7.8.9", tmp_path / "dist")
    assert wheel.name.startswith("compass_gate-7.8.9-py3-")
    with ZipFile(wheel) as packed_wheel:
        packed_wheel.extractall(tmp_path / "installed")
    assert said(tmp_path / "installed") == "compass 7.8.9"


def test_a_tree_that_nothing_was_built_from_says_the_base(source: Path) -> None:
    assert said(source) == f"compass {BASE}"


def said(place: Path) -> str:
    script = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"  # before an installation of the tests' environment
        "from compass.entry import main; main()"
    )
    words = [sys.executable, "-I", "-c", script, place, "--version"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
