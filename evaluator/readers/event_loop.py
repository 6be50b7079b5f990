"""The event loops on which readers are asked: one for a single call, and one that outlives checks.

`run_to_end` is for a hook that judges by itself: `asyncio.run` waits at its end for every cancelled task and for the
threads that look up addresses, and a stuck connection would hold it. `ReaderLoop` is the service's: a thread of its
own, where backends keep their connections. Imports asyncio, so import it late.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as LateError
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from evaluator.errors import AbandonedError
from evaluator.model import Sample, Subject
from evaluator.ports import GRACE_SECONDS, Sent

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


def run_to_end(
    main: Coroutine[Any, Any, T], closing: Coroutine[Any, Any, None], grace: float = GRACE_SECONDS
) -> T:
    """The result of `main`. For `closing` and for all that is left over there are `grace` seconds more.

    Raises what `main` raises, and RuntimeError within a running loop.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        main.close()
        closing.close()
        raise RuntimeError("a loop is already running in this thread")

    async def wind_up() -> None:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.wait({asyncio.create_task(closing), *left}, timeout=grace)

    loop = asyncio.new_event_loop()
    loop.set_default_executor(_DaemonThreads())
    # What was given up on stays quiet: stderr belongs to the host.
    loop.set_exception_handler(lambda _loop, _context: None)
    try:
        return loop.run_until_complete(main)
    finally:
        try:
            loop.run_until_complete(wind_up())
        finally:
            main.close()
            closing.close()
            loop.close()


BACKENDS_MAX = 16
RETIRED_SECONDS = 60.0
"""Whoever still asks a backend that made room has an answer by then, or nobody waits for it any more."""

Samples = tuple[Sample, ...]
UNANSWERED: Samples = (Sample(reader="reader-1", error="timeout: the readers' event loop did not answer"),)


class Connected(Protocol):
    """What keeps connections."""

    async def aclose(self) -> None: ...


C = TypeVar("C", bound=Connected)


class LoopReaders(Protocol):
    """Readers that are asked on a loop; a `model` may be known by their answers alone."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    def telling(self, sent: Sent) -> LoopReaders: ...

    async def collect_async(self, subject: Subject, seconds: float) -> Samples: ...


class ReaderLoop:
    """The loop, started with the first check, and its backends by what makes them different."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._backends: OrderedDict[object, Connected] = OrderedDict()
        self._asked: dict[object, _Shared] = {}

    def backend(self, key: object, make: Callable[[], C]) -> C:
        """The backend of that key; the one that was used the longest ago makes room for a new one."""
        with self._lock:
            found = self._backends.get(key)
            if found is None:
                found = self._backends[key] = make()
            self._backends.move_to_end(key)
            old = self._backends.popitem(last=False)[1] if len(self._backends) > BACKENDS_MAX else None
        if old is not None:
            asyncio.run_coroutine_threadsafe(_retire_reader_backend(old), self.running())
        # A key is only ever given with makers of one type.
        return cast(C, found)

    def running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="readers", daemon=True)
                self._thread.start()
            return self._loop

    def ask(
        self,
        key: object,
        readers: LoopReaders,
        subject: Subject,
        seconds: float,
        sent: Sent,
        gone: Future[None] | None = None,
    ) -> Samples:
        """The samples; those who ask the same of the same readers at the same time share them, and one pays.

        Sessions do not know of each other, so their own single flight cannot see this. Whoever gives up as the last
        learns in `sent` what was sent. Raises AbandonedError once `gone` is done.
        """
        shared = self._join_readers_call(key, readers, subject, seconds)
        try:
            ends: list[Future[Any]] = [shared.work] if gone is None else [shared.work, gone]
            if wait(ends, seconds + GRACE_SECONDS, FIRST_COMPLETED).done == {gone}:
                raise AbandonedError
            return shared.taken(shared.work.result(0))
        except (LateError, CancelledError):
            return UNANSWERED
        finally:
            self._leave_readers_call(key, shared, sent)

    async def ask_async(
        self, key: object, readers: LoopReaders, subject: Subject, seconds: float, sent: Sent
    ) -> Samples:
        """The same on any loop, whose thread does not wait. Whoever is cancelled takes nothing from the others."""
        shared = self._join_readers_call(key, readers, subject, seconds)
        try:
            found = asyncio.wrap_future(shared.work)
            return shared.taken(await asyncio.wait_for(asyncio.shield(found), seconds + GRACE_SECONDS))
        except TimeoutError:
            return UNANSWERED
        finally:
            self._leave_readers_call(key, shared, sent)

    def _join_readers_call(
        self, key: object, readers: LoopReaders, subject: Subject, seconds: float
    ) -> _Shared:
        loop = self.running()
        with self._lock:
            shared = self._asked.get(key)
            if shared is None or shared.work.done():
                told: Sent = {}
                asking = readers.telling(told).collect_async(subject, seconds)
                shared = self._asked[key] = _Shared(asyncio.run_coroutine_threadsafe(asking, loop), told)
            shared.waiting += 1
        return shared

    def _leave_readers_call(self, key: object, shared: _Shared, sent: Sent) -> None:
        with self._lock:
            shared.waiting -= 1
            if shared.waiting:
                return
            if self._asked.get(key) is shared:
                del self._asked[key]
            if not shared.paid:
                sent.update(shared.sent)
        shared.work.cancel()

    def close(self, seconds: float = 2.0) -> None:
        """Close the connections, at most that long, and end the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
            backends = [*self._backends.values()]
            self._backends.clear()
        if loop is None:
            return
        closing = asyncio.run_coroutine_threadsafe(_close_reader_backends(backends), loop)
        try:
            closing.result(seconds)
        except LateError:
            closing.cancel()
        loop.call_soon_threadsafe(loop.stop)
        if self._thread is not None:
            self._thread.join(seconds)
            if not self._thread.is_alive():
                loop.close()


class _Shared:
    """One question to the readers, what was sent for it, and how many wait for its answer."""

    def __init__(self, work: Future[Samples], sent: Sent) -> None:
        self.work = work
        self.sent = sent
        self.waiting = 0
        self.paid = False
        self._lock = threading.Lock()

    def taken(self, samples: Samples) -> Samples:
        """Paid for by whoever takes them first."""
        with self._lock:
            first, self.paid = not self.paid, True
        return samples if first else tuple(map(Sample.paid_by_another, samples))


class WarmReaders:
    """Readers on a `ReaderLoop`. `key` tells readers apart that would answer differently."""

    def __init__(self, readers: LoopReaders, loop: ReaderLoop, key: object) -> None:
        self.name = readers.name
        self._readers = readers
        self._loop = loop
        self._key = key
        self._sent: Sent = {}

    @property
    def model(self) -> str:
        return self._readers.model

    def telling(self, sent: Sent) -> WarmReaders:
        """As `evaluator.ports.CountedReaders` has it. Of readers that are shared one caller has to pay."""
        found = WarmReaders(self._readers, self._loop, self._key)
        found._sent = sent
        return found

    def collect(self, subject: Subject, seconds: float) -> Samples:
        """As the readers' own `collect`, with the connections left open. Not on the loop's own thread."""
        return self._loop.ask(self._asked(subject), self._readers, subject, seconds, self._sent)

    def collect_until(self, gone: Future[None], subject: Subject, seconds: float) -> Samples:
        """As `evaluator.ports.LeavableReaders` has it."""
        return self._loop.ask(self._asked(subject), self._readers, subject, seconds, self._sent, gone)

    async def collect_async(self, subject: Subject, seconds: float) -> Samples:
        """The same on any loop but the readers' own."""
        return await self._loop.ask_async(self._asked(subject), self._readers, subject, seconds, self._sent)

    def _asked(self, subject: Subject) -> object:
        return self._key, subject.pending.project_dir, subject.evidence


async def _retire_reader_backend(backend: Connected) -> None:
    """Closes it once nobody asks it any more, or the loop ends."""
    try:
        await asyncio.sleep(RETIRED_SECONDS)
    finally:
        await backend.aclose()


async def _close_reader_backends(backends: list[Connected]) -> None:
    """What is still asked ends first: nobody hears it any more."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=2 * GRACE_SECONDS)
    await asyncio.gather(*(backend.aclose() for backend in backends), return_exceptions=True)
