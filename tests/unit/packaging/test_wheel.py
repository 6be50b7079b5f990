"""The built wheel: what it holds, what it weighs, and that it runs beside its own requirements alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from repository import FIXTURES, ROOT
from running.wheels import built, installed, required, tree

from compass.extras import MODULES

INSTALLED_BYTES_MAX = 110_000_000
"""With all that it requires: 101 MB on Linux x86-64, of which numpy and the SDK are 77."""
CORPUS = {"cases/test.jsonl", "cases/test-2.jsonl", "demo/rows.jsonl", "demo/readers.jsonl"}
PACKAGES = {"compass", "evaluator", "calibration", "hooks"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("wheel")
    return built(tree(root / "source"), root / "dist")


@pytest.fixture(scope="module")
def python(wheel: Path) -> Path:
    return installed(wheel, wheel.parent.parent / "venv")


@pytest.fixture(scope="module")
def members(wheel: Path) -> dict[str, int]:
    with ZipFile(wheel) as archive:
        return {one.filename: one.file_size for one in archive.infolist()}


def test_it_holds_the_packages_and_the_cases_that_commands_read(members: dict[str, int]) -> None:
    tops = {name.partition("/")[0] for name in members}
    assert {name for name in tops if not name.endswith(".dist-info")} == PACKAGES
    held = {name.removeprefix("calibration/corpus/") for name in members if "/corpus/" in name}
    assert held == CORPUS
    for name in ("compass/py.typed", "hooks/hooks.json", "hooks/plugin.sh"):
        assert name in members


def test_it_holds_all_modules_of_the_checkout_and_no_test(members: dict[str, int]) -> None:
    modules = {str(path.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    assert modules <= set(members)
    assert not [name for name in members if "/test" in name and "/corpus/" not in name and "/programs/" not in name
                and name.removesuffix(".py") + ".py" not in modules]  # fmt: skip


@pytest.mark.full
def test_what_it_requires_stays_in_bounds(python: Path) -> None:
    (packages,) = python.parent.parent.glob("lib/python*/site-packages")
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(path.stat().st_size for path in files) < INSTALLED_BYTES_MAX


@pytest.mark.full
def test_every_module_of_the_default_installation_imports(python: Path) -> None:
    script = (
        "import importlib, json, pkgutil\n"
        "from evaluator.errors import CompassError\n"
        "left = []\n"
        f"for top in {sorted(PACKAGES)}:\n"
        "    for one in pkgutil.walk_packages(importlib.import_module(top).__path__, top + '.'):\n"
        "        if one.name.endswith('__main__'): continue\n"
        "        try: importlib.import_module(one.name)\n"
        "        except ImportError as error: left.append((one.name, error.name))\n"
        "        except CompassError as error: left.append((one.name, error.__context__.name))\n"
        "print(json.dumps(left))\n"
    )
    found = json.loads(run(python, "-c", script).stdout)
    # What an extra serves, and the plugin of a program that has its own.
    assert {name.partition(".")[0] for _, name in found} <= {"pytest"}.union(*MODULES.values())
    rooms = ("compass.mcp_server", "compass.measure", "compass.team")
    assert [module for module, _ in found if not module.startswith(rooms)] == []


def test_the_demo_runs(python: Path, tmp_path: Path) -> None:
    done = run(python, "-m", "compass", "demo", "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {row["verdict"] for row in json.loads(done.stdout)} >= {"skipped", "failed"}


@pytest.mark.full
def test_the_shipped_cases_are_measured(python: Path, tmp_path: Path) -> None:
    done = run(python, "-m", "compass", "calibrate", "--json", "--backend", "embedded", home=tmp_path)
    assert done.returncode == 0, done.stderr
    shipped = [(FIXTURES / name).read_text() for name in CORPUS if name.startswith("cases/")]
    cases = sum('"label": "disputed"' not in line for text in shipped for line in text.splitlines())
    assert json.loads(done.stdout)["counts"]["total"] == cases


def run(python: Path, *words: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(home or "/nonexistent")}
    cwd = home if home is not None else python.parent
    return subprocess.run(
        [python, *words], env=env, cwd=cwd, capture_output=True, text=True, check=False, timeout=100
    )


@pytest.mark.full
def test_the_sbom_of_its_environment_names_what_it_requires_and_no_folder(wheel: Path, python: Path) -> None:
    stated = wheel.parent / "pyproject.toml"
    project = (ROOT / "pyproject.toml").read_text()
    stated.write_text(re.sub(r"(?m)^dynamic = .*$", 'version = "1.2.3"', project))
    words = ["environment", "--pyproject", str(stated), "--output-reproducible", str(python)]
    program = Path(sys.executable).parent / "cyclonedx-py"
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    bom = json.loads(done.stdout)
    assert bom["bomFormat"] == "CycloneDX"
    root = bom["metadata"]["component"]
    assert (root["name"], root["version"]) == ("compass-gate", "1.2.3")
    named = {(one["name"], one["version"]) for one in bom["components"]}
    assert named == {(one.name, one.version) for one in required(wheel)}
    assert str(wheel.parent.parent) not in done.stdout and "file://" not in done.stdout
