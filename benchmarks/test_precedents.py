"""What 1,000 precedents cost a check: looking them up in the real database, beside a write that a skip glob excuses, as
it is asked of a real service over its socket.

Both are timed in turns, in pairs. The figure is the median of the pairs' ratios, with a bootstrap interval (Efron 1979,
percentiles): no slower means that the interval includes 1 or lies below 1.05.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from running.serving import Serving

from compass.joining.gate import Wired, wire
from evaluator.configuration.settings import build
from evaluator.gate import pipeline, precedents
from evaluator.model import Exchange, PendingWrite
from evaluator.precedents.precedent import Precedent
from evaluator.record import replace
from evaluator.state.ulid import ulid

KEPT, PAIRS, DRAWS, NO_SLOWER = 1_000, 60, 1_000, 1.05
_KINDS = """
    nightly weekly upload download invoice order customer product image audio video login signup export import search
    report billing catalog stock price tax refund coupon banner email sms push audit metric trace backup restore draft
    """
_NOUNS = """
    parser loader cache limiter importer exporter scheduler mailer router renderer tokenizer planner builder indexer
    sorter filter worker queue client server page form table chart dialog wizard counter watcher crawler resolver
    """
KINDS, NOUNS = _KINDS.split(), _NOUNS.split()
PRIOR = "I read the module and its tests. The nightly job is green. Anything else?\n" * 8
REQUESTS = {
    "one of them bears": "Please make the nightly parser faster, and keep its output as it is",
    "many share a word and none bears": "A new parser, another cache and the second loader: write them, please",
    "none is found": "Translate the welcome text into Danish",
}


@dataclass
class Shop:
    wired: Wired
    project: Path
    served: Serving
    looks: int = 0

    def pending(self, path: str) -> PendingWrite:
        given = {"file_path": str(self.project / path), "old_string": "a", "new_string": "b"}
        root = str(self.project)
        return PendingWrite(
            "claude-code", "s", "Edit", given, root, root, None, "p", f"toolu_{time.monotonic_ns()}"
        )

    def skip(self) -> None:
        """In this process."""
        found = pipeline.check(self.wired.parts, self.pending("yarn.lock"))
        assert found.reason == "skip_glob"

    def asked_skip(self) -> None:
        given = {"file_path": str(self.served.place.project / "yarn.lock"), "content": "x\n"}
        done = self.served.hook("pre-tool-use", self.served.place.payload("Write", given), self.served.place)
        assert (done.returncode, done.stdout) == (0, b"")

    def look(self, request: str) -> int:
        memory = self.wired.parts.memory
        assert memory is not None
        # No two requests are one: what was taken apart of an earlier one helps little.
        self.looks += 1
        exchange = Exchange((f"{request} (step {self.looks})",), f"{PRIOR} {self.looks}")
        pending = self.pending("src/a.py")
        place = memory.place(pending, memory.project(pending))
        return len(precedents.found_for(self.wired.parts, memory, pending, exchange, place))


@pytest.fixture
def shop(tmp_path: Path, served: Serving) -> Iterator[Shop]:
    project = tmp_path / "project"
    for folder in ("src", "tests", *(f"src/part{number}" for number in range(40))):
        (project / folder).mkdir(parents=True)
    (project / ".git" / "refs" / "heads").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    env = {"ONLOOKER_DIR": str(tmp_path / "state"), "PATH": os.environ["PATH"]}
    settings = build({"enabled": True, "evaluator.backend": "embedded"})
    wired = wire(env, str(tmp_path), str(project), settings=settings)
    found = Shop(wired, project, served)
    memory = wired.parts.memory
    assert memory is not None
    pending, now = found.pending("src/a.py"), wired.parts.clock.now()
    place = memory.place(pending, memory.project(pending))
    with wired.store.together():
        for number in range(KEPT):
            kind, noun = KINDS[number % len(KINDS)], NOUNS[number // len(KINDS) % len(NOUNS)]
            target = f"src/part{number % 40}/m{number}.py"
            (project / target).touch()
            wired.store.keep_precedent(
                Precedent(
                    ulid(now - number, os.urandom(10)), place.project, place.checkout, place.branch, "s", "",
                    now - number, "clarified", f"the {kind} {noun}", "that one", "fix", target,
                    "one_file", tightens=False,
                )
            )  # fmt: skip
    assert len(wired.store.all_precedents(place.project)) == KEPT
    yield found
    wired.close()


def timed(act: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def interval(ratios: list[float]) -> tuple[float, float]:
    """95 %, of the median."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(DRAWS))
    return medians[int(0.025 * DRAWS)], medians[int(0.975 * DRAWS)]


@pytest.mark.benchmark(group="precedents")
@pytest.mark.parametrize("what", REQUESTS)
def test_looking_them_up_takes_no_longer_than_a_skip(benchmark: Any, shop: Shop, what: str) -> None:
    request = REQUESTS[what]

    def measure() -> list[float]:
        ratios: list[float] = []
        for number in range(3 if benchmark.disabled else PAIRS):
            acts = [lambda: shop.look(request), shop.asked_skip]
            if number % 2:
                ratios.append(timed(acts[0]) / timed(acts[1]))
            else:
                skipped = timed(acts[1])
                ratios.append(timed(acts[0]) / skipped)
        return ratios

    shop.asked_skip()
    assert (shop.look(request) > 0) == (what == "one of them bears")
    ratios = benchmark.pedantic(measure, rounds=1)
    low, high = interval(ratios)
    benchmark.extra_info.update(ratio=statistics.median(ratios), low=low, high=high, pairs=len(ratios))
    print({"what": what, "ratio": statistics.median(ratios), "interval": (low, high), "pairs": len(ratios)})
    if not benchmark.disabled:
        assert low <= 1.0 or high < NO_SLOWER


@pytest.mark.benchmark(group="precedents")
def test_a_skip_is_as_fast_with_a_thousand_of_them_as_with_none(benchmark: Any, shop: Shop) -> None:
    """They are not looked at: the step stands behind all that excuses a write."""
    bare = replace(shop.wired, parts=replace(shop.wired.parts, memory=None))
    without = Shop(bare, shop.project, shop.served)
    shop.skip()
    without.skip()

    def measure() -> list[float]:
        ratios: list[float] = []
        for number in range(3 if benchmark.disabled else PAIRS):
            first, second = (shop, without) if number % 2 else (without, shop)
            spent = {id(one): timed(one.skip) for one in (first, second)}
            ratios.append(spent[id(shop)] / spent[id(without)])
        return ratios

    ratios = benchmark.pedantic(measure, rounds=1)
    low, high = interval(ratios)
    benchmark.extra_info.update(ratio=statistics.median(ratios), low=low, high=high, pairs=len(ratios))
    print({"ratio": statistics.median(ratios), "interval": (low, high), "pairs": len(ratios)})
    if not benchmark.disabled:
        assert low <= 1.0 or high < NO_SLOWER
