"""The built wheel: what it holds, weighs and requires, its version, and what is run from it as the README says."""

import contextlib
import json
import os
import re
import select
import subprocess
import sys
import tarfile
import time
import tomllib
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from repository import FIXTURES, ROOT
from running.wheels import built, files_of, hatchling, installed, required, tree, with_what_they_require

from compass.extras import MODULES, needing
from evaluator.errors import CompassError
from evaluator.readers.kinds.embedded import INTERRUPTED, TURNS

INSTALLED_BYTES_MAX = 110_000_000
"""With all that it requires: 101 MB on Linux x86-64, of which numpy and the SDK are 77."""
CORPUS = {"cases/test.jsonl", "cases/test-2.jsonl", "demo/rows.jsonl", "demo/readers.jsonl"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BASE, PROJECT = PYPROJECT["tool"]["hatch"]["version"]["fallback-version"], PYPROJECT["project"]
PACKAGES = {"compass", "evaluator", "calibration", "hooks"}
BLOCK = re.compile(r"^## Install$.*?^```sh\n(.*?)^```$", re.M | re.S)
ADDRESS = '"git+https://REPOSITORY"'
SECONDS = 280.0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    root = tmp_path_factory.mktemp("wheel")
    return built(tree(root / "source"), root / "dist")


@pytest.fixture(scope="module")
def python(wheel):
    return installed(wheel, wheel.parent.parent / "venv")


@pytest.fixture(scope="module")
def members(wheel):
    with ZipFile(wheel) as archive:
        return {one.filename: one.file_size for one in archive.infolist()}


def test_it_holds_all_modules_of_the_checkout_and_the_cases_that_commands_read_and_no_test(members):
    tops = {name.partition("/")[0] for name in members}
    assert {name for name in tops if not name.endswith(".dist-info")} == PACKAGES
    held = {name.removeprefix("calibration/corpus/") for name in members if "/corpus/" in name}
    assert held == CORPUS
    for name in ("compass/py.typed", "hooks/hooks.json", "hooks/plugin.sh"):
        assert name in members
    modules = {str(path.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    assert modules <= set(members)
    assert not [name for name in members if "/test" in name and "/corpus/" not in name and "/programs/" not in name
                and name.removesuffix(".py") + ".py" not in modules]  # fmt: skip


@pytest.mark.full
def test_what_it_requires_stays_in_bounds(python):
    (packages,) = python.parent.parent.glob("lib/python*/site-packages")
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(path.stat().st_size for path in files) < INSTALLED_BYTES_MAX


@pytest.mark.full
def test_every_module_of_the_default_installation_imports(python):
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


def test_the_demo_runs(python, tmp_path):
    done = run(python, "-m", "compass", "demo", "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {row["verdict"] for row in json.loads(done.stdout)} >= {"skipped", "failed"}


@pytest.mark.full
def test_the_shipped_cases_are_measured(python, tmp_path):
    done = run(python, "-m", "compass", "calibrate", "--json", "--backend", "embedded", home=tmp_path)
    assert done.returncode == 0, done.stderr
    shipped = [(FIXTURES / name).read_text() for name in CORPUS if name.startswith("cases/")]
    cases = sum('"label": "disputed"' not in line for text in shipped for line in text.splitlines())
    assert json.loads(done.stdout)["counts"]["total"] == cases


def run(python, *words, home=None):
    env = {"PATH": os.environ["PATH"], "HOME": str(home or "/nonexistent")}
    cwd = home if home is not None else python.parent
    return subprocess.run(
        [python, *words], env=env, cwd=cwd, capture_output=True, text=True, check=False, timeout=100
    )


@pytest.mark.full
def test_the_sbom_of_its_environment_names_what_it_requires_and_no_folder(wheel, python):
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


@pytest.fixture
def source(tmp_path):
    return tree(tmp_path / "source")


def git(source, *words):
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", source, *who, *words], check=True, capture_output=True)


def test_a_tree_without_git_has_the_base_and_says_it_before_anything_was_built(source):
    assert hatchling(source, "version") == BASE
    assert said(source) == f"compass {BASE}"


@pytest.mark.full
def test_wheel_and_source_distribution_have_the_tag_and_so_has_the_program(source, tmp_path):
    (source / ".gitignore").write_text((ROOT / ".gitignore").read_text())
    for words in ("init -q", "add .", "commit -q -m All", "tag v7.8.9"):
        git(source, *words.split())
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


def said(place):
    script = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"  # before an installation of the tests' environment
        "from compass.entry import main; main()"
    )
    words = [sys.executable, "-I", "-c", script, place, "--version"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_every_extra_has_its_modules_and_all_is_every_extra_but_the_heavy_ones():
    extras = PROJECT["optional-dependencies"]
    assert set(extras) - {"all", "bench"} == set(MODULES)
    assert extras["all"] == [f"{PROJECT['name']}[{','.join(sorted(set(MODULES) - {'ray'}))}]"]


def test_what_an_extra_lacks_is_named_with_its_requirements_and_any_other_missing_module_passes():
    with pytest.raises(CompassError) as raised, needing("mcp"):
        raise ModuleNotFoundError(name="mcp.types")
    said = "the extra `mcp` is not installed; install 'mcp<3,>=2.3' into the environment of "
    assert str(raised.value) == said + sys.executable
    with pytest.raises(ModuleNotFoundError), needing("mcp"):
        raise ModuleNotFoundError(name="anyio")


@pytest.mark.full
@pytest.mark.timeout(int(SECONDS) + 60)
def test_the_three_lines_of_the_readme_lead_to_a_held_write_and_a_wired_project(tmp_path, record_property):
    found = BLOCK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    lines = found[1].splitlines()
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
    assert "It ran: draft-2024.md has been deleted." in told and "Kept: draft-2023.md." in told
    wrapped = " ".join(told.split())
    assert "mode observe, no model reads" in wrapped
    assert f"in {TURNS} turns of real sessions it interrupts {INTERRUPTED} times" in wrapped
    wired = (project / ".claude" / "settings.local.json").read_text()
    installed = home / "compass-env"
    assert f"{installed}/bin/python" in wired and str(ROOT) not in wired
    assert not (installed / "bin/pytest").exists()
    each = zip(("install", "try", "init"), took, strict=True)
    shown = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in each)
    record_property("counted", f"README, to the first held write: {shown}")


def stocked(place: Path) -> Path:
    """A folder of wheels for pip: what it takes to build the wheel of this checkout and to run it without extras."""
    place.mkdir(parents=True)
    for one in with_what_they_require([*PYPROJECT["build-system"]["requires"], *PROJECT["dependencies"]]):
        _packed(one, place)
    return place


def _packed(one: Distribution, place: Path) -> None:
    tags = re.findall(r"^Tag: (\S+)", one.read_text("WHEEL") or "", re.M)
    sets = [".".join(dict.fromkeys(tag.split("-")[part] for tag in tags)) for part in range(3)]
    name = re.sub(r"[-_.]+", "_", one.name)
    with ZipFile(place / ("-".join((name, one.version, *sets)) + ".whl"), "w", ZIP_STORED) as archive:
        for file, source in files_of(one):
            archive.write(source, file)


def environment(home, wheels):
    """A person's shell with Python, and pip that finds all it needs in a folder."""
    return {
        "PATH": os.pathsep.join((f"{sys.base_prefix}/bin", "/usr/bin", "/bin")), "HOME": str(home), "LANG": "C.UTF-8",
        "TERM": "dumb", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1",
    }  # fmt: skip


def typed(lines, folder, env):
    """What a terminal shows of these lines in one shell, each after the other, and how long each took."""
    mark = "--- %s done"
    script = "\n".join(f"{line}\nprintf '\\n{mark}\\n' {at}" for at, line in enumerate(lines))
    ours, theirs = os.openpty()
    waiting, told, took = [("you> ", "2\n"), ("Write these changes?", "y\n")], "", []
    began = time.monotonic()
    deadline = began + SECONDS
    read_to = 0
    terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs, "start_new_session": True}
    with subprocess.Popen(["bash", "-e", "-c", script], cwd=folder, env=env, **terminal) as shell:
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


@pytest.mark.full
@pytest.mark.timeout(240)
def test_examples_and_snippets_run_against_the_wheel(wheel, tmp_path):
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1", "COMPASS_TESTED": str(tmp_path)}
    words = ["-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    file = str(ROOT / "tests/unit/api/test_examples.py")
    done = subprocess.run(
        [sys.executable, *words, file], env=env, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
