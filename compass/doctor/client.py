"""Is the host's client new enough to honour what init wrote? Runs it with `--version` and nothing else."""

from __future__ import annotations

import re
import subprocess

from compass.doctor.finding import Examination, Finding, Situation
from evaluator.readers.ready import find_program

_SECONDS = 10.0


def client_version(situation: Situation) -> Finding:
    """Under a closed policy an older client would let the write run when the hook fails."""
    name = "client"
    setup = situation.setup
    program = find_program(setup.table.program, situation.site.env)
    if program is None:
        return Finding(name, True, f"no `{setup.table.program}` on the PATH, so its version is not known")
    try:
        done = subprocess.run(  # noqa: S603 - found on PATH, fixed arguments
            [program, "--version"],
            env=dict(situation.site.env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        said = f"{program} --version gave no answer ({error.__class__.__name__})"
        return Finding(name, not situation.blocks, said)
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    if found is None:
        return Finding(name, not situation.blocks, f"{program} --version names no version")
    version = tuple(map(int, found.groups()))
    oldest = ".".join(map(str, setup.table.oldest))
    if version >= setup.table.oldest:
        return Finding(name, True, f"{found[0]}, at least {oldest}")
    way = f"update it to {oldest} or newer"
    if not setup.table.local_file:
        said = f"{found[0]} is older than any that Compass was tried with: {way}"
        return Finding(name, not situation.blocks, said, warns=True)
    if situation.blocks:
        return Finding(name, False, f"{found[0]} ignores onFailure, so the closed policy cannot hold: {way}")
    return Finding(name, True, f"{found[0]} ignores onFailure; to enforce with a closed policy, {way}")


CHECKS: tuple[Examination, ...] = (client_version,)
