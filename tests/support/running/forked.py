"""Calls of Compass as processes of their own, forked from one that has imported it already.

Each has its streams, folder, environment, state and end, and costs no start of an interpreter. What is about the start
itself (`test_hook_process`, `test_hook_imports`, the end-to-end tests) starts one. The workers of a run share it.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from running.processes import finished

SERVER = str(Path(__file__).with_name("forkserver.py"))
CALL = str(Path(__file__).with_name("forkcall.py"))
AT_START = ("LANG", "LANGUAGE", "LC_", "PYTHON", "LD_", "MALLOC")
"""Variables that begin so are heeded by an interpreter as it starts."""

FOLDER = "FORKED_FROM"
"""The variable that names the folder of servers that a run's processes share."""
HELD = "held"

_starting = threading.Lock()


LIKE_HERE = {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
"""Those that change nothing."""


def may(env: Mapping[str, str]) -> bool:
    """Whether nothing in that environment is about the start of the process."""
    return not any(name.startswith(AT_START) and LIKE_HERE.get(name) != env[name] for name in env)


def shell(
    main: str, command: str, raw: bytes, *, env: Mapping[str, str], cwd: Path, before: Sequence[str] = ()
) -> subprocess.CompletedProcess[bytes]:
    """A wired entry's command line as the host runs it: by `/bin/sh`, with the words `before`.

    Forked where the shell would start this very program with plain words.
    """
    words = shlex.split(command)
    start = [sys.executable, "-I", "-S", main]
    if words[:4] == start and shlex.join(words) == command and may(env):
        return run(main, words[4:], raw, env=env, cwd=cwd, timeout=60, site=False, before=before)
    return finished([*before, "/bin/sh", "-c", command], raw, env=dict(env), cwd=cwd)


def run(
    main: str,
    words: Sequence[str],
    raw: bytes,
    *,
    env: Mapping[str, str],
    cwd: Path,
    timeout: float,
    site: bool,
    before: Sequence[str] = (),
    shift: float = 0.0,
) -> subprocess.CompletedProcess[bytes]:
    """What `subprocess.run` gives for `python -I [-S] main words`; `site`: without -S.

    `before`: words that change the process of which it is forked. `shift`: so many seconds its wall
    clock is ahead. Raises TimeoutExpired."""
    alone = env.get("COMPASS_SERVICE__ENABLED") == "false"  # else a service asks
    address = _address_of(main, site, alone and asks(env, words), tuple(before))
    given = {"words": [os.fspath(word) for word in words], "env": dict(env), "cwd": str(cwd), "shift": shift}
    asked = json.dumps(given).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as line, ExitStack() as stack:
        stdin, *said = (stack.enter_context(tempfile.TemporaryFile(buffering=0)) for _ in range(3))
        stdin.write(raw)
        stdin.seek(0)
        line.connect(address)
        sent = socket.send_fds(line, [asked], [one.fileno() for one in (stdin, *said)])
        line.sendall(asked[sent:])
        answers = stack.enter_context(line.makefile("rb"))
        pid = int(answers.readline())
        line.settimeout(timeout)
        try:
            code = int(answers.readline())
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired([main, *words], timeout) from None
        for one in said:
            one.seek(0)
        return subprocess.CompletedProcess([main, *words], code, *(one.read() for one in said))


def command(main: str, env: Mapping[str, str], *words: str) -> list[str]:
    """What starts `python -I main words` by a fork, for `Popen` with that environment and any streams and folder.

    A process that stands in for it: it takes SIGTERM, SIGINT and SIGHUP for it; SIGKILL of it
    ends the fork. Its pid is not the one that runs."""
    if not may(env):
        return [sys.executable, "-I", main, *words]
    return [sys.executable, "-I", "-S", CALL, _address_of(main, True, asks(env, words), ()), *words]


def asks(env: Mapping[str, str], words: Sequence[str]) -> bool:
    """Whether that call will import the model SDK."""
    return env.get("COMPASS_EVALUATOR__BACKEND") == "anthropic" or "anthropic" in words


@cache
def keep() -> str:
    """The folder of what is forked from, which ends with this process; those that it starts find and share it."""
    folder = tempfile.mkdtemp(prefix="cpf")
    os.mkfifo(f"{folder}/{HELD}")
    held = os.open(f"{folder}/{HELD}", os.O_RDWR)  # its readers come to an end when this does
    os.environ[FOLDER] = folder

    def end() -> None:
        os.close(held)
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return folder


def _address_of(main: str, site: bool, sdk: bool, before: tuple[str, ...]) -> str:
    folder = os.environ.get(FOLDER) or keep()
    name = hashlib.sha256(repr((main, site, sdk, before)).encode()).hexdigest()[:12]
    address = f"{folder}/{name}"
    with _starting, open(f"{address}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(address):
            options = ["-I"] if site else ["-I", "-S"]
            words = [*before, sys.executable, *options, SERVER, main, address, *(["sdk"] if sdk else [])]
            out, ready = os.pipe()
            streams = [
                (os.POSIX_SPAWN_OPEN, 0, f"{folder}/{HELD}", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, ready, 1),
            ]
            # Nobody waits for its end: it may outlive this process.
            os.posix_spawnp(words[0], words, {"PATH": os.environ["PATH"]}, file_actions=streams)
            os.close(ready)
            with open(out, "rb") as told:
                assert told.readline() == b"ready\n"
    return address
