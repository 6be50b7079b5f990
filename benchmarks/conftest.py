"""Ratios that hold on any machine: what is measured beside its reference, turn by turn, in the same run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

SECONDS, ROUNDS_LEAST, ROUNDS_MOST = 0.4, 5, 200
ROW = {"name": "src/app.py", "lines": list(range(40)), "nested": {"a": [True, None, 1.5, "text" * 8]}}


def work() -> int:
    """Plain work of the interpreter, a fraction of a millisecond: the yardstick of what has no reference of its own."""
    words: dict[str, int] = {}
    for word in json.dumps([ROW] * 20, sort_keys=True).split():
        words[word] = words.get(word, 0) + 1
    return len(words)


@pytest.fixture
def beside(benchmark: Any) -> Callable[..., Any]:
    """`beside(subject, reference, rounds=...)`: both in turns; `extra_info["ratio"]` is that of their medians.

    Load that comes and goes meets both alike. Returns what the last call of `subject` returned.
    """

    def measure(subject: Callable[[], Any], reference: Callable[[], Any], *, rounds: int = 15) -> Any:
        spent: list[float] = []

        def time_reference() -> None:
            begun = time.perf_counter()
            reference()
            spent.append(time.perf_counter() - begun)

        found = benchmark.pedantic(subject, setup=time_reference, rounds=rounds, warmup_rounds=1)
        if benchmark.stats is not None:
            benchmark.extra_info["reference_seconds"] = median(spent)
            benchmark.extra_info["ratio"] = benchmark.stats.stats.median / median(spent)
        return found

    return measure


@pytest.fixture
def paced(beside: Callable[..., Any], benchmark: Any) -> Callable[..., Any]:
    """`paced(function, *arguments)`: beside `work`, as often as fits; returns what the function returned."""

    def measure(function: Callable[..., Any], *arguments: object) -> Any:
        rounds = 1
        if not benchmark.disabled:
            begun = time.perf_counter()
            function(*arguments)
            fitting = int(SECONDS / max(time.perf_counter() - begun, 1e-6))
            rounds = max(ROUNDS_LEAST, min(ROUNDS_MOST, fitting))
        return beside(lambda: function(*arguments), work, rounds=rounds)

    return measure
