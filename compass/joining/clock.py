"""The real clock."""

from __future__ import annotations

import time


class SystemClock:
    """Implements evaluator.ports.Clock."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
