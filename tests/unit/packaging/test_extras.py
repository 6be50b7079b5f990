"""A command whose extra is missing says what is to be installed, and where."""

from __future__ import annotations

import sys
import tomllib

import pytest
from repository import ROOT

from compass.extras import MODULES, needing
from evaluator.errors import CompassError

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HEAVY = {"ray"}


def test_every_extra_has_its_modules_and_all_is_every_extra_but_the_heavy_ones() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(extras) - {"all", "bench"} == set(MODULES)
    assert extras["all"] == [f"{PROJECT['name']}[{','.join(sorted(set(MODULES) - HEAVY))}]"]


def test_what_is_missing_is_named_with_its_requirements() -> None:
    with pytest.raises(CompassError) as raised, needing("mcp"):
        raise ModuleNotFoundError(name="mcp.types")
    said = "the extra `mcp` is not installed; install 'mcp<3,>=2.3' into the environment of "
    assert str(raised.value) == said + sys.executable


def test_a_missing_module_of_something_else_passes_through() -> None:
    with pytest.raises(ModuleNotFoundError), needing("mcp"):
        raise ModuleNotFoundError(name="anyio")
