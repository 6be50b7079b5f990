"""An event loop for one call, that ends when it is told to.

`asyncio.run` waits at its end for every cancelled task and for the threads that look up addresses; a stuck
connection would hold it. Imports asyncio, so import it late.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class _DaemonThreads(ThreadPoolExecutor):
    """Each call in a daemon thread: at its exit the interpreter joins a pool's own threads, stuck or not."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            try:
                result = fn(*args, **kwargs)
            except BaseException as fault:  # noqa: BLE001 - handed over to whoever waits for the future
                future.set_exception(fault)
            else:
                future.set_result(result)

        future.set_running_or_notify_cancel()
        threading.Thread(target=work, daemon=True).start()
        return future


def run(main: Coroutine[Any, Any, T], closing: Coroutine[Any, Any, None], grace: float) -> T:
    """The result of `main`. For `closing` and for all that is left over there are `grace` seconds more.

    Raises what `main` raises, and RuntimeError within a running loop.
    """
    if _loop_runs():
        main.close()
        closing.close()
        raise RuntimeError("a loop already runs in this thread")
    loop = asyncio.new_event_loop()
    loop.set_default_executor(_DaemonThreads())
    loop.set_exception_handler(_ignore)
    try:
        return loop.run_until_complete(main)
    finally:
        try:
            loop.run_until_complete(_wind_up(closing, grace))
        finally:
            main.close()
            closing.close()
            loop.close()


def _loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _wind_up(closing: Coroutine[Any, Any, None], grace: float) -> None:
    this = asyncio.current_task()
    left = {task for task in asyncio.all_tasks() if task is not this}
    for task in left:
        task.cancel()
    await asyncio.wait({asyncio.create_task(closing), *left}, timeout=grace)


def _ignore(_loop: asyncio.AbstractEventLoop, _context: dict[str, Any]) -> None:
    """What was given up on stays quiet: stderr belongs to the host."""
