"""Processes of the machine: which stand above one, and git, run in a folder that may belong to anybody.

Every call of git in the program goes through `run_git`. A repository's configuration names programs (fsmonitor, hooks,
filters, pager, editor, credential helper, ssh, external diff, textconv, gpg), and so does the environment (`GIT_*`).
None of them is started, and nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess

from evaluator.record import Record

ANCESTORS_MAX = 40
PS_SECONDS = 2.0
PROC = "/proc"
_ENDED = "ZX"
"""States of a process that has ended and that nobody has waited for."""


class Process(Record):
    """`started` tells two processes apart that had the same id one after the other."""

    pid: int
    started: str

    @property
    def name(self) -> str:
        return f"{self.pid}.{self.started.replace(' ', '-')}"


def process_of(text: str) -> Process | None:
    """The running process of that id, as text; None for what is no id, or none that runs."""
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        return None
    found = _read_process_stat(int(text))
    return None if found is None else found[0]


def ancestors(pid: int) -> list[Process]:
    """From the parent up."""
    found: list[Process] = []
    at = _read_process_stat(pid)
    while at is not None and at[1] > 1 and len(found) < ANCESTORS_MAX:
        at = _read_process_stat(at[1])
        if at is not None:
            found.append(at[0])
    return found


def _read_process_stat(pid: int) -> tuple[Process, int] | None:
    """A running process and its parent's id; None if there is none, or nobody tells."""
    try:
        with open(f"{PROC}/{pid}/stat", encoding="utf-8", errors="replace") as file:
            # The name in brackets may hold anything, brackets too.
            fields = file.read(4096).rpartition(")")[2].split()
        if fields[0] in _ENDED:
            return None
        return Process(pid, fields[19]), int(fields[1])
    except (OSError, IndexError, ValueError):
        return None if os.path.isdir(f"{PROC}/self") else _ask_ps_for_process(pid)


def _ask_ps_for_process(pid: int) -> tuple[Process, int] | None:
    """The process as `ps` tells it, where there is no /proc."""
    command = ["ps", "-o", "ppid=,stat=,lstart=", "-p", str(pid)]
    try:
        done = subprocess.run(  # noqa: S603 - fixed program
            command, capture_output=True, text=True, timeout=PS_SECONDS, check=True
        )
        parent, state, *started = done.stdout.split()
        return None if state[0] in _ENDED else (Process(pid, " ".join(started)), int(parent))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


_CALM = tuple(
    word
    for setting in (
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.sshCommand=false", "core.editor=false",
        "core.askPass=false", "credential.helper=", "log.showSignature=false", "core.quotePath=false",
    )
    for word in ("-c", setting)
)  # fmt: skip
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv")
_SHOW_CHANGES = frozenset(("log", "show", "diff"))
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone fetches what it lacks, by the transport and the program that its remote names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


def run_git(
    folder: str, command: str, *words: str, seconds: float, errors: str = "surrogateescape"
) -> subprocess.CompletedProcess[str]:
    """Runs git; its code is the caller's to judge. Raises OSError and subprocess.TimeoutExpired."""
    plain = _PLAIN if command in _SHOW_CHANGES else ()
    # A hook of git's own, or a shell inside of one, would point every command at another repository.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(  # noqa: S603 - a fixed program, words as a list
        ["git", "-C", folder, *_CALM, "--no-pager", command, *plain, *words],  # noqa: S607 - the user's git
        env={**env, **_ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors=errors,
        timeout=seconds,
        check=False,
    )
