"""Proves the wiring: runs the very command of the settings, away from the real state."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Sequence

from compass.doctor.situation import Finding, Situation
from compass.install.entries import wiring_of
from compass.install.installation import read_interpreter
from evaluator.settings.places import blocks_without
from hooks.entries import command_saying, hook_command, invocation_of

_PRIVATE = ("COMPASS_", "ONLOOKER_")
"""The switches of this check must not reach the hook; nor must the host's own marks."""
_SESSION = "compass-doctor"
_GARBAGE = b"this is no payload \xff\x00 {"


def answers_read(situation: Situation) -> Finding:
    """Whether the hook lets a call that never writes through without a word."""
    payload = situation.setup.trial(situation.site.project_dir, _SESSION)
    return _invocation_finding("hook runs", situation, payload, denies=False)


def answers_garbage(situation: Situation) -> Finding:
    """Whether the hook answers what is no payload by the error policy: of a fault of Compass, `embedded` denies too."""
    settings = situation.settings
    denies = settings.enabled and blocks_without(settings.mode, settings.error_policy)
    return _invocation_finding("hook fails by policy", situation, _GARBAGE, denies=denies)


def _invocation_finding(name: str, situation: Situation, stdin: bytes, *, denies: bool) -> Finding:
    commands = _invocation_commands(situation)
    if not commands:
        return Finding(name, False, f"no hook command was found: run `{situation.again}`")
    wanted = "a deny" if denies else "nothing"
    began = time.monotonic()
    for command in commands:
        fault = _hook_invocation_fault(command, stdin, situation, denies=denies)
        if fault:
            said = f"expected {wanted}: {fault}; the command is {command}; run `{situation.again}` again"
            return Finding(name, False, said)
    return Finding(name, True, f"answered {wanted} in {time.monotonic() - began:.2f} s")


def _invocation_commands(situation: Situation) -> list[str]:
    """Each distinct hook command that gates; what the plugin would run where no file has one."""
    site, setup = situation.site, situation.setup
    wiring = wiring_of(site, situation.loaded, situation.settings.mode, "user")
    if setup.whole_file(wiring) is not None:
        return [hook_command(wiring.interpreter, wiring.script, "pre-tool-use", wiring.said)]
    found = [
        str(handler.get(setup.table.command, ""))
        for file in situation.wired
        for event, _, handler in setup.own_handlers(file.settings)
        if event == situation.gating
    ]
    recorded = read_interpreter(site.state_dir) if setup.table.local_file else None
    if not found and recorded is not None:
        found = [hook_command(recorded[0], recorded[1], "pre-tool-use")]
    return list(dict.fromkeys(found))


def _hook_invocation_fault(command: str, stdin: bytes, situation: Situation, *, denies: bool) -> str:
    """How a hook's answer is not the wanted one; empty if it is."""
    settings, host, setup = situation.settings, situation.site.host, situation.setup
    longest = setup.table.timeout_seconds
    private = (*_PRIVATE, *host.PREFIXES)
    env = {name: value for name, value in situation.site.env.items() if not name.startswith(private)}
    called = invocation_of(command)
    with tempfile.TemporaryDirectory(prefix="compass-doctor-") as folder:
        if called is not None and called.said:
            # The last word of the entry holds, and leads away from the real state.
            command = command_saying(command, f"ONLOOKER_DIR={folder}")
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
            return f"no answer within {longest} s"
        except OSError as error:
            return f"cannot be run: {error.strerror}"
    refuses = setup.refuses(done.returncode, done.stdout, done.stderr)
    if done.returncode and not refuses:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return f"exit code {done.returncode} ({' '.join(said)[:200]})"
    if denies:
        return "" if refuses else f"it printed {done.stdout[:80]!r}, not a denial"
    return "" if setup.silent(done.returncode, done.stdout) else f"it printed {done.stdout[:80]!r}"


def promised(situation: Situation) -> Finding:
    """What the host cannot promise of its hooks, whatever its wiring."""
    told = situation.setup.PROMISES.warnings(situation.site.host.TITLE)
    return Finding(
        "promises", True, "; ".join(told) or "everything that Compass promises does work", warns=bool(told)
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
