"""Proves the wiring: runs the very command of the settings, as the host would, away from the real state."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace

from compass.doctor import plain
from compass.doctor.finding import Examination, Finding, Situation
from compass.doctor.http_service import gate_of
from compass.install.record import read_interpreter
from hooks.entries import hook_command, program_of, saying
from hooks.setup import Setup

_PRIVATE = ("COMPASS_", "ONLOOKER_")
"""The switches of this check must not reach the hook; nor must the host's own marks."""
_SESSION = "compass-doctor"
_GARBAGE = b"this is no payload \xff\x00 {"


@dataclass(frozen=True, slots=True)
class _Answer:
    """`fault` says in words why there is no answer."""

    seconds: float
    code: int = 0
    stdout: bytes = b""
    stderr: bytes = b""
    fault: str = ""


def answers_read(situation: Situation) -> Finding:
    """A call that never writes is let through without a word."""
    project = situation.site.project_dir
    read = {"file_path": os.path.join(project, "README.md")}
    payload = situation.setup.payload("Read", read, project, _SESSION)
    return _finding("hook runs", situation, payload, denies=False)


def answers_garbage(situation: Situation) -> Finding:
    """What is no payload is answered by the error policy."""
    return _finding("hook fails by policy", situation, _GARBAGE, denies=situation.blocks)


def _finding(name: str, situation: Situation, stdin: bytes, *, denies: bool) -> Finding:
    commands = _commands(situation)
    if not commands and gate_of(situation) is not None:
        return Finding(name, True, "not needed: the hooks ask HTTP")
    if not commands:
        return Finding(name, False, f"there is no command to run: run `{situation.again}`")
    wanted = "a deny" if denies else "nothing"
    slowest = 0.0
    for command in commands:
        answer = _invoke(command, stdin, situation)
        slowest = max(slowest, answer.seconds)
        fault = answer.fault or _unlike(answer, situation.setup, denies=denies)
        if fault:
            return Finding(
                name,
                False,
                f"wanted {wanted}: {fault}; the command is {command}; run `{situation.again}` again",
            )
    return Finding(name, True, f"answered {wanted} in {slowest:.2f} s")


def _commands(situation: Situation) -> list[str]:
    """Each distinct command that gates; what the plugin would run where no file has one."""
    setup = situation.setup
    if not setup.table.local_file:
        return plain.commands(situation)
    found = [
        str(handler["command"])
        for file in situation.wired
        for event, _, handler in setup.own_handlers(file.settings)
        if event == situation.gating and not setup.is_http(handler)
    ]
    recorded = read_interpreter(situation.site.state_dir)
    if not found and recorded is not None and gate_of(situation) is None:
        found = [hook_command(recorded[0], recorded[1], "pre-tool-use")]
    return list(dict.fromkeys(found))


def _invoke(command: str, stdin: bytes, situation: Situation) -> _Answer:
    settings, host, setup = situation.settings, situation.site.host, situation.setup
    longest = setup.table.timeout_seconds
    private = (*_PRIVATE, *host.PREFIXES)
    env = {name: value for name, value in situation.site.env.items() if not name.startswith(private)}
    began = time.monotonic()
    called = program_of(command)
    with tempfile.TemporaryDirectory(prefix="compass-doctor-") as folder:
        if called is not None and called.said:
            # The last word of the entry holds, and leads away from the real state.
            command = saying(command, f"ONLOOKER_DIR={folder}")
        env |= {
            "ONLOOKER_DIR": folder,
            **({host.PROJECT_VARIABLE: situation.site.project_dir} if host.PROJECT_VARIABLE else {}),
            "COMPASS_ENABLED": "true" if settings.enabled else "false",
            "COMPASS_MODE": settings.mode,
            "COMPASS_ERROR_POLICY": settings.error_policy,
            # One that served this folder would outlive it; one that runs would keep its database open.
            "COMPASS_SERVICE__ENABLED": "false",
        }
        try:
            done = subprocess.run(  # noqa: S602 - the host runs this very string by a shell
                command,
                shell=True,
                input=stdin,
                capture_output=True,
                cwd=situation.site.project_dir,
                env=env,
                timeout=longest,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _Answer(time.monotonic() - began, fault=f"no answer within {longest} s")
        except OSError as error:
            return _Answer(0.0, fault=f"cannot be run: {error.strerror}")
    seconds = time.monotonic() - began
    answer = _Answer(seconds, done.returncode, done.stdout, done.stderr)
    if done.returncode == 0 or setup.refuses(done.returncode, done.stdout, done.stderr):
        return answer
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    return replace(answer, fault=f"exit code {done.returncode} ({' '.join(said)[:200]})")


def _unlike(answer: _Answer, setup: Setup, *, denies: bool) -> str:
    """How an answer is not the wanted one; empty if it is."""
    if denies:
        wanted = setup.refuses(answer.code, answer.stdout, answer.stderr)
        return "" if wanted else f"it printed {answer.stdout[:80]!r}, no deny"
    return "" if setup.silent(answer.code, answer.stdout) else f"it printed {answer.stdout[:80]!r}"


CHECKS: tuple[Examination, ...] = (answers_read, answers_garbage)
