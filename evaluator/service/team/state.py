"""The routes of the service itself: whether it lives and is ready, and its counts."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from evaluator.errors import StateError
from evaluator.service.team.asking import Answer, Asked, Handler, Parts
from evaluator.service.team.logs import tell
from evaluator.service.team.metrics import CONTENT_TYPE

READY_SECONDS: Final = 3.0
BELIEVED_SECONDS: Final = 1.0
"""Anybody may ask whether it is ready, and that must not keep the database busy."""


class Readiness:
    """Asks the database at most once a second, however many want to know."""

    def __init__(self) -> None:
        self._until = 0.0
        self._ready = False
        self._asking: asyncio.Task[bool] | None = None

    async def of(self, parts: Parts) -> bool:
        """Nobody waits longer than READY_SECONDS: no answer is no."""
        if time.monotonic() < self._until:
            return self._ready
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask(parts))
        try:
            async with asyncio.timeout(READY_SECONDS):
                return await asyncio.shield(self._asking)
        except TimeoutError:
            return False

    async def _ask(self, parts: Parts) -> bool:
        try:
            self._ready = await parts.probes(parts.store.ready)
        except StateError as error:
            self._ready = False
            # No request stands behind this, so that the sentence can quote none.
            tell(logging.WARNING, "not ready", cause=str(error))
        finally:
            self._until = time.monotonic() + BELIEVED_SECONDS
            self._asking = None
        return self._ready


def handlers() -> dict[str, Handler]:
    """Of one service."""
    readiness = Readiness()

    async def livez(_: Parts, __: Asked) -> Answer:
        return Answer({"status": "ok"})

    async def readyz(parts: Parts, _: Asked) -> Answer:
        if parts.closing.is_set():
            return Answer({"status": "closing"}, status=503)
        if not await readiness.of(parts):
            return Answer({"status": "no database"}, status=503)
        return Answer({"status": "ok"})

    async def metrics(parts: Parts, _: Asked) -> Answer:
        return Answer(text=parts.metrics.text(), content_type=CONTENT_TYPE)

    return {"livez": livez, "readyz": readyz, "metrics": metrics}
