"""Proves the wiring: runs the very command of the settings, away from the real state."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from compass.doctor.finding import Finding, Situation, shown
from compass.install import settings_file
from compass.install.entries import wiring_of
from compass.install.installation import changed_text, read_interpreter
from evaluator.errors import ConfigError
from hooks.entries import Wiring, hook_command, program_of, saying
from hooks.setup import Setup

_PRIVATE = ("COMPASS_", "ONLOOKER_")
"""The switches of this check must not reach the hook; nor must the host's own marks."""
_SESSION = "compass-doctor"
_GARBAGE = b"this is no payload \xff\x00 {"


@dataclass(frozen=True, slots=True)
class _Exit:
    """`fault` says in words why there is no answer."""

    seconds: float
    code: int = 0
    stdout: bytes = b""
    stderr: bytes = b""
    fault: str = ""


def answers_read(situation: Situation) -> Finding:
    """Whether the hook lets a call that never writes through without a word."""
    payload = situation.setup.trial(situation.site.project_dir, _SESSION)
    return _finding("hook runs", situation, payload, denies=False)


def answers_garbage(situation: Situation) -> Finding:
    """Whether the hook answers what is no payload by the error policy."""
    return _finding("hook fails by policy", situation, _GARBAGE, denies=situation.blocks)


def _finding(name: str, situation: Situation, stdin: bytes, *, denies: bool) -> Finding:
    commands = _commands(situation)
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
    """Each distinct hook command that gates; what the plugin would run where no file has one."""
    setup = situation.setup
    if not setup.table.local_file:
        return _file_commands(situation)
    found = [
        str(handler["command"])
        for file in situation.wired
        for event, _, handler in setup.own_handlers(file.settings)
        if event == situation.gating
    ]
    recorded = read_interpreter(situation.site.state_dir)
    if not found and recorded is not None:
        found = [hook_command(recorded[0], recorded[1], "pre-tool-use")]
    return list(dict.fromkeys(found))


def _invoke(command: str, stdin: bytes, situation: Situation) -> _Exit:
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
            return _Exit(time.monotonic() - began, fault=f"no answer within {longest} s")
        except OSError as error:
            return _Exit(0.0, fault=f"cannot be run: {error.strerror}")
    seconds = time.monotonic() - began
    answer = _Exit(seconds, done.returncode, done.stdout, done.stderr)
    if done.returncode == 0 or setup.refuses(done.returncode, done.stdout, done.stderr):
        return answer
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    return replace(answer, fault=f"exit code {done.returncode} ({' '.join(said)[:200]})")


def _unlike(answer: _Exit, setup: Setup, *, denies: bool) -> str:
    """How a tried hook's answer is not the wanted one; empty if it is."""
    if denies:
        wanted = setup.refuses(answer.code, answer.stdout, answer.stderr)
        return "" if wanted else f"it printed {answer.stdout[:80]!r}, not a denial"
    return "" if setup.silent(answer.code, answer.stdout) else f"it printed {answer.stdout[:80]!r}"


def wired(situation: Situation) -> Finding:
    """Whether the host's entries are what `compass init` writes: one that differs by a word may be one that the host
    does not trust, or that follows an old policy."""
    name, site, setup = "hooks wired", situation.site, situation.setup
    path = site.settings_path("user")
    again = f"run `compass init --host {site.host.NAME}`"
    wanted = setup.whole_file(_wiring(situation))
    try:
        text = settings_file.text_of(path)
        if text is None:
            return Finding(name, False, f"{shown(situation, path)} is not there: {again}")
        if wanted is None:
            value = settings_file.read(path).value
            if not setup.own_handlers(value):
                return Finding(name, False, f"{shown(situation, path)} contains no Compass hook: {again}")
            wanted = changed_text(text, setup.merge(value, setup.entries(_wiring(situation))))
    except ConfigError as error:
        return Finding(name, False, str(error))
    if wanted != text:
        return Finding(name, False, f"{shown(situation, path)} is not as init would write it now: {again}")
    return Finding(name, True, shown(situation, path))


def promised(situation: Situation) -> Finding:
    """What the host cannot promise of its hooks, whatever its wiring."""
    told = situation.setup.PROMISES.warnings(situation.site.host.TITLE)
    return Finding(
        "promises", True, "; ".join(told) or "everything that Compass promises works", warns=bool(told)
    )


def own_findings(situation: Situation) -> Sequence[Finding]:
    """The findings that the host's own module makes."""
    site = situation.site
    # What is open of the host that is asked about keeps anybody from saying that the gate holds there.
    own = not situation.setup.table.local_file
    return [
        Finding(
            name, ok is not False, told, warns=ok is None, but=f"see {name}" if own and ok is None else ""
        )
        for name, ok, told in situation.setup.findings(site.env, site.home, site.project_dir)
    ]


def _file_commands(situation: Situation) -> list[str]:
    """What the host runs before a call; of a whole file of ours, what that file runs."""
    setup, wiring = situation.setup, _wiring(situation)
    if setup.whole_file(wiring) is not None:
        return [hook_command(wiring.interpreter, wiring.script, "pre-tool-use", wiring.said)]
    try:
        value = settings_file.read(situation.site.settings_path("user")).value
    except ConfigError:
        return []
    found = [
        str(handler.get(setup.table.command, ""))
        for event, _, handler in setup.own_handlers(value)
        if event == situation.gating
    ]
    return list(dict.fromkeys(found))


def _wiring(situation: Situation) -> Wiring:
    return wiring_of(situation.site, situation.loaded, situation.settings.mode, "user")
