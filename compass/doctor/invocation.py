"""Proves the wiring: runs the very command of the settings, or asks the HTTP service what the host would ask, away
from the real state."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import cast
from urllib.parse import urlsplit

from compass.doctor.finding import Finding, Situation, shown
from compass.install import settings_file
from compass.install.entries import wiring_of
from compass.install.site import changed_text, read_interpreter
from evaluator.errors import ConfigError
from evaluator.service.tokens import HOOKS_PATH, TOKEN_VARIABLE, token_path
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
        return _file_commands(situation)
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
    """How an answer is not the wanted one; empty if it is."""
    if denies:
        wanted = setup.refuses(answer.code, answer.stdout, answer.stderr)
        return "" if wanted else f"it printed {answer.stdout[:80]!r}, no deny"
    return "" if setup.silent(answer.code, answer.stdout) else f"it printed {answer.stdout[:80]!r}"


_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)\}|\$([A-Z_][A-Z0-9_]*)")
"""What the host replaces in a header."""
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes
    seconds: float

    @property
    def value(self) -> Mapping[str, object]:
        try:
            found = cast(object, json.loads(self.body or b"{}"))
        except ValueError:
            return {"error": f"no JSON: {self.body[:80]!r}"}
        return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def allowed(situation: Situation) -> Finding:
    """Lists of the host that would keep the request, or its token, back; and the token itself."""
    name = "http allowed"
    handler = gate_of(situation)
    if handler is None:
        return Finding(name, True, "not needed: the hooks run a command")
    url, setup = str(handler.get("url")), situation.setup
    for file in situation.files:
        urls, names = file.settings.get(setup.table.http_urls), file.settings.get(setup.table.http_variables)
        if isinstance(urls, list) and not any(
            fnmatchcase(url, str(one)) for one in cast("list[object]", urls)
        ):
            way = f"add {url.partition(HOOKS_PATH)[0]}/* to it"
            return Finding(
                name, False, f"{setup.table.http_urls} of {shown(situation, file.path)} leaves it out: {way}"
            )
        if isinstance(names, list) and TOKEN_VARIABLE not in names:
            way = f"add {TOKEN_VARIABLE} to it"
            where = shown(situation, file.path)
            return Finding(
                name, False, f"{setup.table.http_variables} of {where} leaves the token out: {way}"
            )
    if not token_of(situation):
        way = f'export {TOKEN_VARIABLE}="$(cat {token_path(situation.site.state_dir)})" where the host is started'
        return Finding(name, False, f"{TOKEN_VARIABLE} is not set: {way}")
    return Finding(name, True, f"{url.partition(HOOKS_PATH)[0]}, with {TOKEN_VARIABLE}")


def answers(situation: Situation) -> Finding:
    """A read passes, a wrong token does not, and the service judges by the settings that are in force here."""
    name = "http service"
    handler = gate_of(situation)
    if handler is None:
        return Finding(name, True, "not needed: the hooks run a command")
    url, headers = str(handler.get("url")), headers_of(handler, situation)
    base = url.partition(HOOKS_PATH)[0]
    project = situation.site.project_dir
    payload, seconds = situation.setup.payload, situation.setup.table.timeout_seconds
    read = payload("Read", {"file_path": os.path.join(project, "README.md")}, project, _SESSION)
    file = {"file_path": os.path.join(project, "notes.txt"), "content": ""}
    write = payload("Write", file, project, _SESSION)
    try:
        passed = _post(url, read, headers, seconds)
        refused = _post(url, read, {**headers, "Authorization": "Bearer not-the-token"}, seconds)
        judged = _post(f"{base}/v1/checks?backend=embedded", write, headers, seconds)
    except (OSError, http.client.HTTPException) as error:
        port = urlsplit(url).port
        cause = f"{error.__class__.__name__}: {error}"[:120]
        return Finding(
            name, False, f"nothing answers at {base} ({cause}): run `compass serve --http --port {port}`"
        )
    fault = _fault(passed, refused, judged, situation)
    if fault:
        return Finding(name, False, f"{base}: {fault}")
    return Finding(name, True, f"{base} answered nothing in {passed.seconds:.3f} s")


def _fault(passed: _Answer, refused: _Answer, judged: _Answer, situation: Situation) -> str:
    if passed.status == 401:
        return (
            f"the token of {TOKEN_VARIABLE} is not the service's: export the one that it prints the place of"
        )
    if passed.status != 200 or passed.value:
        return f"wanted nothing, got {passed.status} {passed.body[:80]!r}: restart `compass serve --http`"
    if refused.status != 401:
        return "it takes any token: it is no service of Compass"
    if judged.status != 200:
        return f"it cannot judge: {judged.status} {judged.value.get('error')}"
    if judged.value.get("mode") != situation.settings.mode:
        return (
            f"it judges in mode {judged.value.get('mode')}, not in {situation.settings.mode}: start it with the "
            "same HOME, ONLOOKER_DIR and COMPASS_ variables"
        )
    return ""


def gate_of(situation: Situation) -> Mapping[str, object] | None:
    """The http handler that gates, where one does."""
    setup = situation.setup
    for file in situation.wired:
        for event, _, handler in setup.own_handlers(file.settings):
            if event == situation.gating and setup.is_http(handler):
                return handler
    return None


def headers_of(handler: Mapping[str, object], situation: Situation) -> dict[str, str]:
    """As the host sends them: a variable that is not allowed, or not set, becomes nothing."""
    given, named = handler.get("headers"), handler.get("allowedEnvVars")
    known = (
        {TOKEN_VARIABLE: token_of(situation)} if isinstance(named, list) and TOKEN_VARIABLE in named else {}
    )
    raw = cast("dict[str, object]", given) if isinstance(given, dict) else {}
    return {
        name: _VARIABLE.sub(lambda found: known.get(found[1] or found[2], ""), str(value))
        for name, value in raw.items()
    }


def token_of(situation: Situation) -> str:
    """Of the environment, else of the `env` block of the user's own settings, which the host applies, too."""
    found = situation.site.env.get(TOKEN_VARIABLE, "")
    own = os.path.join(situation.site.home, situation.setup.table.user_file)
    for file in situation.files:
        block = file.settings.get("env")
        if file.path == own and isinstance(block, dict):
            found = str(cast("dict[str, object]", block).get(TOKEN_VARIABLE, found))
    return found


def _post(url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> _Answer:
    """No proxy and no redirect. Raises OSError and HTTPException."""
    parts = urlsplit(url)
    line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
    began = time.monotonic()
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        line.request("POST", target, body, {"Content-Type": "application/json", **headers})
        answer = line.getresponse()
        return _Answer(answer.status, answer.read(_MOST_BYTES), time.monotonic() - began)
    finally:
        line.close()


def wired(situation: Situation) -> Finding:
    """One that differs by a word may be one that the host does not trust, or that follows an old policy."""
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
                return Finding(name, False, f"{shown(situation, path)} holds no hook of Compass: {again}")
            wanted = changed_text(text, setup.merge(value, setup.entries(_wiring(situation))))
    except ConfigError as error:
        return Finding(name, False, str(error))
    if wanted != text:
        return Finding(name, False, f"{shown(situation, path)} is not as init would write it now: {again}")
    return Finding(name, True, shown(situation, path))


def promised(situation: Situation) -> Finding:
    """What no wiring can mend there."""
    told = situation.setup.PROMISES.warnings(situation.site.host.TITLE)
    return Finding("promises", True, "; ".join(told) or "all that Compass promises holds", warns=bool(told))


def own_findings(situation: Situation) -> Sequence[Finding]:
    """What the host's package looks at."""
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
    return wiring_of(situation.site, situation.loaded, situation.settings.mode, "user", 0)
