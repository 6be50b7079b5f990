"""The wheel, and environments that hold it beside its own requirements alone. No index is asked.

Requirements come from the environment of the tests, whose files are linked: what only a developer has is not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from repository import ROOT

SOURCES = (
    "compass", "evaluator", "calibration", "hooks", "fixtures",
    "hatch_build.py", "pyproject.toml", "README.md", "LICENSE",
)  # fmt: skip


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


def hatchling(source: Path, *words: str) -> str:
    return _said([sys.executable, "-m", "hatchling", *words], source)


def _said(words: Sequence[str], folder: Path | None = None) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def built(source: Path, into: Path, target: str = "wheel") -> Path:
    """The one file that `target` comes to."""
    hatchling(source, "build", "-t", target, "-d", str(into))
    (found,) = into.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return found


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
    own = "-m pip -q --disable-pip-version-check --python"
    _said([sys.executable, *own.split(), str(python), *words])


def required(wheel: Path) -> list[Distribution]:
    """All that the wheel needs without extras, directly or not, as it is installed here."""
    with ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        stated = Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist", [])
    return with_what_they_require(stated)


def with_what_they_require(stated: Iterable[str]) -> list[Distribution]:
    waiting = [(Requirement(text), "") for text in stated]
    met: set[tuple[str, str]] = set()
    found: dict[str, Distribution] = {}
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        one = found[requirement.name] = distribution(requirement.name)
        for wanted in ("", *requirement.extras):
            if (one.name, wanted) not in met:
                met.add((one.name, wanted))
                waiting += [(Requirement(text), wanted) for text in one.requires or ()]
    return list({one.name: one for one in found.values()}.values())


def files_of(one: Distribution) -> Iterator[tuple[str, Path]]:
    """Its installed files, but for scripts outside of the packages, which pip makes of entry points."""
    for file in one.files or ():
        source = Path(str(one.locate_file(file)))
        if ".." not in file.parts and source.suffix != ".pyc" and source.is_file():
            yield str(file), source


def _link(one: Distribution, packages: Path) -> None:
    for name, source in files_of(one):
        to = packages / name
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, to)
        except OSError:
            shutil.copy2(source, to)
