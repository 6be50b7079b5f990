"""Awaits a check: its work is done in worker threads, and while it waits for readers no thread waits with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar, cast

from compass.composition.process import kept
from evaluator.gate.run import Collect, Samples, Sleep, Waiting
from evaluator.readers.warm_readers import WarmReaders

T = TypeVar("T")


async def in_thread(act: Callable[[], T]) -> T:
    """What `act` returns. Whoever is cancelled meanwhile waits for its end: it is short, and not to be torn apart."""
    future = asyncio.get_running_loop().run_in_executor(kept().workers, act)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise


async def drive_async(work: Waiting[T]) -> T:
    """What the check's work comes to, awaited: `evaluator.gate.run.drive` for a running event loop."""
    try:
        step = await in_thread(partial(_sent, work, None))
        while isinstance(step, Collect | Sleep):
            try:
                samples = await _met(step)
            except BaseException as error:  # noqa: BLE001 - the work's own, where it waits; a cancellation, too
                step = await in_thread(partial(_thrown, work, error))
            else:
                step = await in_thread(partial(_sent, work, samples))
    except asyncio.CancelledError:
        # One that came between two waits is not thrown into the work.
        await in_thread(work.close)
        raise
    return cast(T, step.value)


async def _met(wait: Collect | Sleep) -> Samples:
    if isinstance(wait, Sleep):
        await asyncio.sleep(wait.seconds)
        return ()
    readers, subject, seconds = wait.readers, wait.subject, wait.seconds
    if isinstance(readers, WarmReaders):
        return await readers.collect_async(subject, seconds)
    return await asyncio.to_thread(readers.collect, subject, seconds)


def _sent(work: Waiting[T], samples: Samples | None) -> Collect | Sleep | StopIteration:
    # A future cannot hold a StopIteration, so it is the result.
    try:
        return next(work) if samples is None else work.send(samples)
    except StopIteration as done:
        return done


def _thrown(work: Waiting[T], error: BaseException) -> Collect | Sleep | StopIteration:
    try:
        return work.throw(error)
    except StopIteration as done:
        return done
