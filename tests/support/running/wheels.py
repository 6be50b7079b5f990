"""The wheel, and environments that hold it beside its own requirements alone. No index is asked.

Requirements come from the environment of the tests, whose files are linked: what only a developer has is not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from repository import ROOT

SOURCES = (
    "compass",
    "evaluator",
    "calibration",
    "hooks",
    "fixtures",
    "hatch_build.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)


def tree(place: Path) -> Path:
    """A copy of what the wheel is built from, without git."""
    place.mkdir(parents=True)
    skipped = shutil.ignore_patterns("__pycache__")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=skipped)
        else:
            shutil.copy(source, place / name)
    return place


def built(source: Path, into: Path, target: str = "wheel") -> Path:
    """The one file that `target` comes to."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = into.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return found


def version_of(source: Path) -> str:
    """That of what would be built there."""
    words = [sys.executable, "-m", "hatchling", "version"]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def installed(wheel: Path, place: Path) -> Path:
    """The interpreter of a new environment with the wheel and what it requires."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = place / "bin/python"
    (packages,) = place.glob("lib/python*/site-packages")
    for one in required(wheel):
        _link(one, packages)
    pip(python, "install", "--no-deps", "--no-index", str(wheel))
    return python


def pip(python: Path, *words: str) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "-q",
        "--disable-pip-version-check",
        "--python",
        str(python),
        *words,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def required(wheel: Path) -> list[Distribution]:
    """All that the wheel needs without extras, directly or not, as it is installed here."""
    with ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        stated = Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist", [])
    found: dict[str, Distribution] = {}
    open_ones = list(_wanted(stated, ""))
    while open_ones:
        requirement = open_ones.pop()
        one = distribution(requirement.name)
        more = [extra for extra in requirement.extras if f"{one.name}[{extra}]" not in found]
        if one.name not in found or more:
            found[one.name] = one
            for extra in ("", *more):
                found[f"{one.name}[{extra}]" if extra else one.name] = one
                open_ones += _wanted(one.requires or [], extra)
    return list({one.name: one for one in found.values()}.values())


def _wanted(stated: list[str], extra: str) -> Iterator[Requirement]:
    for text in stated:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def _link(one: Distribution, packages: Path) -> None:
    for file in one.files or ():
        source = Path(str(one.locate_file(file)))
        if ".." in file.parts or source.suffix == ".pyc" or not source.is_file():
            continue
        to = packages / file
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, to)
        except OSError:
            shutil.copy2(source, to)
