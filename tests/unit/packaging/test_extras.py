"""A command whose extra is missing says the one line that installs it, whatever installed Compass."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from repository import ROOT
from running.wheels import built, installed, tree

from compass.extras import MODULES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SAID = "compass mcp: the extra `mcp` is not installed; to install it: "
WANTED = "mcp<3,>=2.3"


class Installation:
    def __init__(self, python: Path, wheel: Path) -> None:
        self.python, self.wheel = python, wheel
        self.prefix = python.parent.parent
        (self.info,) = self.prefix.glob("lib/python*/site-packages/compass_gate-*.dist-info")

    def line(self, home: Path) -> list[str]:
        """The words of the line that `compass mcp` says."""
        done = subprocess.run(
            [self.prefix / "bin/compass", "mcp"], env={"PATH": os.environ["PATH"], "HOME": str(home)}, cwd=home,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
        assert done.stderr.startswith(SAID)
        return shlex.split(done.stderr.removeprefix(SAID))

    def came_from(self, told: dict[str, object] | None) -> None:
        """As an installer notes it; None for an index."""
        file = self.info / "direct_url.json"
        file.unlink(missing_ok=True)
        if told is not None:
            file.write_text(json.dumps(told))


HEAVY = {"ray"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    root = tmp_path_factory.mktemp("extras")
    wheel = built(tree(root / "source"), root / "dist")
    return Installation(installed(wheel, root / "venv"), wheel)


@pytest.fixture
def installation(made: Installation) -> Iterator[Installation]:
    yield made
    for name in ("pipx_metadata.json", "uv-receipt.toml"):
        (made.prefix / name).unlink(missing_ok=True)


def test_every_extra_has_its_modules_and_all_is_every_extra_but_the_heavy_ones() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(extras) - {"all", "bench"} == set(MODULES)
    assert extras["all"] == [f"{PROJECT['name']}[{','.join(sorted(set(MODULES) - HEAVY))}]"]


@pytest.mark.full
def test_pipx_injects_it(installation: Installation, tmp_path: Path) -> None:
    (installation.prefix / "pipx_metadata.json").write_text("{}")
    assert installation.line(tmp_path) == ["pipx", "inject", "compass-gate", WANTED]


@pytest.mark.full
def test_an_environment_without_pip_gets_it_by_uv(installation: Installation, tmp_path: Path) -> None:
    words = ["uv", "pip", "install", "--python", str(installation.prefix / "bin/python"), WANTED]
    assert installation.line(tmp_path) == words


@pytest.mark.full
def test_pip_installs_it_into_the_environment_of_the_program(
    installation: Installation, tmp_path: Path
) -> None:
    packages = installation.info.parent
    (packages / "pip").mkdir()
    (packages / "pip/__init__.py").touch()
    try:
        words = [str(installation.prefix / "bin/python"), "-m", "pip", "install", WANTED]
        assert installation.line(tmp_path) == words
    finally:
        (packages / "pip/__init__.py").unlink()
        (packages / "pip").rmdir()


@pytest.mark.full
def test_uv_tool_asks_for_it_where_the_program_came_from(installation: Installation, tmp_path: Path) -> None:
    (installation.prefix / "uv-receipt.toml").touch()
    installation.came_from({"url": installation.wheel.as_uri(), "archive_info": {}})
    assert installation.line(tmp_path) == ["uv", "tool", "install", f"{installation.wheel}[mcp]"]
    installation.came_from({"url": ROOT.as_uri(), "dir_info": {"editable": True}})
    assert installation.line(tmp_path) == ["uv", "tool", "install", "--editable", f"{ROOT}[mcp]"]
    installation.came_from(
        {
            "url": "https://git.example/c",
            "vcs_info": {"vcs": "git", "commit_id": "ab12", "requested_revision": "v1"},
        }
    )
    assert installation.line(tmp_path)[-1] == "compass-gate[mcp] @ git+https://git.example/c@ab12"
    installation.came_from(None)
    assert installation.line(tmp_path)[-1] == "compass-gate[mcp]"


@pytest.mark.full
def test_uv_tool_whose_source_is_gone_gets_the_requirement(
    installation: Installation, tmp_path: Path
) -> None:
    (installation.prefix / "uv-receipt.toml").touch()
    installation.came_from({"url": (tmp_path / "gone.whl").as_uri(), "archive_info": {}})
    assert installation.line(tmp_path)[:3] == ["uv", "pip", "install"]


@pytest.mark.full
def test_a_tree_that_was_not_installed_reads_its_own_project_file(tmp_path: Path) -> None:
    copy = tree(tmp_path / "copy")
    script = (
        "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; sys.path.insert(0, sys.argv[1])\n"
        "from compass.extras import requirements\n"
        "print(*requirements('mcp'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, copy], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["mcp>=2.3,<3"]
