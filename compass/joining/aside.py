"""What a service does beside the calls that it answers: jobs in threads of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable

JOBS_MAX = 8


class Aside:
    """Safe for threads."""

    def __init__(self) -> None:
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
