"""A folder of wheels for pip, made of what is installed here: what an index would hold, without asking one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

from packaging.requirements import Requirement
from repository import ROOT


def stocked(place: Path) -> Path:
    """All that it takes to build the wheel of this checkout, and to run it without extras."""
    place.mkdir(parents=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for one in _all(wanted):
        _packed(one, place)
    return place


def _all(stated: Iterable[str]) -> list[Distribution]:
    """These and what they require, by what is installed."""
    waiting = [(Requirement(text), "") for text in stated]
    met: set[tuple[str, str]] = set()
    found: dict[str, Distribution] = {}
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        one = distribution(requirement.name)
        found[one.name] = one
        for wanted in ("", *requirement.extras):
            if (one.name, wanted) not in met:
                met.add((one.name, wanted))
                waiting += [(Requirement(text), wanted) for text in one.requires or ()]
    return list(found.values())


def _packed(one: Distribution, place: Path) -> None:
    """Its installed files as a wheel. Scripts outside of the packages are left out: pip makes them of entry points."""
    wheel = one.read_text("WHEEL") or ""
    tags = re.findall(r"^Tag: (\S+)", wheel, re.M)
    sets = [".".join(dict.fromkeys(tag.split("-")[part] for tag in tags)) for part in range(3)]
    name = re.sub(r"[-_.]+", "_", one.name)
    file_name = "-".join((name, one.version, *sets)) + ".whl"
    with ZipFile(place / file_name, "w", ZIP_STORED) as archive:
        for file in one.files or ():
            source = Path(str(one.locate_file(file)))
            if ".." not in file.parts and source.suffix != ".pyc" and source.is_file():
                archive.write(source, str(file))
