"""Ratios that hold on any machine: what is measured beside its reference, turn by turn, in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest


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
