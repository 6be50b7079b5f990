"""Processes of this machine.

Started afresh and not forked: the parent has threads, and a copy of them would be none. Each ends with the process that
started it, however that ends. Not the pool of the standard library: when one of its processes is killed, all that it
was given fails, and nobody knows which piece that one had in hand.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, ParamSpec, TypeVar

from compass.engines.engine import TIMES, Engine, KilledError

P = ParamSpec("P")
R = TypeVar("R")
GONE = (EOFError, OSError)
"""What a pipe raises whose other end is a process that ended."""


@dataclass(eq=False, slots=True)
class _Piece:
    """Work that was handed over, pickled. `begun` counts the processes that had it in hand."""

    work: bytes
    future: Future[Any] = field(default_factory=Future[Any])
    begun: int = 0


class Processes(Engine):
    """One thread gives each process its next piece, and tells what came of the one before."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._lock = threading.Lock()
        self._waiting: deque[_Piece] = deque()
        self._closing = False
        self._broken: BrokenExecutor | None = None
        self._wakes, self._waker = multiprocessing.Pipe(duplex=False)
        self._free: list[_Process] = []
        self._busy: dict[_Process, _Piece] = {}
        self._thread: threading.Thread | None = None

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        piece = _Piece(pickle.dumps(partial(fn, *args, **kwargs), pickle.HIGHEST_PROTOCOL))
        piece.future.set_running_or_notify_cancel()
        with self._lock:
            if self._broken is not None:
                raise self._broken
            if self._closing:
                raise RuntimeError("no work is taken any more")
            self._waiting.append(piece)
            if self._thread is None:
                self._free = [_Process() for _ in range(self.jobs)]
                self._thread = threading.Thread(target=self._run, name="processes", daemon=True)
                self._thread.start()
        self._waker.send_bytes(b"+")
        return piece.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """What no process has begun is done first, unless it is cancelled."""
        dropped: list[_Piece] = []
        with self._lock:
            self._closing = True
            if cancel_futures:
                dropped, self._waiting = list(self._waiting), deque()
        for piece in dropped:
            piece.future.set_exception(CancelledError())
        if self._thread is None:
            return
        with suppress(OSError):
            self._waker.send_bytes(b"+")
        if wait:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._hand_over()
        except Exception as fault:  # noqa: BLE001 - raised again by those who wait, who would else wait for ever
            self._break(fault)
        for process in (*self._free, *self._busy):
            process.end()
        for pipe in (self._wakes, self._waker):
            pipe.close()

    def _break(self, fault: Exception) -> None:
        """A process that could not be started, say."""
        broken = BrokenExecutor(f"{type(fault).__name__}: {fault}")
        with self._lock:
            self._broken = broken
            left, self._waiting = [*self._busy.values(), *self._waiting], deque()
        for piece in left:
            piece.future.set_exception(broken)

    def _hand_over(self) -> None:
        while self._goes_on():
            self._give()
            by_pipe = {process.pipe: process for process in self._busy}
            for ready in wait([self._wakes, *by_pipe]):
                if ready is self._wakes:
                    self._wakes.recv_bytes()
                elif isinstance(ready, Connection):
                    self._take(by_pipe[ready])

    def _goes_on(self) -> bool:
        with self._lock:
            return bool(self._busy or self._waiting or not self._closing)

    def _give(self) -> None:
        while self._free:
            with self._lock:
                if not self._waiting:
                    return
                piece = self._waiting.popleft()
            process = self._free.pop()
            try:
                process.pipe.send_bytes(piece.work)
            except GONE:
                # It had nothing in hand when it ended.
                with self._lock:
                    self._waiting.appendleft(piece)
                process.end()
                self._free.append(_Process())
                continue
            piece.begun += 1
            self._busy[process] = piece

    def _take(self, process: _Process) -> None:
        piece = self._busy.pop(process)
        try:
            said = process.pipe.recv_bytes()
        except GONE:
            process.end()
            if piece.begun < TIMES:
                with self._lock:
                    self._waiting.appendleft(piece)
            else:
                piece.future.set_exception(KilledError())
            self._free.append(_Process())
            return
        self._free.append(process)
        try:
            # The process goes on before whoever waits for this hears of it.
            self._give()
        finally:
            _tell(piece.future, said)


def _tell(future: Future[Any], said: bytes) -> None:
    try:
        done, found = pickle.loads(said)  # noqa: S301 - of a process of our own
    except Exception as fault:  # noqa: BLE001 - raised again by who waits
        done, found = False, fault
    if done:
        future.set_result(found)
    else:
        future.set_exception(found)


class _Process:
    def __init__(self) -> None:
        spawned = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawned.Pipe()
        self._process = spawned.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        # A pipe tells that its other end is gone only once nobody here holds that.
        theirs.close()

    def end(self) -> None:
        self.pipe.close()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """Until the other end is closed, by a process that ends too."""
    # The parent hears of an interrupt as well, and ends this process once its work is kept.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from compass.joining.packages import enable

    enable()
    with suppress(*GONE):
        while True:
            given = pipe.recv_bytes()
            try:
                said = pickle.dumps((True, pickle.loads(given)()), pickle.HIGHEST_PROTOCOL)  # noqa: S301 - the parent's
            except Exception as fault:  # noqa: BLE001 - raised again in the parent
                said = pickle.dumps((False, fault))
            pipe.send_bytes(said)
