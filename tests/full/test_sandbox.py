"""The sandbox sees every kind of change, and lets none out."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from full import project
from full.sandbox import Sandbox, changes, opened

pytestmark = pytest.mark.full


@pytest.fixture
def own(sandbox: Sandbox) -> Iterator[Sandbox]:
    """A sandbox that a test may change; `sandbox` says whether there can be one."""
    with opened() as made:
        project.make(made)
        yield made


CHANGING = {
    "git tag y": ["+project/.git/refs/tags/y"],
    "touch README.md": ["!project/README.md"],
    "chmod 600 README.md": ["!project/README.md"],
    "mv a.txt z.txt": ["+project/z.txt", "-project/a.txt"],
    "mkdir new": ["+project/new"],
    "ln -sfn docs/guide.md link": ["!project/link"],
    "touch -r a.c s; printf 'int main(void) { return 1; }\\n' > a.c; touch -r s a.c; rm s": ["!project/a.c"],
    "echo x > ~/.profile": ["+home/.profile"],
    "echo x > /tmp/x": ["+tmp/x"],
}
"""{command: what it is seen to change}"""


def test_each_change_is_seen(own: Sandbox) -> None:
    seen = {}
    for command in CHANGING:
        before = own.digest()
        ran = own.run(command)
        assert ran.code == 0, ran.stderr
        seen[command] = changes(before, own.digest())
    assert seen == CHANGING


@pytest.mark.parametrize(
    ("place", "why"),
    [
        *(
            (f"{folder}/sandbox-x", "Read-only file system")
            for folder in ("", "/usr", "/etc", "/dev", "/home", "/opt")
        ),
        ("/proc/sys/kernel/hostname", "denied|Read-only"),
        ("/usr/bin/env", "denied|Read-only"),
    ],
)
def test_nothing_is_written_elsewhere(place: str, why: str, sandbox: Sandbox) -> None:
    before = sandbox.digest()
    ran = sandbox.run(f"echo x >> {place}")
    assert ran.code != 0
    assert re.search(why, ran.stderr)
    assert changes(before, sandbox.digest()) == []
    assert not Path("/sandbox-x").exists()


@pytest.mark.parametrize(
    "command",
    [
        "mount -o remount,rw /",
        "unshare --user --map-root-user --mount mount -o remount,bind,rw /usr",
        "unshare --user --map-root-user --mount umount /usr",
        "chroot / true",
    ],
)
def test_the_walls_cannot_be_taken_down(command: str, sandbox: Sandbox) -> None:
    assert sandbox.run(command).code != 0


def test_no_other_process_is_reached(sandbox: Sandbox) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        ran = sandbox.run(f"kill -9 {other.pid}; pgrep -c . > /dev/null && pgrep -l .")
        alive = other.poll() is None
        other.kill()
    assert alive
    assert "bash" in ran.stdout
    assert "sleep" not in ran.stdout


def test_no_server_of_the_machine_is_reached(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        ran = sandbox.run(f"exec 3<>/dev/tcp/127.0.0.1/{port}")
        with pytest.raises(BlockingIOError):
            server.accept()
    assert ran.code != 0


def test_a_command_that_does_not_end_is_ended_with_all_that_it_started(sandbox: Sandbox) -> None:
    mark = f"31536{os.getpid()}"
    with pytest.raises(subprocess.TimeoutExpired):
        sandbox.run(f"setsid sleep {mark} & sleep {mark}", seconds=2)
    started = ["pgrep", "-f", f"^sleep {mark}"]
    until = time.monotonic() + 30
    while subprocess.run(started, capture_output=True, check=False).returncode == 0:
        assert (
            time.monotonic() < until
        )  # the kernel ends a process namespace a moment after its first process
        time.sleep(0.1)
