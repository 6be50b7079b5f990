"""The client kept warm: processes that answer one sample after another, each in a session of its own.

A process takes user messages as JSON lines (`--input-format stream-json`) and prints its events likewise; an event of
type `result` ends each. `/clear` ends with a result too, and gives the process a new session. Seen in clients 2.1.197
and 2.1.330: the next request to the API holds one user message and nothing of the sample before; the cost in a result
is that of the session in the newer, of the process in the older. Imports asyncio, so import it late.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import tempfile
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers import claude_cli
from evaluator.readers.claude_cli import ClaudeCliBackend
from evaluator.readers.prerequisites import find_program
from evaluator.readers.response import as_object, count, input_tokens

WARM_TOKEN: Final = "warm"  # noqa: S105 - it opens nothing
"""What a kept process has for its nested token: it opens nothing, and a hook that presents it is denied."""

SAMPLES_MAX: Final = 100
AGE_SECONDS_MAX: Final = 1800.0
IDLE_SECONDS: Final = 300.0
CLEAR_SECONDS: Final = 5.0
END_SECONDS: Final = 1.0
OWN_SHARE: Final = 0.98
SURPRISES_MAX: Final = 3
COLD_SECONDS: Final = 600.0
"""After so many processes in a row that did not do as they should samples are asked cold for that long; then one more
decides again."""

_STREAMED = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")

Key = tuple[str, str, int]
"""What a process is started with and cannot change: system text, schema, output tokens."""


class SurpriseError(Exception):
    """A kept process ended, or answered in a form that is not known: the sample is asked cold."""


@dataclass(eq=False)
class KeptProcess:
    """One process between its samples. Times are of the loop's clock."""

    key: Key
    process: asyncio.subprocess.Process
    folder: tempfile.TemporaryDirectory[str]
    born: float
    session: str = ""
    spent: float = 0.0
    """Dollars that the client counts to its next result although they were told before."""

    samples: int = 0
    free_since: float = 0.0

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
        return {**found, "total_cost_usd": max(_cost(found) - self.spent, 0.0)} if _cost(found) else found

    async def clear(self) -> None:
        """A new session. Raises SurpriseError unless the client confirms one, and asked no model for it."""
        async with asyncio.timeout(CLEAR_SECONDS):
            found = await self.send("/clear")
        session, usage = str(found.get("session_id") or ""), as_object(found.get("usage"))
        asked = input_tokens(usage) + count(usage, "output_tokens")
        if found.get("is_error") is not False or not session or session == self.session or asked:
            raise SurpriseError("the session was not cleared")
        self.session, self.spent = session, _cost(found)

    async def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            await claude_cli.end_process(self.process, END_SECONDS)
        finally:
            self.folder.cleanup()


class WarmClaudeBackend:
    """At most `size` processes of `cold`'s program. What cannot be asked warm is asked by `cold`.

    Only in a loop that goes on between checks: what is kept ends with `aclose`, or once it is idle.
    """

    name = "claude-cli"

    def __init__(self, cold: ClaudeCliBackend, size: int) -> None:
        self.model = cold.model
        self._cold = cold
        self._size = size
        self._free: list[KeptProcess] = []
        self._all: set[KeptProcess] = set()
        self._starting = 0
        self._surprises = 0
        self._cold_until = 0.0
        self._answered = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """One answer within `request.timeout`. Raises ReaderError."""
        try:
            # Who asks may hold it to the same time: ours ends first.
            async with asyncio.timeout(request.timeout * OWN_SHARE):
                found = await self._asked(request) if self._may_keep() else None
        except TimeoutError as fault:
            # A client that has never answered may be one that cannot be kept.
            if not self._answered:
                self._surprised()
            raise ReaderError("timeout", f"no answer from claude within {request.timeout:g} s") from fault
        return await self._cold.ask(request) if found is None else found

    async def aclose(self) -> None:
        """Ends every process."""
        self._cold_until = math.inf
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._free.clear()
        await asyncio.gather(*map(self._end, list(self._all)))

    async def _asked(self, request: ReaderRequest) -> ReaderReply | None:
        """None where a process has to be cold."""
        kept = await self._taken(request)
        if kept is None:
            return None
        try:
            found = await kept.sample(request.user)
        except SurpriseError:
            self._surprised()
            self._later(self._end(kept))
            return None
        except BaseException:
            # Nobody knows what it will say next.
            self._later(self._replaced(kept, request))
            raise
        try:
            reply = self._cold.reply_of(found)
        except ReaderError as fault:
            if isinstance(fault, UnusableReplyError) and not self._answered:
                # It may be this form of input that the client cannot answer.
                self._surprised()
                self._later(self._end(kept))
                return None
            self._answered = True
            self._later(self._replaced(kept, request))
            raise
        self._answered = True
        if kept.samples > 1:
            # It was cleared, and went on as it should.
            self._surprises = 0
        self._later(self._returned(kept, request))
        return reply

    async def _taken(self, request: ReaderRequest) -> KeptProcess | None:
        """A free process of that prompt, or a new one; None where as many as may are at work."""
        key = _key(request)
        for kept in reversed(self._free):
            if kept.key == key and kept.process.returncode is None:
                self._free.remove(kept)
                return kept
        while self._free and self._full():
            await self._end(self._free.pop(0))
        return None if self._full() else await self._started(request)

    async def _started(self, request: ReaderRequest) -> KeptProcess | None:
        program = find_program(self._cold.command, self._cold.env)
        if program is None:
            return None
        self._starting += 1
        try:
            folder = tempfile.TemporaryDirectory(prefix="compass-reader-", ignore_cleanup_errors=True)
            started = await claude_cli.start_process(
                self._command(program, request),
                self._cold.environment(request, WARM_TOKEN),
                folder.name,
                quiet=True,
            )
        finally:
            self._starting -= 1
        kept = KeptProcess(_key(request), started, folder, asyncio.get_running_loop().time())
        self._all.add(kept)
        return kept

    def _may_keep(self) -> bool:
        return asyncio.get_running_loop().time() >= self._cold_until

    def _surprised(self) -> None:
        self._surprises += 1
        if self._surprises >= SURPRISES_MAX:
            self._surprises = SURPRISES_MAX - 1
            self._cold_until = max(self._cold_until, asyncio.get_running_loop().time() + COLD_SECONDS)

    def _full(self) -> bool:
        return len(self._all) + self._starting >= self._size

    def _command(self, program: str, request: ReaderRequest) -> Sequence[str]:
        return [program, *self._cold.flags(request, _STREAMED)]

    async def _returned(self, kept: KeptProcess, request: ReaderRequest) -> None:
        now = asyncio.get_running_loop().time()
        if kept.samples >= SAMPLES_MAX or now - kept.born > AGE_SECONDS_MAX:
            await self._replaced(kept, request)
            return
        try:
            await kept.clear()
        except (SurpriseError, TimeoutError):
            self._surprised()
            await self._end(kept)
            return
        self._keep(kept)

    async def _replaced(self, kept: KeptProcess, request: ReaderRequest) -> None:
        """The next check does not wait for a start."""
        await self._end(kept)
        if self._may_keep() and not self._full():
            with contextlib.suppress(ReaderError):
                fresh = await self._started(request)
                if fresh is not None:
                    self._keep(fresh)

    def _keep(self, kept: KeptProcess) -> None:
        loop = asyncio.get_running_loop()
        kept.free_since = loop.time()
        self._free.append(kept)
        loop.call_later(IDLE_SECONDS, self._release)

    def _release(self) -> None:
        """Ends what nobody has used for a while."""
        since = asyncio.get_running_loop().time() - IDLE_SECONDS
        for kept in [one for one in self._free if one.free_since <= since]:
            self._free.remove(kept)
            self._later(self._end(kept))

    async def _end(self, kept: KeptProcess) -> None:
        self._all.discard(kept)
        await kept.end()

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _key(request: ReaderRequest) -> Key:
    return request.system, json.dumps(dict(request.schema)), request.max_output_tokens


def _cost(found: Mapping[str, object]) -> float:
    cost = found.get("total_cost_usd")
    return float(cost) if isinstance(cost, int | float) else 0.0
