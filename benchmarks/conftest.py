"""Ratios that hold on any machine: what is measured beside its reference, turn by turn, in the same run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import pytest
from running.serving import Serving, serving

SECONDS, ROUNDS_LEAST, ROUNDS_MOST = 0.4, 5, 200
ROW = {"name": "src/app.py", "lines": list(range(40)), "nested": {"a": [True, None, 1.5, "text" * 8]}}


def work() -> int:
    """Plain work of the interpreter, a fraction of a millisecond: the yardstick of what has no reference of its own."""
    words: dict[str, int] = {}
    for word in json.dumps([ROW] * 20, sort_keys=True).split():
        words[word] = words.get(word, 0) + 1
    return len(words)


@pytest.fixture
def yardstick() -> Callable[[], float]:
    """What `work` takes of a processor, in seconds: the mean of many."""

    def measure() -> float:
        before = time.process_time()
        for _ in range(ROUNDS_MOST):
            work()
        return (time.process_time() - before) / ROUNDS_MOST

    return measure


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
def spent_beside(benchmark: Any) -> Callable[..., float]:
    """`spent_beside(subject, reference, rounds=...)`: both in turns, each of which returns what it took of a processor.

    For work that other processes do, of which the clock on the wall says too much on a busy machine. The ratio of their
    medians, which is also `extra_info["ratio"]`, beside `processor_ms` and `reference_ms`.
    """

    def measure(subject: Callable[[], float], reference: Callable[[], float], *, rounds: int = 15) -> float:
        taken: list[float] = []
        compared: list[float] = []

        def time_reference() -> None:
            compared.append(reference())

        benchmark.pedantic(
            lambda: taken.append(subject()), setup=time_reference, rounds=rounds, warmup_rounds=1
        )
        # The first of each is the warm-up.
        spent, base = median(taken[1:] or taken), median(compared[1:] or compared)
        benchmark.extra_info["processor_ms"] = spent * 1000
        benchmark.extra_info["reference_ms"] = base * 1000
        benchmark.extra_info["ratio"] = spent / base
        print(f"{spent * 1000:.3f} ms of a processor, beside {base * 1000:.3f}: {spent / base:.2f}")
        return spent / base

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


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service in a place of its own; as a user's, it is no fork of what the tests have imported."""
    with serving(tmp_path_factory.mktemp("served")) as found:
        found.place.forked = False
        found.start()
        yield found
