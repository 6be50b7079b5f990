"""The README's installation and first held write, line by line: Python alone, a scratch home, no network."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from repository import ROOT
from running.wheels import files_of, tree, with_what_they_require

from evaluator.readers.kinds.embedded import INTERRUPTED, TURNS

BLOCK = re.compile(r"^## Install$.*?^```sh\n(.*?)^```$", re.M | re.S)
ADDRESS = '"git+https://REPOSITORY"'
ANSWERS = (
    ("you> ", "2\n"),
    ("(press Enter to continue)", "\n"),
    ("(press Enter to continue)", "\n"),
    ("Write these changes?", "y\n"),
)
SECONDS = 280.0


@pytest.mark.full
def test_its_three_lines_lead_to_a_held_write_and_a_wired_project(
    tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    lines = commands()
    assert ADDRESS in lines[0]
    lines[0] = lines[0].replace(ADDRESS, ".")  # this checkout
    assert [line.split("&&")[-1].split()[0] for line in lines] == ["pip", "compass", "compass"]
    checkout, home = tmp_path / "checkout", tmp_path / "home"
    home.mkdir()
    tree(checkout)
    project = checkout / "your" / "project"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True)

    told, took = typed(lines, checkout, environment(home, stocked(tmp_path / "wheels")))
    assert "Compass held back: delete draft-2023.md" in told
    assert "It ran: draft-2024.md is deleted." in told and "Kept: draft-2023.md." in told
    wrapped = " ".join(told.split())
    assert "mode observe, no model reads" in wrapped
    assert f"of {TURNS} turns of real sessions it interrupts {INTERRUPTED}" in wrapped
    wired = (project / ".claude" / "settings.local.json").read_text()
    installed = home / "compass-env"
    assert f"{installed}/bin/python" in wired and str(ROOT) not in wired
    assert not (installed / "bin/pytest").exists()
    shown = ", ".join(
        f"{name} {seconds:.1f} s" for name, seconds in zip(("install", "try", "init"), took, strict=True)
    )
    record_property("counted", f"README, to the first held write: {shown}")


def commands() -> list[str]:
    found = BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    return found[1].splitlines()


def stocked(place: Path) -> Path:
    """A folder of wheels for pip: what it takes to build the wheel of this checkout and to run it without extras."""
    place.mkdir(parents=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for one in with_what_they_require(
        [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    ):
        _packed(one, place)
    return place


def _packed(one: Distribution, place: Path) -> None:
    tags = re.findall(r"^Tag: (\S+)", one.read_text("WHEEL") or "", re.M)
    sets = [".".join(dict.fromkeys(tag.split("-")[part] for tag in tags)) for part in range(3)]
    name = re.sub(r"[-_.]+", "_", one.name)
    with ZipFile(place / ("-".join((name, one.version, *sets)) + ".whl"), "w", ZIP_STORED) as archive:
        for file, source in files_of(one):
            archive.write(source, file)


def environment(home: Path, wheels: Path) -> dict[str, str]:
    """A person's shell with Python, and pip that finds all it needs in a folder."""
    return {
        "PATH": os.pathsep.join((f"{sys.base_prefix}/bin", "/usr/bin", "/bin")), "HOME": str(home), "LANG": "C.UTF-8",
        "TERM": "dumb", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1",
    }  # fmt: skip


def typed(lines: Sequence[str], folder: Path, env: dict[str, str]) -> tuple[str, list[float]]:
    """What a terminal shows of these lines in one shell, each after the other, and how long each took."""
    mark = "--- %s done"
    script = "\n".join(f"{line}\nprintf '\\n{mark}\\n' {at}" for at, line in enumerate(lines))
    ours, theirs = os.openpty()
    waiting, told, took = list(ANSWERS), "", []
    began = time.monotonic()
    deadline = began + SECONDS
    read_to = 0
    with subprocess.Popen(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as shell:
        os.close(theirs)
        with contextlib.suppress(OSError):  # the terminal's other side is closed once the shell has ended
            while time.monotonic() < deadline:
                if not select.select([ours], [], [], 1.0)[0]:
                    continue
                told += os.read(ours, 65536).decode(errors="replace").replace("\r", "")
                while len(took) < len(lines) and mark % len(took) in told:
                    took.append(time.monotonic() - began - sum(took))
                if waiting and (at := told.find(waiting[0][0], read_to)) >= 0:
                    read_to = at + len(waiting[0][0])
                    os.write(ours, waiting.pop(0)[1].encode())
        shell.kill()
    os.close(ours)
    assert len(took) == len(lines) and not waiting, told[-4000:]
    return told, took


pytestmark = pytest.mark.timeout(int(SECONDS) + 60)
