"""Real Claude Code sessions in a scratch project with a home of its own, and what came of them.

Nothing of the tests' own environment reaches the client or its hooks.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self, cast

from e2e.playing.messages_api import MessagesApi, items, messages_of, table, text_of
from e2e.playing.replies import Json, Plot, ReaderPlan
from samples.event_schema import EVENT_SCHEMA

REPOSITORY = Path(__file__).resolve().parents[3]
COMPASS = Path(sys.executable).parent / "compass"
KEY = "sk-ant-test-not-a-key"
ALLOWED = ("Read", "Write", "Edit", "NotebookEdit", "Bash", "Agent")
RUN_SECONDS = 90.0
COMMAND_SECONDS = 60.0
DROPPED = "Invalid setting skipped"
SESSION_END = re.compile(r"SessionEnd:\w+ \[.*\] completed with status (\d+)")


@dataclass(frozen=True)
class HookRun:
    """One hook as the client saw it end. `outcome` is the client's word, `success` where all went well."""

    event: str
    stdout: str
    stderr: str
    exit_code: int | None
    outcome: str


@dataclass(frozen=True)
class ToolResult:
    """One tool result as it stood in a request to the agent's model."""

    call_id: str
    text: str
    is_error: bool


@dataclass(frozen=True)
class Run:
    """One `claude -p`: its stream, its debug log and the tool results that the model was given in it."""

    lines: tuple[Json, ...]
    debug: str
    results: tuple[ToolResult, ...]
    seconds: float

    @property
    def end(self) -> Json:
        return next(line for line in reversed(self.lines) if line["type"] == "result")

    @property
    def session_id(self) -> str:
        return str(self.end["session_id"])

    @property
    def denials(self) -> list[Json]:
        return cast("list[Json]", self.end.get("permission_denials") or [])

    def hooks(self, event: str) -> list[HookRun]:
        """The hooks of an event that ended. The stream is closed before SessionEnd, which the log tells."""
        if event == "SessionEnd":
            codes = [int(code) for code in SESSION_END.findall(self.debug)]
            return [HookRun(event, "", "", code, "error" if code else "success") for code in codes]
        return [
            HookRun(event, line["stdout"], line["stderr"], line.get("exit_code"), line["outcome"])
            for line in self.lines
            if line.get("subtype") == "hook_response" and line["hook_event"] == event
        ]

    def assert_hooks_ran(self, *events: str) -> None:
        """Each event's hooks ran, ended well and said nothing or one JSON object; no settings were dropped.

        Without this a tool that ran proves nothing: the client lets a tool run when a hook is missing, and
        takes a hook that says something else for one that has no opinion.
        """
        assert [line for line in self.debug.splitlines() if DROPPED in line] == []
        # The client's own notices that a hook gave no usable answer.
        notices = [(line.get("tag"), line.get("subtype")) for line in self.lines]
        assert [one for one in notices if "hook_no_verdict" in one] == []
        for event in events:
            runs = self.hooks(event)
            assert runs, f"no {event} hook ran"
            for run in runs:
                assert (run.exit_code, run.outcome) == (0, "success"), run
                assert not run.stdout or isinstance(json.loads(run.stdout), dict), run

    def denial(self) -> str:
        """The one reason that the model was given for a call that did not run."""
        refused = [result.text for result in self.results if result.is_error]
        assert len(refused) == 1, self.results
        assert len(self.denials) == 1, self.denials
        return refused[0]


@dataclass
class Session:
    """A scratch project, an isolated home, and the client in them.

    `variables` join the environment, COMPASS_* above all; `flags` every start of the client.
    """

    root: Path
    client: Path
    api: MessagesApi
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    flags: tuple[str, ...] = ()
    has_key: bool = True

    def __post_init__(self) -> None:
        self.project.mkdir(parents=True)
        (self.home / ".claude").mkdir(parents=True)
        self._git("init", "-q", "-b", "main")
        self._git("commit", "-q", "--allow-empty", "-m", "init")
        known = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        keys = {"approved": [KEY[-20:]], "rejected": []}
        trust = {"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": keys}
        trust["projects"] = {str(self.project): known}
        (self.home / ".claude.json").write_text(json.dumps(trust))
        self.write_settings({})

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def onlooker(self) -> Path:
        return Path(self.variables.get("ONLOOKER_DIR") or self.root / "onlooker")

    def write_settings(self, more: Json) -> None:
        """The project's tracked settings: permissions for every tool, and what the test adds."""
        folder = self.project / ".claude"
        folder.mkdir(exist_ok=True)
        settings = {"permissions": {"allow": list(ALLOWED)}, **more}
        (folder / "settings.json").write_text(json.dumps(settings))

    def environment(self) -> dict[str, str]:
        """Built from nothing but where programs are; without `has_key` the client needs a login of its own."""
        git = shutil.which("git")
        assert git is not None
        folders = [str(self.client.parent), str(Path(git).parent), "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
        return {
            "PATH": os.pathsep.join(folders),
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "ONLOOKER_DIR": str(self.onlooker),
            "ANTHROPIC_BASE_URL": self.api.url,
            **({"ANTHROPIC_API_KEY": KEY} if self.has_key else {}),
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Nothing may outlive its test: those of the service turn it on, and stop it.
            "COMPASS_SERVICE__ENABLED": "false",
            "COMPASS_SAMPLING__STRATEGY": "fixed",
            **self.variables,
        }

    def run(self, prompt: str, *arguments: str) -> Run:
        """One turn. Fails where the client gives no result at all."""
        debug = self.root / f"debug-{time.monotonic_ns()}.log"
        asked = len(self.api.requests)
        started = time.monotonic()
        command = [str(self.client), "-p", prompt, "--output-format", "stream-json", "--verbose"]
        command += ["--include-hook-events", "--debug-file", str(debug), *self.flags, *arguments]
        done = self.execute(command, RUN_SECONDS)
        lines = _objects(done.stdout)
        assert any(line["type"] == "result" for line in lines), done.stdout + done.stderr
        return Run(lines, debug.read_text(), tuple(self._results(asked)), time.monotonic() - started)

    def resume(self, prompt: str) -> Run:
        """The next turn of the same session."""
        return self.run(prompt, "--continue")

    def compass(self, *arguments: str, expect: Sequence[int] = (0,)) -> str:
        """A Compass command in the project; its stdout."""
        done = self.execute([str(COMPASS), *arguments], COMMAND_SECONDS)
        assert done.returncode in expect, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def init(self, *arguments: str) -> str:
        """Wire Compass in; stdout."""
        return self.compass("init", *arguments)

    def gated(self, *more: str) -> Self:
        """Wired into the project, where it enforces with model readers."""
        self.init("--project", "--enforce", "--backend", "anthropic", *more)
        return self

    def doctor(self) -> dict[str, Json]:
        """Its findings, by name."""
        found: list[Json] = json.loads(self.compass("doctor", "--json", expect=(0, 1)))
        return {str(item["name"]): item for item in found}

    def readers_asked(self) -> list[str]:
        """What each reader was shown, in order of arrival."""
        return [shown_to(request.body) for request in self.api.of("reader")]

    def explain(self) -> Json:
        """The private record of the newest check."""
        return cast(Json, json.loads(self.compass("explain", "--json")))

    def events(self) -> list[Json]:
        """The public events so far, each of them valid against the public schema."""
        log = self.onlooker / "logs" / "onlooker-events.jsonl"
        found = _objects(log.read_text()) if log.exists() else ()
        assert [violation for event in found for violation in EVENT_SCHEMA.iter_errors(event)] == []
        return list(found)

    def _results(self, since: int) -> Iterator[ToolResult]:
        """Those that no earlier request told. What a client says of servers that were late may stand behind them."""
        seen: set[object] = set()
        for place, request in enumerate(self.api.requests):
            if request.route not in {"agent", "delegate"}:
                continue
            for part in (part for one in messages_of(request.body) for part in items(one.get("content"))):
                block = table(part)
                if block.get("type") == "tool_result" and block["tool_use_id"] not in seen:
                    seen.add(block["tool_use_id"])
                    if place >= since:
                        yield ToolResult(block["tool_use_id"], text_of(block), bool(block.get("is_error")))

    def execute(self, command: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        how: Json = {"cwd": self.project, "env": self.environment(), "stdin": subprocess.DEVNULL}
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, **how)

    def _git(self, *arguments: str) -> None:
        who = ("-c", "user.name=dev", "-c", "user.email=dev@example.com")
        subprocess.run(["git", *who, *arguments], cwd=self.project, check=True, capture_output=True)


class Open(Protocol):
    """Opens a session whose agent plays `plot`; what is left out has a default that does no harm."""

    def __call__(
        self,
        plot: Plot,
        *,
        readers: ReaderPlan = ...,
        variables: Mapping[str, str] = ...,
        latency: float = ...,
        flags: Sequence[str] = ...,
    ) -> Session: ...


def lawless(open_session: Open, plot: Plot, backend: str = "anthropic") -> Session:
    """A gated session whose client asks for no permission: what does not run, Compass held back.

    The client refuses that mode to root anywhere but in a sandbox.
    """
    flags = ("--permission-mode", "bypassPermissions")
    session = open_session(plot, variables={"IS_SANDBOX": "1"}, flags=flags)
    session.init("--project", "--enforce", "--backend", backend)
    return session


def shown_to(body: Json) -> str:
    """The text of a request: system part and messages."""
    return "\n".join([text_of(body.get("system")), asked_about(body)])


def asked_about(body: Json) -> str:
    """What a reader is shown of the exchange and the write, without the rules, which have examples of both."""
    return "\n".join(text_of(message["content"]) for message in messages_of(body))


def _objects(text: str) -> tuple[Json, ...]:
    """JSON lines. Raises ValueError for one that is none."""
    return tuple(cast(Json, json.loads(line)) for line in text.splitlines())
