"""Runs git in a folder that may belong to anybody. Every call of git in the program goes through here.

A repository's configuration names programs (fsmonitor, hooks, filters, pager, editor, credential helper, ssh, external
diff, textconv, gpg), and so does the environment (`GIT_*`). None of them is started, and nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess

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
