"""Starts real hooks without waiting for them: many at once, or one that is to be disturbed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from apis.loopback_api import LoopbackApi
from running import forked, hookrun
from running.processes import ROOT
from samples.event_schema import EVENT_SCHEMA

from evaluator.state.store import FILE_NAME

Json = dict[str, Any]
Stream = IO[bytes] | int | None
"""Where one of the three standard streams goes; None for a pipe to here."""
_hookrun: Any = hookrun

CLEAR = "Create notes.txt in this project with a line that says hello to whoever reads it"
AMBIGUOUS = ("Just delete it.", "I found two unused files: src/old_auth.py and src/legacy_auth.py.")

ALTERED = """
import runpy, sys
{code}
sys.argv = [{main!r}, "hook", sys.argv[1]]
runpy.run_path({main!r}, run_name="__main__")
"""
"""Runs the hook with something of its process altered before it begins."""


@dataclass(frozen=True)
class Ended:
    """How a hook ended; `code` is negative for a signal."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def reason(self) -> str | None:
        """The reason of a denial, None if the call was allowed; fails unless the answer is in valid form."""
        return reason_of(self.stdout, self.code)


def place(root: Path, env: Mapping[str, str] | None = None) -> Any:
    return _hookrun.Place(root, dict(env or {}))


def reason_of(stdout: bytes, code: int = 0) -> str | None:
    found: str | None = _hookrun.denial(subprocess.CompletedProcess([], code, stdout, b""))
    return found


def start(
    where: Any,
    event: str,
    *,
    env: Mapping[str, str] | None = None,
    altered: str = "",
    limits: Callable[[], None] | None = None,
    stdin: Stream = None,
    stdout: Stream = None,
    stderr: Stream = None,
) -> subprocess.Popen[bytes]:
    """The hook without its payload. `env` replaces the place's, `altered` is code that runs in it first."""
    words = ["-c", ALTERED.format(code=altered, main=hookrun.MAIN), event]
    return subprocess.Popen(
        [sys.executable, "-I", *(words if altered else ["-S", hookrun.MAIN, "hook", event])],
        stdin=subprocess.PIPE if stdin is None else stdin,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE if stderr is None else stderr,
        env=where.environment() if env is None else dict(env),
        cwd=where.project,
        preexec_fn=limits,  # noqa: PLW1509 - a system call, before the threads of at_once
    )


def hand_over(process: subprocess.Popen[bytes], payload: object) -> None:
    """Give it the payload and close its stdin, without waiting for its end."""
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
    process.stdin = None


def end(process: subprocess.Popen[bytes], payload: object = None, *, timeout: float = 60) -> Ended:
    """Hand over the payload, an object or bytes, and wait for the end."""
    raw = payload if isinstance(payload, bytes | None) else json.dumps(payload).encode()
    out, err = process.communicate(raw, timeout=timeout)
    return Ended(process.returncode, out or b"", err or b"")


def run(
    where: Any, event: str, payload: object, *, env: Mapping[str, str] | None = None, **how: Any
) -> Ended:
    """Start, hand over, wait; forked, unless something of the process is to be other than usual."""
    given = where.environment() if env is None else env
    if how or not forked.may(given):
        return end(start(where, event, env=given, **how), payload)
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = forked.run(
        hookrun.MAIN, ("hook", event), raw, env=given, cwd=where.project, timeout=60, site=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


PATIENT = f"""
sys.path.insert(0, {ROOT!r})
from evaluator import events, files
from evaluator.state import database
database.BUSY_SECONDS = events.LOCK_SECONDS = files.FAULT_LOCK_SECONDS = 60.0
"""
"""Where all that is asked is that nothing gets lost, a lock is waited for however busy the machine is."""


def at_once(where: Any, calls: Sequence[tuple[str, object]], *, timeout: float = 110) -> list[Ended]:
    """All of them started first, and only then given their payloads; each waits for a lock as long as it takes."""
    started = [start(where, event, altered=PATIENT) for event, _ in calls]
    with ThreadPoolExecutor(len(calls)) as pool:
        waits = [
            pool.submit(end, process, payload, timeout=timeout)
            for process, (_, payload) in zip(started, calls, strict=True)
        ]
        return [wait.result() for wait in waits]


def fault_lines(where: Any) -> list[str]:
    log = Path(where.state) / "compass" / "faults.log"
    return log.read_text().splitlines() if log.exists() else []


def rows(where: Any, query: str) -> list[Any]:
    """What stands in the database now, read beside Compass."""
    with closing(sqlite3.connect(Path(where.state) / "compass" / FILE_NAME)) as connection:
        return connection.execute(query).fetchall()


def assert_sound(where: Any) -> None:
    """The database is whole, and was not made anew for being corrupt."""
    assert rows(where, "PRAGMA integrity_check") == [("ok",)]
    assert list((Path(where.state) / "compass").glob("*corrupt*")) == []


def valid_events(where: Any) -> list[Json]:
    """Every line of the public log, each whole and as the schema wants it."""
    log = Path(where.state) / "logs" / "onlooker-events.jsonl"
    if not log.exists():
        return []
    raw = log.read_bytes()
    assert raw.endswith(b"\n")
    events: list[Json] = [json.loads(line) for line in raw.splitlines()]
    for event in events:
        EVENT_SCHEMA.validate(event)
    return events


def doctor(where: Any, *, env: Mapping[str, str] | None = None) -> dict[str, Json]:
    """Its findings, by name."""
    given = where.environment() if env is None else env
    done = forked.run(
        hookrun.MAIN, ("doctor", "--json"), b"", env=given, cwd=where.project, timeout=60, site=True
    )
    assert done.stdout, done.stderr
    return {finding["name"]: finding for finding in json.loads(done.stdout)}


def without(env: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in names}


NO_RETRY = 3600.0
"""Seconds that a server wishes for: more than a check has, so its readers are asked once."""


def point_at(where: Any, api: LoopbackApi, *, deadline: float) -> None:
    """From now on hooks of this place ask paid readers there."""
    where.env.update({
        **hookrun.readers_at(api.url),
        "NO_PROXY": "127.0.0.1",
        "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": f"{deadline:g}",
        "COMPASS_DEADLINE_SECONDS": f"{deadline:g}",
    })  # fmt: skip


def deletion(where: Any) -> dict[str, Any]:
    """A call that the embedded readers deny, whatever else is wrong."""
    where.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    payload: dict[str, Any] = where.payload("Bash", {"command": "rm src/old_auth.py"})
    return payload
