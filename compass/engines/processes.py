"""Processes of this machine.

Started afresh and not forked: the parent has threads, and a copy of them would be none. Each ends with the process that
started it, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import wait
from typing import Any, ParamSpec, TypeVar

from compass.engines.engine import TIMES, Engine, KilledError

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(eq=False, slots=True)
class _Piece:
    """Work that was handed over. `killed` counts the processes that ended over it."""

    work: Callable[[], Any]
    future: Future[Any] = field(default_factory=Future[Any])
    killed: int = 0


class Processes(Engine):
    """A pool for each process, so that it is known what one that is killed had in hand."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._slots = [_Slot() for _ in range(jobs)]

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        piece = _Piece(partial(fn, *args, **kwargs))
        piece.future.set_running_or_notify_cancel()
        min(self._slots, key=len).give(piece)
        return piece.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for slot in self._slots:
            slot.close(wait=False, cancel=cancel_futures)
        for slot in self._slots:
            slot.close(wait=wait, cancel=cancel_futures)


class _Slot:
    """One process, and the next one where it is killed. Safe among threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._pieces: list[_Piece] = []
        # A pool that broke is let go of only at the end: its own thread still works on it, and tells us of it.
        self._pools = [_pool()]
        self._closing = False

    def __len__(self) -> int:
        return len(self._pieces)

    def give(self, piece: _Piece) -> None:
        with self._lock:
            pool = self._pools[-1]
            try:
                inner = pool.submit(piece.work)
            except BrokenProcessPool:
                self._renew(pool)
                self.give(piece)
                return
            self._pieces.append(piece)
        inner.add_done_callback(partial(self._ended, pool, piece))

    def close(self, *, wait: bool, cancel: bool) -> None:
        with self._lock:
            self._closing = True
        for pool in self._pools:
            pool.shutdown(wait=wait, cancel_futures=cancel)

    def _ended(self, pool: ProcessPoolExecutor, piece: _Piece, inner: Future[Any]) -> None:
        if inner.cancelled():
            fault: BaseException | None = CancelledError()
        else:
            fault = inner.exception()
            if isinstance(fault, BrokenProcessPool):
                self._renew(pool)
                return
        with self._lock:
            self._pieces.remove(piece)
        if fault is None:
            piece.future.set_result(inner.result())
        else:
            piece.future.set_exception(fault)

    def _renew(self, pool: ProcessPoolExecutor) -> None:
        """A process works in the order in which it was given: the first piece is what it had in hand."""
        ended: list[_Piece] = []
        with self._lock:
            if pool is not self._pools[-1]:
                return
            again, self._pieces = self._pieces, []
            if again:
                again[0].killed += 1
                if again[0].killed == TIMES:
                    ended.append(again.pop(0))
            if self._closing:
                ended, again = ended + again, []
            else:
                self._pools.append(_pool())
            for piece in again:
                self.give(piece)
        for piece in ended:
            piece.future.set_exception(KilledError())


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    # The parent hears of an interrupt too, and ends this process once its work is kept.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from compass.joining.packages import enable

    enable()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
