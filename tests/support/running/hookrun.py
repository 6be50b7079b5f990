"""Runs the hook as hosts do: a real process, an isolated home, bytes on stdin."""

import json
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from apis.loopback_api import LoopbackApi, answer, reply
from repository import ROOT
from running import forked
from running.processes import finished

import compass
from evaluator.state.store import FILE_NAME

Json = dict[str, Any]
MAIN = str(Path(compass.__file__).parent / "__main__.py")
KEY = "sk-ant-test-not-a-key-0123456789"


def readers_at(url):
    """What a gate's environment has where its readers are asked at that address."""
    return {
        "COMPASS_EVALUATOR__BACKEND": "anthropic",
        "COMPASS_EVALUATOR__BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
    }


@cache
def doubting():
    """A gate's environment whose readers doubt all that they are asked; their API runs as long as the tests do."""
    return _asking(answer(0.1, fits=False, primary_concern="scope", rationale="nobody asked for this"))


@cache
def clear():
    """The same of readers to whom all is clear."""
    return _asking(answer(0.95))


def _asking(text):
    api = LoopbackApi(default=reply(text)).__enter__()
    return {**readers_at(api.url), "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2"}


@dataclass
class Place:
    """An isolated home, state folder and project; Compass is on, with the embedded readers."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    forked: bool = True
    """Whether a call may be forked (see `forked`); where not, an interpreter starts for it."""

    def __post_init__(self):
        for folder in ("home", "project", "state"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)

    @property
    def project(self):
        return self.root / "project"

    @property
    def state(self):
        return self.root / "state"

    def environment(self):
        """Where `env` has None, the variable is not there."""
        found = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "ONLOOKER_DIR": str(self.state),
            "COMPASS_ENABLED": "true",
            "COMPASS_EVALUATOR__BACKEND": "embedded",
            "COMPASS_SERVICE__ENABLED": "false",
            # One look, so that a test's readers are all asked at once; `test_hook_readers.py` has both.
            "COMPASS_SAMPLING__STRATEGY": "fixed",
            # What is said is looked for in whole sentences.
            "COLUMNS": "1000",
            **self.env,
        }
        return {name: text for name, text in found.items() if text is not None}

    def hook(self, event, payload, *, words=(), timeout=60, shift=0.0):
        """The finished process; `payload` is an object or raw bytes, `words` what the entry says behind the event.

        `shift`: so many seconds its wall clock is ahead, which only a fork's can be.
        """
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.ran(("hook", event, *words), raw, timeout, site=False, shift=shift)

    def command(self, *words, stdin=b"", timeout=60):
        return self.ran(words, stdin, timeout)

    def ran(self, words, raw=b"", timeout=60, *, site=True, shift=0.0, env=None):
        """The same of any words; `env` stands for the place's own."""
        env = self.environment() if env is None else env
        if self.forked and forked.may(env):
            return forked.run(
                MAIN, words, raw, env=env, cwd=self.project, timeout=timeout, site=site, shift=shift
            )
        assert not shift, env
        own = [sys.executable, "-I", *([] if site else ["-S"]), MAIN, *words]
        return finished(own, raw, env=env, cwd=self.project, timeout=timeout)

    def payload(self, tool="Write", given=None, **extra):
        write = {"file_path": str(self.project / "notes.txt"), "content": "hello\n"}
        return {
            "session_id": "session-1", "transcript_path": str(self.root / "transcript.jsonl"),
            "cwd": str(self.project), "hook_event_name": "PreToolUse", "prompt_id": "prompt-1",
            "tool_name": tool, "tool_input": write if given is None else given, "tool_use_id": "toolu_1",
            **extra,
        }  # fmt: skip

    def say(self, *messages, prior=""):
        """Write the transcript of a session in which the user just said `messages`."""
        from evaluator.model import Exchange
        from hooks.hosts.claude_code.host import HOST

        text = HOST.sessions().transcript(Exchange(messages, prior), "session-1", "prompt-1")
        (self.root / "transcript.jsonl").write_text(text)

    def events(self):
        log = self.state / "logs" / "onlooker-events.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def command(words, *, env, cwd):
    """A command as its user runs it away from a terminal, forked; its output is text."""
    done = forked.run(MAIN, words, b"", env=env, cwd=cwd, timeout=60, site=True)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def denial(done):
    """The reason of a denial, None if the call was allowed; fails unless the answer is in valid form."""
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stdout
    if not done.stdout:
        return None
    answer = json.loads(done.stdout)
    if set(answer) == {"systemMessage"}:
        return None
    assert set(answer) - {"continue", "stopReason", "systemMessage"} == {"hookSpecificOutput"}
    inner = answer["hookSpecificOutput"]
    assert (inner["hookEventName"], inner["permissionDecision"]) == ("PreToolUse", "deny")
    return inner["permissionDecisionReason"]


def first_on_path(root: Path, program: Path | str) -> str:
    """A PATH on which `claude` is that program."""
    folder = root / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "claude").symlink_to(program)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


# Hooks that are not waited for: many at once, or one that is to be disturbed

CLEAR = "Create notes.txt in this project with a line that says hello to whoever reads it"
AMBIGUOUS = ("Just delete it.", "I found two unused files: src/old_auth.py and src/legacy_auth.py.")

ALTERED = """
import runpy, sys
{code}
sys.argv = [{main!r}, "hook", sys.argv[1]]
runpy.run_path({main!r}, run_name="__main__")
"""
"""Runs the hook with something of its process altered before it begins."""


class Ended(subprocess.CompletedProcess):
    """How a hook ended."""

    @property
    def code(self):
        """Negative for a signal."""
        return self.returncode

    @property
    def reason(self):
        return denial(self)


place = Place


def reason_of(stdout, code=0):
    return denial(Ended([], code, stdout, b""))


def start(where, event, *, env=None, altered="", limits=None, **streams):
    """The hook without its payload, of an interpreter of its own; its streams are pipes to here, where none is given.

    `env` replaces the place's, `altered` is code that runs in it first, `limits` is called before it begins.
    """
    words = ["-c", ALTERED.format(code=altered, main=MAIN), event]
    return subprocess.Popen(
        [sys.executable, "-I", *(words if altered else ["-S", MAIN, "hook", event])],
        **{name: streams.get(name) or subprocess.PIPE for name in ("stdin", "stdout", "stderr")},
        env=where.environment() if env is None else dict(env),
        cwd=where.project,
        preexec_fn=limits,  # noqa: PLW1509 - a system call, before the threads of at_once
    )


def hand_over(process, payload):
    """Give it the payload and close its stdin, without waiting for its end."""
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
    process.stdin = None


def end(process, payload=None, *, timeout=60):
    """Hand over the payload, an object or bytes, and wait for the end."""
    raw = payload if isinstance(payload, bytes | None) else json.dumps(payload).encode()
    out, err = process.communicate(raw, timeout=timeout)
    return Ended(process.args, process.returncode, out or b"", err or b"")


def run(where, event, payload, *, env=None, **how):
    """Start, hand over, wait; forked, unless something of the process is to be other than usual."""
    if how:
        return end(start(where, event, env=env, **how), payload)
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Ended(**vars(where.ran(("hook", event), raw, site=False, env=env)))


PATIENT = f"""
sys.path.insert(0, {str(ROOT)!r})
from evaluator import events, files
from evaluator.state import database
database.BUSY_SECONDS = events.LOCK_SECONDS = files.FAULT_LOCK_SECONDS = 60.0
"""
"""Where all that is asked is that nothing gets lost, a lock is waited for however busy the machine is."""


def at_once(where, calls, *, timeout=110):
    """All of them started first, and only then given their payloads; each waits for a lock as long as it takes."""
    started = [start(where, event, altered=PATIENT) for event, _ in calls]
    with ThreadPoolExecutor(len(calls)) as pool:
        waits = [
            pool.submit(end, process, payload, timeout=timeout)
            for process, (_, payload) in zip(started, calls, strict=True)
        ]
        return [wait.result() for wait in waits]


def fault_lines(where):
    log = where.state / "compass" / "faults.log"
    return log.read_text().splitlines() if log.exists() else []


def rows(where, query):
    """What stands in the database now, read beside Compass."""
    with closing(sqlite3.connect(where.state / "compass" / FILE_NAME)) as connection:
        return connection.execute(query).fetchall()


def assert_sound(where):
    """The database is whole, and was not made anew for being corrupt."""
    assert rows(where, "PRAGMA integrity_check") == [("ok",)]
    assert list((where.state / "compass").glob("*corrupt*")) == []


def valid_events(where):
    """Every line of the public log, each whole and as the schema wants it."""
    log = where.state / "logs" / "onlooker-events.jsonl"
    assert not log.exists() or log.read_bytes().endswith(b"\n")
    from samples.event_schema import EVENT_SCHEMA

    events = where.events()
    for event in events:
        EVENT_SCHEMA.validate(event)
    return events


def doctor(where, *, env=None):
    """Its findings, by name."""
    done = where.ran(("doctor", "--json"), env=env)
    assert done.stdout, done.stderr
    return {finding["name"]: finding for finding in json.loads(done.stdout)}


def without(env, *names):
    return {name: value for name, value in env.items() if name not in names}


NO_RETRY = 3600.0
"""Seconds that a server wishes for: more than a check has, so its readers are asked once."""


def point_at(where, api, *, deadline):
    """From now on hooks of this place ask paid readers there."""
    where.env.update({
        **readers_at(api.url),
        "NO_PROXY": "127.0.0.1",
        "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": f"{deadline:g}",
        "COMPASS_DEADLINE_SECONDS": f"{deadline:g}",
    })  # fmt: skip


def deletion(where):
    """A call that the embedded readers deny, whatever else is wrong."""
    where.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    return where.payload("Bash", {"command": "rm src/old_auth.py"})
