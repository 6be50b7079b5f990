"""The client kept warm: processes that were started ahead and answer one sample after another, each in a new session.

A process takes user messages as JSON lines (`--input-format stream-json`) and prints its events likewise; an event of
type `result` ends each. `/clear` ends with a result too, and gives the process a new session. Seen in clients 2.1.197
and 2.1.330: the next request to the API holds one user message and nothing of the sample before; the cost in a result
is that of the session in the newer, of the process in the older. Imports asyncio, so import it late.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Final

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers import claude_cli
from evaluator.readers.addresses import find_program
from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.response import as_object, count, input_tokens

WARM_TOKEN: Final = "warm"  # noqa: S105 - it opens nothing
"""What a kept process has for its nested token: it opens nothing, and a hook that presents it is denied."""

SAMPLES_MAX: Final = 100
IDLE_SECONDS: Final = 300.0
CLEAR_SECONDS: Final = 5.0
END_SECONDS: Final = 1.0
OWN_SHARE: Final = 0.98
_STREAMED = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")

Key = tuple[str, str, int]
"""What a process is started with and cannot change: system text, schema, output tokens."""


class SurpriseError(Exception):
    """A kept process ended, or answered in a form that is not known: the sample is asked cold."""


@dataclass(eq=False)
class KeptProcess:
    """One process between its samples."""

    key: Key
    process: asyncio.subprocess.Process
    folder: tempfile.TemporaryDirectory[str]
    session: str = ""
    spent: float = 0.0
    """Dollars that the client counts to its next result although they were told before."""

    samples: int = 0

    async def send(self, text: str) -> Mapping[str, object]:
        """The result event of one user message. Raises SurpriseError."""
        assert self.process.stdin is not None and self.process.stdout is not None
        line = json.dumps({"type": "user", "message": {"role": "user", "content": text}})
        try:
            self.process.stdin.write(line.encode() + b"\n")
            await self.process.stdin.drain()
            while printed := await self.process.stdout.readline():
                event = as_object(json.loads(printed))
                if event.get("type") == "result":
                    return event
        except (OSError, ValueError, RecursionError) as fault:
            raise SurpriseError(type(fault).__name__) from fault
        raise SurpriseError("the process ended")

    async def sample(self, text: str) -> Mapping[str, object]:
        """The result of one sample, with its own cost. Raises SurpriseError if it may have seen another."""
        found = await self.send(text)
        session = str(found.get("session_id") or "")
        if self.session and session != self.session:
            raise SurpriseError("the sample is not from the session that was started for it")
        self.session = session
        self.samples += 1
        cost = _claude_result_cost(found)
        return {**found, "total_cost_usd": max(cost - self.spent, 0.0)} if cost else found

    async def is_cleared(self) -> bool:
        """Whether the client confirms a new session, and asked no model for it."""
        try:
            async with asyncio.timeout(CLEAR_SECONDS):
                found = await self.send("/clear")
        except (SurpriseError, TimeoutError):
            return False
        session, usage = str(found.get("session_id") or ""), as_object(found.get("usage"))
        asked = input_tokens(usage) + count(usage, "output_tokens")
        if found.get("is_error") is not False or not session or session == self.session or asked:
            return False
        self.session, self.spent = session, _claude_result_cost(found)
        return True

    async def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            await claude_cli.end_process(self.process, END_SECONDS)
        finally:
            self.folder.cleanup()


class WarmClaudeBackend:
    """At most `size` processes of `cold`'s program wait, each for a sample like one that was asked before. What none
    waits for is asked by `cold`: everything, once the first that waited could not answer. Where sessions cannot be
    cleared, a process answers one sample.

    Only in a loop that goes on between checks: what waits ends with `aclose`, or once it was idle.
    """

    name = "claude-cli"

    def __init__(self, cold: ClaudeCliBackend, size: int) -> None:
        self.model = cold.model
        self._cold = cold
        self._size = size
        self._waiting: list[KeptProcess] = []
        self._all: set[KeptProcess] = set()
        self._answered: bool | None = None
        """Whether one that waited has answered; None before any was asked."""
        self._clears = True
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """One answer within `request.timeout`. Raises ReaderError."""
        key = request.system, json.dumps(dict(request.schema)), request.max_output_tokens
        one = next((one for one in self._waiting if one.key == key), None)
        if one is None:
            self._schedule_warm_work(self._start_warm_process(key, request))
            return await self._cold.ask(request)
        self._waiting.remove(one)
        found: ReaderReply | None = None
        try:
            found = await self._ask_warm_process(one, request)
        finally:
            self._schedule_warm_work(self._recycle_warm_process(one, request, whole=found is not None))
        return await self._cold.ask(request) if found is None else found

    async def aclose(self) -> None:
        """Ends every process."""
        self._answered = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._waiting.clear()
        await asyncio.gather(*map(self._end_warm_process, list(self._all)))

    async def _ask_warm_process(self, one: KeptProcess, request: ReaderRequest) -> ReaderReply | None:
        """None where the sample has to be asked cold. Raises ReaderError."""
        try:
            # Who asks may hold it to the same time: ours ends first.
            async with asyncio.timeout(request.timeout * OWN_SHARE):
                reply = self._cold.reply_of(await one.sample(request.user))
        except SurpriseError:
            self._answered = bool(self._answered)
            self._clears = self._clears and not one.samples
            return None
        except UnusableReplyError:
            if self._answered:
                raise
            # It may be this form of input that the client cannot answer.
            self._answered = False
            return None
        except TimeoutError as fault:
            self._answered = bool(self._answered)
            raise ReaderError("timeout", f"no answer from claude within {request.timeout:g} s") from fault
        self._answered = True
        return reply

    async def _recycle_warm_process(self, one: KeptProcess, request: ReaderRequest, *, whole: bool) -> None:
        """Keeps a process that answered as it should, in a new session, or else one more in its place."""
        if whole and self._clears and one.samples < SAMPLES_MAX:
            self._clears = await one.is_cleared()
            if self._clears:
                await self._keep_warm_process(one)
                return
        await self._end_warm_process(one)
        await self._start_warm_process(one.key, request)

    async def _start_warm_process(self, key: Key, request: ReaderRequest) -> None:
        if self._answered is False or self._starting >= self._size:
            return
        program = find_program(self._cold.command, self._cold.env)
        if program is None:
            return
        folder = tempfile.TemporaryDirectory(prefix="compass-reader-", ignore_cleanup_errors=True)
        command = [program, *self._cold.flags(request, _STREAMED)]
        env = self._cold.environment(request, WARM_TOKEN)
        self._starting += 1
        try:
            process = await claude_cli.start_process(command, env, folder.name, quiet=True)
        except ReaderError:
            return
        finally:
            self._starting -= 1
        one = KeptProcess(key, process, folder)
        self._all.add(one)
        await self._keep_warm_process(one)

    async def _keep_warm_process(self, one: KeptProcess) -> None:
        answered = one.samples

        def end_unused() -> None:
            if one in self._waiting and one.samples == answered:
                self._waiting.remove(one)
                self._schedule_warm_work(self._end_warm_process(one))

        self._waiting.append(one)
        asyncio.get_running_loop().call_later(IDLE_SECONDS, end_unused)
        while len(self._waiting) > self._size:
            await self._end_warm_process(self._waiting.pop(0))

    async def _end_warm_process(self, one: KeptProcess) -> None:
        self._all.discard(one)
        await one.end()

    def _schedule_warm_work(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _claude_result_cost(found: Mapping[str, object]) -> float:
    cost = found.get("total_cost_usd")
    return float(cost) if isinstance(cost, int | float) else 0.0
