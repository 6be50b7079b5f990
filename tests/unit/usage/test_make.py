"""`make hosts HOST=name`: a name that is none is told with those that are."""

import subprocess
import sys

from repository import ROOT


def test_an_unknown_host_is_answered_with_the_list():
    program = ROOT / "tests/e2e/hosts/install.py"
    done = subprocess.run([sys.executable, program, "nobody"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "nobody" in done.stderr and "codex, gemini, copilot, opencode" in done.stderr
    assert "install.py $(HOST)" in (ROOT / "Makefile").read_text()
