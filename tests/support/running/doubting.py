"""Readers who doubt whatever they are asked about, or pass it, for tests of what reaches a reader."""

from __future__ import annotations

from functools import cache

from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import readers_at


@cache
def doubting() -> dict[str, str]:
    """The environment of a gate that asks them; their API runs as long as the tests do."""
    return _asking(answer(0.1, fits=False, primary_concern="scope", rationale="nobody asked for this"))


@cache
def clear() -> dict[str, str]:
    """The same of readers to whom all is clear."""
    return _asking(answer(0.95))


def _asking(text: str) -> dict[str, str]:
    api = LoopbackApi()
    api.default = reply(text)
    api.__enter__()
    return {**readers_at(api.url), "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2"}
