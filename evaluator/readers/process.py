"""One child process: text in, bounded output back, and an end with its group if it does not end by itself.

Never a shell. Imports asyncio, so import it late.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from evaluator.errors import ReaderError
from evaluator.readers.faults import safe_detail

OUTPUT_BYTES_MAX: Final = 1_000_000
REAP_SECONDS: Final = 0.1


class Finished(NamedTuple):
    code: int
    stdout: bytes
    stderr: str


async def run(command: Sequence[str], env: Mapping[str, str], text: str) -> Finished:
    """Runs `command` in an empty folder of its own, with `text` on stdin.

    Whatever ends this coroutine early, a cancellation included, ends the process group. Raises ReaderError
    if the process cannot start or prints more than OUTPUT_BYTES_MAX.
    """
    with tempfile.TemporaryDirectory(prefix="compass-reader-", ignore_cleanup_errors=True) as scratch:
        process = await start(command, env, scratch)
        finished = False
        try:
            _, out, err = await asyncio.gather(
                _feed(process.stdin, text), _bounded(process.stdout), _bounded(process.stderr)
            )
            code = await process.wait()
            finished = True
        finally:
            if not finished:
                await end(process)
        return Finished(code, out, err.decode("utf-8", "replace"))


async def start(
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
            "refused", f"cannot start {safe_detail(command[0])}: {safe_detail(str(fault))}"
        ) from fault


async def _feed(stdin: asyncio.StreamWriter | None, text: str) -> None:
    assert stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        stdin.write(text.encode("utf-8", "replace"))
        await stdin.drain()
    stdin.close()


async def _bounded(stream: asyncio.StreamReader | None) -> bytes:
    assert stream is not None
    try:
        await stream.readexactly(OUTPUT_BYTES_MAX)
    except asyncio.IncompleteReadError as rest:
        return rest.partial
    raise ReaderError("invalid", f"the program printed more than {OUTPUT_BYTES_MAX} bytes")


async def end(process: asyncio.subprocess.Process, seconds: float = REAP_SECONDS) -> None:
    """Asks the group to end, and after `seconds` kills it: a client that is killed leaves locks in the user's home.

    The group is named after its leader, and keeps that name while any member lives.
    """
    try:
        _signal(process, signal.SIGTERM)
        await _reaped(process, seconds)
    finally:
        _signal(process, signal.SIGKILL)
        await _reaped(process, seconds)


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


async def _reaped(process: asyncio.subprocess.Process, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()
