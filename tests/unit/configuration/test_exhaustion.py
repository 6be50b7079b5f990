"""A process that is out of descriptors sees no settings; it must not take that for a gate that is off."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from running.hookrun import MAIN, denial
from running.serving import last_word, serving

from evaluator import wire

LINUX = sys.platform == "linux"

SHORT = """
import os, resource, sys
from compass.composition import settings
from hooks.hosts.claude_code import host
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
held = []
try:
    while True:
        held.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    pass
try:
    found = settings.load({}, sys.argv[1], sys.argv[2])
except OSError as error:
    os.write(1, f"raised {error.errno}".encode())
else:
    os.write(1, f"enabled {found.settings.enabled}".encode())
"""


def turn_on(home: Path) -> None:
    (home / ".claude").mkdir(parents=True)
    (home / ".claude/settings.json").write_text(json.dumps({"compass": {"enabled": True}}))


def test_settings_that_no_descriptor_is_left_for_are_not_absent(tmp_path: Path) -> None:
    turn_on(tmp_path / "home")
    (tmp_path / "project").mkdir()
    words = [sys.executable, "-c", SHORT, str(tmp_path / "home"), str(tmp_path / "project")]
    done = subprocess.run(words, capture_output=True, timeout=60, check=False)
    assert done.stdout == b"raised 24", done.stderr


@pytest.mark.skipif(not LINUX, reason="limits of another process are set by prlimit")
def test_connections_leave_descriptors_for_the_checks(tmp_path: Path) -> None:
    """Of 64 descriptors half are for connections: one more is closed at once, and its call judged by its client."""
    with serving(tmp_path) as here:
        here.place.say("Tell me which files are unused, but do not delete any.")
        script = f"ulimit -n 64; exec {sys.executable} -I {MAIN} serve"
        here.process = subprocess.Popen(
            ["bash", "-c", script], env=here.place.environment(), cwd=here.place.project,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert here.process.stdout is not None
        here.process.stdout.readline()
        lines = [here.connect() for _ in range(60)]
        try:
            payload = here.place.payload("Bash", {"command": "rm src/old_auth.py"})
            lines[0].sendall(here.request("pre-tool-use", payload))
            kind, body = last_word(lines[0])
            assert kind == wire.ANSWER
            assert b"deny" in body
            assert denial(here.place.hook("pre-tool-use", payload)) is not None
        finally:
            for line in lines:
                line.close()
