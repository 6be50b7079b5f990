"""What `import compass` brings, and what it costs those who import it on every hook."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from repository import ROOT

import compass

PROMISED = {"CompassError", "Gate", "Heard", "Session", "Verdict", "judge"}


def run(code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; before = set(sys.modules); {code}"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_import_compass_imports_itself_alone():
    assert run("import compass; print(*sorted(set(sys.modules) - before))") == ["compass"]


def test_judging_by_rules_imports_neither_sdk_nor_server():
    heavy = [
        "anthropic",
        "httpx2",
        "numpy",
        "fastapi",
        "uvicorn",
        "rich",
        "compass.commands",
        "calibration.report",
    ]
    found = run(f"from compass import Gate, judge; print(*[name for name in {heavy} if name in sys.modules])")
    assert found == []


def test_the_surface_is_what_is_promised():
    assert set(compass.__all__) == PROMISED
    assert set(dir(compass)) >= PROMISED
    for name in PROMISED:
        assert getattr(compass, name).__module__.startswith(("compass.api", "evaluator.errors")), name
    with pytest.raises(AttributeError, match="no attribute 'gate'"):
        compass.gate  # noqa: B018


def test_star_import_brings_the_surface():
    assert set(run("from compass import *; print(*[name for name in dir() if name[:1] != '_'])")) >= PROMISED
