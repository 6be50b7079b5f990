"""Real sessions behind the service: the hooks are thin clients of one process that outlives them."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.playing.replies import Json, writes
from e2e.playing.session import COMPASS, Open
from running.processes import end_services

from evaluator import wire

pytestmark = pytest.mark.e2e


@pytest.fixture
def runtime() -> Iterator[Path]:
    """A short folder for the socket; whatever service is left in it is killed."""
    folder = Path(tempfile.mkdtemp(prefix="cps"))
    yield folder
    end_services(folder)
    shutil.rmtree(folder, ignore_errors=True)


def counts(runtime: Path) -> Json:
    """What the running service tells of itself; waits for one that is just starting."""
    end = time.monotonic() + 20
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(runtime / "compass" / wire.SOCKET_NAME))
            line.sendall(wire.frame(wire.STATUS))
            _, size = wire.header(line.recv(wire.HEADER_BYTES, socket.MSG_WAITALL))
            found: Json = json.loads(line.recv(size, socket.MSG_WAITALL))
        except OSError:
            assert time.monotonic() < end, "no service came up"
            time.sleep(0.1)
        else:
            return found
        finally:
            line.close()


def test_a_write_is_judged_by_the_service_and_by_nothing_that_the_project_brings_along(
    open_session: Open, runtime: Path
) -> None:
    """A project with a `json.py`, a `hooks` package and a `sitecustomize` of its own runs none of them."""
    variables = {"XDG_RUNTIME_DIR": str(runtime), "COMPASS_SERVICE__ENABLED": "true"}
    session = open_session(writes("config.yaml"), variables=variables).gated()
    modules = ("json.py", "sitecustomize.py", "usercustomize.py")
    for name in (*modules, "hooks/__init__.py", "evaluator/__init__.py"):
        path = session.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"open({str(session.root / 'ran')!r}, 'a').write({name!r})\n")
    waking = subprocess.Popen([str(COMPASS), "serve"], env=session.environment(), stdout=subprocess.DEVNULL)
    counts(runtime)
    run = session.run("Create config.yaml in the project's root, with debug turned on")
    run.assert_hooks_ran("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
    assert run.denials == []
    assert (session.project / "config.yaml").exists()
    assert session.explain()["reason"] == "confident"
    assert len(session.readers_asked()) == 5
    found = counts(runtime)
    assert found["requests"] >= 4
    assert found["broken"] == found["refused"] == 0
    assert waking.poll() is None
    session.compass("serve", "--stop")
    assert waking.wait(10) == 0
    assert not (session.root / "ran").exists()
    assert "compass/__main__.py" in (session.project / ".claude/settings.local.json").read_text()
