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
from full.sandbox import ForbiddenError, Sandbox, changes, opened

pytestmark = pytest.mark.full


@pytest.fixture
def own(sandbox: Sandbox) -> Iterator[Sandbox]:
    """A sandbox that a test may change; `sandbox` says whether there can be one."""
    with opened() as made:
        project.make(made)
        yield made


CHANGING = {
    "touch made": ["+project/made"],
    "git tag y": ["+project/.git/refs/tags/y"],
    "echo more >> README.md": ["!project/README.md"],
    "touch README.md": ["!project/README.md"],
    "chmod 600 README.md": ["!project/README.md"],
    "chmod 700 src": ["!project/src"],
    "rm notes.txt": ["-project/notes.txt"],
    "mv a.txt z.txt": ["+project/z.txt", "-project/a.txt"],
    "mkdir new": ["+project/new"],
    "rmdir void": ["-project/void"],
    "ln -sfn docs/guide.md link": ["!project/link"],
    "touch -r a.c s; printf 'int main(void) { return 1; }\\n' > a.c; touch -r s a.c; rm s": ["!project/a.c"],
    "echo x > ~/.profile": ["+home/.profile"],
    "echo x > /tmp/x": ["+tmp/x"],
    "git update-ref refs/other HEAD": ["+project/.git/refs/other"],
    "git config --global pull.rebase true": ["!home/.gitconfig"],
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


def test_what_changes_git_alone_is_seen(own: Sandbox) -> None:
    before = own.digest()
    assert own.run("git add new.txt && git fetch -q").code == 0
    seen = changes(before, own.digest())
    assert "!project/.git/index" in seen
    assert "+project/.git/refs/remotes/origin/next" in seen


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


def test_no_other_folder_of_the_machine_is_seen(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "own").write_text("secret")
    for place in (tmp_path / "own", Path(__file__).resolve(), sandbox.base):
        assert sandbox.run(f"test -e '{place}'").code == 1
    assert sandbox.run("ls /home /srv").stdout.split() == ["/home:", "dev", "/srv:", "origin.git"]


def test_nobody_runs_the_commands_and_without_a_capability(sandbox: Sandbox) -> None:
    before = sandbox.digest()
    ran = sandbox.run("grep -E '^Cap(Eff|Prm|Inh|Amb)' /proc/self/status; id -u; touch mine")
    assert {line.split()[1] for line in ran.stdout.splitlines()[:4]} == {"0" * 16}
    assert ran.stdout.splitlines()[4] != "0"
    assert changes(before, sandbox.digest()) == ["+project/mine"]
    made = sandbox.write / "project/mine"
    assert made.stat().st_uid != 0
    made.unlink()


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


def test_nothing_of_the_tests_surroundings_is_handed_on(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPASS_SECRET", "x")
    names = {line.split("=")[0] for line in sandbox.run("env").stdout.splitlines()}
    assert names == {"HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TERM", "PATH", "PWD", "SHLVL", "_"}


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


def test_a_file_has_a_greatest_size(own: Sandbox) -> None:
    ran = own.run("head -c 100000000 /dev/zero > big")
    assert ran.code != 0
    assert (own.write / "project/big").stat().st_size < 100_000_000


def test_a_machine_that_forbids_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("full.sandbox.TOOLS", ("unshare", "no-such-tool"))
    with pytest.raises(ForbiddenError, match="no no-such-tool here"), opened():
        pass
