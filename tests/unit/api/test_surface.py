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


HEAVY = {
    "anthropic", "httpx2", "numpy", "fastapi", "starlette", "uvicorn", "h11", "prometheus_client", "mcp", "rich",
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "kept_out"),
    [
        ("from compass import Gate, judge", {*HEAVY, "compass.commands", "calibration.report"}),
        (
            "import compass.cli, compass.commands.programs",
            {*HEAVY, "mcp_types", "anyio", "asyncio", "pydantic"},
        ),
        # A service without `--http` and without its page.
        ("import compass.service.process, compass.commands.serve, compass.hook.entry", HEAVY),
    ],
    ids=["judge", "mcp", "serve"],
)
def test_neither_sdk_nor_server_is_imported_before_it_is_needed(code, kept_out):
    assert kept_out.isdisjoint(run(f"{code}; print(*sys.modules)"))


def test_the_surface_is_what_is_promised():
    assert set(compass.__all__) == PROMISED
    assert set(dir(compass)) >= PROMISED
    for name in PROMISED:
        assert getattr(compass, name).__module__.startswith(("compass.api", "evaluator.errors")), name
    with pytest.raises(AttributeError, match="no attribute 'gate'"):
        compass.gate  # noqa: B018
