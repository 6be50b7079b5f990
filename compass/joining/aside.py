"""What a service does beside the calls that it answers: jobs in threads of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable

JOBS_MAX = 8
SESSIONS_MAX = 256


class Aside:
    """`asking` are the sessions whose agent is to be told something at its next call. Safe for threads."""

    def __init__(self) -> None:
        self.asking: set[str] = set()
        self._free = threading.BoundedSemaphore(JOBS_MAX)

    def start(self, job: Callable[[], None]) -> bool:
        """Whether the job was begun: not while JOBS_MAX others run. Nobody waits for it."""
        if not self._free.acquire(blocking=False):
            return False

        def run() -> None:
            try:
                job()
            finally:
                self._free.release()

        try:
            threading.Thread(target=run, name="aside", daemon=True).start()
        except RuntimeError:
            # The machine gives no further thread.
            self._free.release()
            return False
        return True

    def ask(self, session: str) -> None:
        """Of sessions that ended without another call, some are forgotten in time."""
        if len(self.asking) >= SESSIONS_MAX:
            self.asking.pop()
        self.asking.add(session)
