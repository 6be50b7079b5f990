"""Runs the hook as hosts do: a real process, an isolated home, bytes on stdin."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from running import forked

import compass

MAIN = str(Path(compass.__file__).parent / "__main__.py")
KEY = "sk-ant-test-not-a-key-0123456789"


def readers_at(url):
    """What a gate's environment has where its readers are asked at that address."""
    return {
        "COMPASS_EVALUATOR__BACKEND": "anthropic",
        "COMPASS_EVALUATOR__BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
    }


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
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "ONLOOKER_DIR": str(self.state),
            "COMPASS_ENABLED": "true",
            "COMPASS_EVALUATOR__BACKEND": "embedded",
            "COMPASS_SERVICE__ENABLED": "false",
            # One look, so that a test's readers are all asked at once; `test_two_looks_hook.py` has both.
            "COMPASS_SAMPLING__STRATEGY": "fixed",
            # What is said is looked for in whole sentences.
            "COLUMNS": "1000",
            **self.env,
        }

    def hook(self, event, payload, *, words=(), timeout=60, shift=0.0):
        """The finished process; `payload` is an object or raw bytes, `words` what the entry says behind the event.

        `shift`: so many seconds its wall clock is ahead, which only a fork's can be.
        """
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self._run(("hook", event, *words), raw, timeout, site=False, shift=shift)

    def command(self, *words, stdin=b"", timeout=60):
        return self._run(words, stdin, timeout, site=True)

    def _run(self, words, raw, timeout, *, site, shift=0.0):
        env = self.environment()
        if self.forked and forked.may(env):
            return forked.run(
                MAIN, words, raw, env=env, cwd=self.project, timeout=timeout, site=site, shift=shift
            )
        assert not shift, env
        return subprocess.run(
            [sys.executable, "-I", *([] if site else ["-S"]), MAIN, *words],
            input=raw,
            capture_output=True,
            env=env,
            cwd=self.project,
            timeout=timeout,
            check=False,
        )

    def payload(self, tool="Write", given=None, **extra):
        return {
            "session_id": "session-1",
            "transcript_path": str(self.root / "transcript.jsonl"),
            "cwd": str(self.project),
            "hook_event_name": "PreToolUse",
            "prompt_id": "prompt-1",
            "tool_name": tool,
            "tool_input": given
            if given is not None
            else {"file_path": str(self.project / "notes.txt"), "content": "hello\n"},
            "tool_use_id": "toolu_1",
            **extra,
        }

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
