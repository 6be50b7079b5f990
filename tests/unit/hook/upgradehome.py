"""The recorded home of Compass 0.1.0 (`fixtures/upgrade`), laid out anew for the program of today.

The recording is text: what depends on the machine or the moment stands as a placeholder.
  {{HOME}} {{PYTHON}} {{SCRIPT}}   paths; `{{KEY:name}}` the key of the project of that name
  {{now-1.5}}                      seconds since the epoch, that long before the recording ended
In file names `dot-x` is `.x`, `KEY-name` and `PLACE-name` are what 0.1.0 made of that project's folder, and
`compass.db.sql` is the database.
"""

import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from repository import ROOT
from running import forked, hookrun
from running.hookrun import MAIN
from running.processes import end_services

from evaluator.service import lifecycle

Json = dict[str, Any]
FOLDER = ROOT / "fixtures" / "upgrade"
RECORDED = FOLDER / "home"
REMOTES = {"app": "https://example.com/team/app.git", "relay": "https://example.com/team/relay.git"}
"""The other projects have none: their keys follow their folders."""
PROJECTS = ("app", "site", "relay", "away")
STATE = Path(".onlooker") / "compass"
AWAY = "elsewhere"
"""The ONLOOKER_DIR, in the home, under which the project `away` was set up."""
DATABASES = (STATE / "compass.db", Path(AWAY) / "compass" / "compass.db")
FILES = {"README.md": "# App\n", "src/old_auth.py": "OLD = 1\n", "src/legacy_auth.py": "LEGACY = 1\n"}
_MOMENT = re.compile(r"\{\{now-(-?[\d.]+)\}\}")


@dataclass
class Home:
    """A home, whose hooks and commands run the program of today."""

    path: Path

    def project(self, name: str) -> Path:
        return self.path / name

    def key(self, name: str) -> str:
        """As 0.1.0 computed it."""
        remote = REMOTES.get(name)
        return _digest(f"remote:{remote}" if remote else f"root:{self.project(name)}", 12)

    @cached_property
    def service(self) -> lifecycle.RuntimeFolder:
        return lifecycle.RuntimeFolder(str(self.path / STATE / "run"))

    def environment(self, name: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """What a hook sees: little, and what the project's own `env` block sets, as the host does it."""
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.path), "GIT_CONFIG_NOSYSTEM": "1", "COLUMNS": "1000"}
        env["LANG"] = "C.UTF-8"
        if name == "away":
            env["ONLOOKER_DIR"] = str(self.path / AWAY)
        shared = self.project(name) / ".claude" / "settings.json"
        block = json.loads(shared.read_text()).get("env", {}) if shared.exists() else {}
        return {**env, **block, **(extra or {})}

    def command(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        return hookrun.command(words, env=self.environment(name), cwd=self.project(name))

    def document(self, name: str, *words: str):
        """What the command says with --json, whatever its exit code."""
        done = self.command(name, words[0], "--json", *words[1:])
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def wired(self, name: str, event: str) -> str:
        """The command line that stands in the project's settings for that event of the host."""
        settings = json.loads((self.project(name) / ".claude" / "settings.local.json").read_text())
        ((handler,),) = [group["hooks"] for group in settings["hooks"][event]]
        return str(handler["command"])

    def hook(self, name: str, event: str, payload: Json) -> subprocess.CompletedProcess[bytes]:
        """The wired command, run by a shell as the host runs it."""
        given, project = json.dumps(payload).encode(), self.project(name)
        own = {"CLAUDE_PROJECT_DIR": str(project), "CLAUDE_CODE_SESSION_ATTENDED": "1"}
        env = self.environment(name, own)
        return forked.shell(MAIN, self.wired(name, event), given, env=env, cwd=project)

    def rows(self, query: str, database: Path = DATABASES[0]) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path / database)) as connection:
            return connection.execute(query).fetchall()


@dataclass
class Talk:
    """The host's part in one session: its transcript, which may stand already, and its hook calls."""

    home: Home
    project: str
    session: str

    @property
    def transcript(self) -> Path:
        return self.home.path / ".claude" / "projects" / self.project / f"{self.session}.jsonl"

    def begins(self, source: str = "startup"):
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self._fire("SessionStart", source=source)

    def user(self, text: str):
        prompt = f"prompt-{len(self._lines()) + 1}"
        self._fire("UserPromptSubmit", prompt=text, prompt_id=prompt)
        marks = {"promptId": prompt, "origin": {"kind": "human"}, "promptSource": "typed"}
        self._add("user", {"role": "user", "content": text}, **marks)

    def agent(self, text: str):
        said = [{"type": "text", "text": text}]
        self._add("assistant", {"role": "assistant", "id": f"msg_{len(self._lines())}", "content": said})

    def call(self, tool: str, given: Json, *, succeeds: bool = True) -> str | None:
        """The reason of the denial; None once the call was let through and, if it succeeds, has ended."""
        use = f"toolu_{uuid.uuid4().hex[:12]}"
        about = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        done = self._fire("PreToolUse", **about)
        if done.stdout:
            answer = json.loads(done.stdout)["hookSpecificOutput"]
            assert answer["permissionDecision"] == "deny"
            return str(answer["permissionDecisionReason"])
        if succeeds:
            self._fire("PostToolUse", **about, tool_response={"stdout": ""})
        return None

    def write(self, path: str, content: str = "hello\n") -> str | None:
        target = str(self.home.project(self.project) / path)
        return self.call("Write", {"file_path": target, "content": content})

    def bash(self, command: str, *, succeeds: bool = True) -> str | None:
        return self.call("Bash", {"command": command}, succeeds=succeeds)

    def last(self) -> Json:
        """The record of the newest check."""
        (row,) = self.home.rows("SELECT record FROM checks ORDER BY rowid DESC LIMIT 1")
        return dict(json.loads(row[0]))

    def _fire(self, event: str, **fields: object) -> subprocess.CompletedProcess[bytes]:
        known = {
            "session_id": self.session, "transcript_path": str(self.transcript),
            "cwd": str(self.home.project(self.project)), "hook_event_name": event,
        }  # fmt: skip
        prompts = [line["promptId"] for line in self._lines() if "promptId" in line]
        running = {"prompt_id": prompts[-1]} if prompts else {}
        done = self.home.hook(self.project, event, {**known, **running, **fields})
        assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode()
        return done

    def _lines(self) -> list[Json]:
        text = self.transcript.read_text() if self.transcript.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def _add(self, kind: str, message: Json, **marks: object):
        lines = self._lines()
        line = {
            "parentUuid": lines[-1]["uuid"] if lines else None, "isSidechain": False, "type": kind,
            "message": message, "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session}/{len(lines)}")),
            "sessionId": self.session, **marks,
        }  # fmt: skip
        with self.transcript.open("a") as file:
            file.write(json.dumps(line) + "\n")


@contextmanager
def laid_out() -> Iterator[Home]:
    """The recorded home under a short path, since a socket lies in it; its service is ended with it."""
    home = Home(Path(tempfile.mkdtemp(prefix="cps")).resolve())
    try:
        lay_out(home, time.time())
        yield home
    finally:
        end_services(home.path)
        shutil.rmtree(home.path, ignore_errors=True)


def lay_out(home: Home, now: float):
    """The repositories with their files, and what stands recorded."""
    for name in PROJECTS:
        folder = home.project(name)
        for path, text in FILES.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        subprocess.run(["git", "-C", str(folder), "init", "-q", "-b", "main"], check=True)
        if name in REMOTES:
            subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", REMOTES[name]], check=True)
    for source in sorted(path for path in RECORDED.rglob("*") if path.is_file()):
        parts = [_laid_name(home, part) for part in source.relative_to(RECORDED).parts]
        target = home.path.joinpath(*parts)
        private = parts[0] in (".onlooker", AWAY, ".config")
        for folder in reversed(target.parents):
            if folder.is_relative_to(home.path) and not folder.exists():
                folder.mkdir(0o700 if private else 0o755)
        text = filled(home, source.read_text(encoding="utf-8"), now)
        if target.suffix == ".sql":
            target = target.with_suffix("")
            with closing(sqlite3.connect(target)) as connection:
                connection.executescript(text)
        else:
            target.write_text(text, encoding="utf-8")
        target.chmod(0o600 if private else 0o644)


def filled(home: Home, text: str, now: float) -> str:
    values = {f"KEY:{name}": home.key(name) for name in PROJECTS}
    for name, value in (values | {"HOME": str(home.path), "PYTHON": sys.executable, "SCRIPT": MAIN}).items():
        text = text.replace("{{" + name + "}}", value)
    return _MOMENT.sub(lambda found: repr(now - float(found[1])), text)


def facts() -> Json:
    """What the recorder wrote down: {"version", "schema", "doctor", "sessions"}."""
    return dict(json.loads((FOLDER / "facts.json").read_text()))


def _laid_name(home: Home, part: str) -> str:
    kind, _, rest = part.partition("-")
    if kind == "KEY":
        return home.key(rest)
    if kind == "PLACE":
        return _digest(
            str(home.project(rest)), 16
        )  # the file under `projects` that 0.1.0 kept for its folder
    return "." + rest if kind == "dot" else part


def _digest(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:digits]
