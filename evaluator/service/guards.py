"""The guard of the HTTP API: the rules of access, and what came of each request told to the metrics."""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from typing import Any

from evaluator.service.access import AccessGuard, AccessRules, App, AsgiScope, Send
from evaluator.service.bodies import Receive
from evaluator.service.metrics import Metrics
from evaluator.service.server import Service


class HttpGuard:
    """An ASGI app around another: refuses by the rules and while the service ends, counts and times."""

    def __init__(self, app: App, rules: AccessRules, service: Service, metrics: Metrics) -> None:
        self._guarded = AccessGuard(app, rules, service.closing.is_set)
        self._metrics = metrics

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        status = 0

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._guarded(scope, receive, noted)
        finally:
            self._metrics.note(scope["path"], status, time.perf_counter() - began)
