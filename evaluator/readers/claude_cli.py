"""The `claude-cli` backend: one `claude -p` process per answer, with its hooks and tools off. Never a shell.

The process gets a one-time token in COMPASS_NESTED, by which our own hooks know it and stay out. Seen in
client 2.1.330: `--json-schema` is answered through a tool call; an error leaves exit code 1 and a JSON object
on stdout with `is_error` and, for an HTTP error, `api_error_status`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers import response
from evaluator.readers.addresses import CREDENTIALS, find_program
from evaluator.settings.places import set_by

OUTPUT_BYTES_MAX: Final = 1_000_000
REAP_SECONDS: Final = 0.1
KILLED_SECONDS: Final = 0.3
"""For a killed process to be reaped, which takes that long on a busy machine alone."""


class FinishedProcess(NamedTuple):
    code: int
    stdout: bytes
    stderr: str


async def run_process(command: Sequence[str], env: Mapping[str, str], text: str) -> FinishedProcess:
    """Runs `command` in an empty folder of its own, with `text` on stdin.

    Whatever ends this coroutine early, a cancellation included, ends the process group. Raises ReaderError
    if the process cannot start or prints more than OUTPUT_BYTES_MAX.
    """

    async def write(stdin: asyncio.StreamWriter) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stdin.write(text.encode("utf-8", "replace"))
            await stdin.drain()
        stdin.close()

    with tempfile.TemporaryDirectory(prefix="compass-reader-", ignore_cleanup_errors=True) as scratch:
        process = await start_process(command, env, scratch)
        finished = False
        try:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            _, out, err = await asyncio.gather(
                write(process.stdin), _read_cli_output(process.stdout), _read_cli_output(process.stderr)
            )
            code = await process.wait()
            finished = True
        finally:
            if not finished:
                await end_process(process)
        return FinishedProcess(code, out, err.decode("utf-8", "replace"))


async def start_process(
    command: Sequence[str], env: Mapping[str, str], cwd: str, *, quiet: bool = False
) -> asyncio.subprocess.Process:
    """A process in a group of its own; `quiet`: nobody reads its stderr. Raises ReaderError if it cannot start."""
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=pipe,
            stdout=pipe,
            stderr=nowhere if quiet else pipe,
            cwd=cwd,
            env=env,
            start_new_session=True,
            limit=OUTPUT_BYTES_MAX,
        )
    except (OSError, ValueError) as fault:
        raise ReaderError(
            "refused", f"cannot start {response.safe_detail(command[0])}: {response.safe_detail(str(fault))}"
        ) from fault


async def _read_cli_output(stream: asyncio.StreamReader) -> bytes:
    try:
        await stream.readexactly(OUTPUT_BYTES_MAX)
    except asyncio.IncompleteReadError as rest:
        return rest.partial
    raise ReaderError("invalid", f"the program printed more than {OUTPUT_BYTES_MAX} bytes")


async def end_process(process: asyncio.subprocess.Process, seconds: float = REAP_SECONDS) -> None:
    """Asks the group to end, and after `seconds` kills it: a client that is killed leaves locks in the user's home.

    The group is named after its leader, and keeps that name while any member lives.
    """
    try:
        _signal_cli_process(process, signal.SIGTERM)
        await _wait_for_cli_exit(process, seconds)
    finally:
        _signal_cli_process(process, signal.SIGKILL)
        await _wait_for_cli_exit(process, KILLED_SECONDS)


def _signal_cli_process(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


async def _wait_for_cli_exit(process: asyncio.subprocess.Process, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()


NESTED: Final = "COMPASS_NESTED"
WAY_OUT: Final = "log in with `claude`, set ANTHROPIC_API_KEY, or choose another backend: " + set_by(
    "evaluator.backend", "NAME"
)

NEEDED_FLAGS: Final = ("--tools", "", "--settings", '{"disableAllHooks": true}')
_PRINTED = ("--output-format", "json")
OPTIONAL_FLAGS: Final[dict[str, tuple[str, ...]]] = {
    "--no-session-persistence": (),
    "--setting-sources": ("",),
    "--strict-mcp-config": (),
    "--safe-mode": (),
}
"""Flags that older clients lack, with their values; a client that does not know one is started without it."""

SESSION_VARIABLES: Final = frozenset({
    "AI_AGENT", "CLAUDECODE", "CLAUDE_CODE_CHILD_NOTES_DIR", "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE",
    "CLAUDE_PID", "CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR",
})  # fmt: skip
"""What a hook inherits from the session that it belongs to; the nested client is no part of that session."""

_LIMIT = re.compile(r"you.ve hit your\b.*\blimit\b|claude( ai)? usage limit reached", re.IGNORECASE)
"""How the client begins to say that a plan's limit is reached; a throttle names no limit of yours. 2.1.330 also says
`api_error` usage_limit_reached."""
_UNKNOWN_OPTION = re.compile(r"unknown option '(--[a-z-]+)")


class ClaudeCliBackend:
    """Starts `command`, found on the PATH of `env`, which is also the environment of the process.

    `issue` gives a fresh one-time token before a process starts, `revoke` takes it back after it ended. The
    temperature of a request has no flag and is not sent.
    """

    name = "claude-cli"

    def __init__(
        self,
        model: str,
        env: Mapping[str, str],
        *,
        issue: Callable[[], str],
        revoke: Callable[[str], None],
        command: str = "claude",
    ) -> None:
        self.model = model
        self.env = env
        self._issue = issue
        self._revoke = revoke
        self.command = command
        self._unknown: set[str] = set()

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """One answer within `request.timeout`. Raises ReaderError."""
        program = find_program(self.command, self.env)
        if program is None:
            raise ReaderError(
                "refused", f"no program called {response.safe_detail(self.command)} on the PATH"
            )
        try:
            async with asyncio.timeout(request.timeout):
                return await self._ask_claude_cli(program, request)
        except TimeoutError as fault:
            raise ReaderError("timeout", f"no answer from claude within {request.timeout:g} s") from fault

    async def aclose(self) -> None:
        """Nothing outlives an answer."""

    async def _ask_claude_cli(self, program: str, request: ReaderRequest) -> ReaderReply:
        while True:
            token = self._issue()
            try:
                ended = await run_process(
                    [program, *self.flags(request, _PRINTED)], self.environment(request, token), request.user
                )
            finally:
                self._revoke(token)
            unknown = _UNKNOWN_OPTION.search(ended.stderr) if ended.code else None
            if unknown is None and (result := response.json_object(ended.stdout)):
                return self.reply_of(result)
            if unknown is None:
                said = self._safe_cli_detail(ended.stderr) or "nothing on stderr"
                raise ReaderError("invalid", f"claude printed no JSON result (exit {ended.code}): {said}")
            if unknown[1] in self._unknown or unknown[1] not in (*OPTIONAL_FLAGS, "--json-schema"):
                raise ReaderError("refused", f"this version of claude has no option {unknown[1]}; update it")
            self._unknown.add(unknown[1])

    def flags(self, request: ReaderRequest, form: Sequence[str]) -> list[str]:
        """What the client is started with; `form` is that of its input and output."""
        flags = ["-p", *form, *NEEDED_FLAGS, "--model", self.model, "--system-prompt", request.system]
        optional = {**OPTIONAL_FLAGS, "--json-schema": (json.dumps(dict(request.schema)),)}
        for flag, values in optional.items():
            if flag not in self._unknown:
                flags += [flag, *values]
        return flags

    def environment(self, request: ReaderRequest, token: str) -> dict[str, str]:
        kept = {name: value for name, value in self.env.items() if name not in SESSION_VARIABLES}
        return kept | {
            NESTED: token,
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_output_tokens),
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "MAX_THINKING_TOKENS": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def reply_of(self, result: Mapping[str, object]) -> ReaderReply:
        """What the client's `result` says. Raises ReaderError."""
        structured, plain = result.get("structured_output"), result.get("result")
        text = plain if isinstance(plain, str) else ""
        if isinstance(structured, dict):
            text = json.dumps(structured)
        usage, cost = response.as_object(result.get("usage")), result.get("total_cost_usd")
        reply = ReaderReply(
            text=text,
            input_tokens=response.input_tokens(usage),
            output_tokens=response.count(usage, "output_tokens"),
            cost_usd=float(cost) if isinstance(cost, int | float) and cost >= 0 else None,
        )
        if result.get("is_error") is not False:
            raise self._cli_reader_error(result, reply)
        if not text.strip():
            raise UnusableReplyError("claude's answer contains no text", reply)
        return reply

    def _cli_reader_error(self, result: Mapping[str, object], reply: ReaderReply) -> ReaderError:
        said = self._safe_cli_detail(
            reply.text or str(result.get("errors") or result.get("subtype") or "no reason given")
        )
        status, error = result.get("api_error_status"), result.get("api_error")
        if error == "usage_limit_reached" or _LIMIT.match(reply.text):
            return ReaderError("limit", f"claude: {said}")
        if isinstance(status, int):
            hint = f"; {WAY_OUT}" if status in (401, 403) else ""
            return response.fault_of_status(status, f"claude: {said}{hint}")
        if "/login" in reply.text:
            return ReaderError("authentication", f"claude: {said}; {WAY_OUT}")
        if error == "connection_failed":
            return ReaderError("transport", f"claude: {said}", retryable=True)
        if error == "max_output_tokens":
            return UnusableReplyError(response.CUT_OFF, reply)
        if result.get("stop_reason") == "refusal":
            return UnusableReplyError("the model declined to answer (stop_reason refusal)", reply)
        return UnusableReplyError(f"claude: {said}", reply)

    def _safe_cli_detail(self, text: str) -> str:
        return response.safe_detail(text, [self.env.get(name, "") for name in CREDENTIALS])
