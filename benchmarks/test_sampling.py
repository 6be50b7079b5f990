"""What five readers cost over the slowest needed one, with a warm backend against a loopback API."""

import os
import time
from statistics import median

import pytest
from apis.counted_api import CountedApi
from running.hookrun import KEY

from compass.composition.gate import SystemClock
from evaluator.egress.evidence import build_evidence
from evaluator.model import Effects, Exchange, PendingWrite, Subject, Thresholds
from evaluator.readers.event_loop import ReaderLoop, WarmReaders
from evaluator.readers.kinds.anthropic import KIND, backend
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.settings.keys import SamplingSettings, Settings
from evaluator.state.store import MemoryStore

ENV = {"ANTHROPIC_API_KEY": KEY}
REQUEST = Exchange(("Create notes.txt in this project with a line that says hello to whoever reads it",), "")
PENDING = PendingWrite("case", "s", "Write", {"file_path": "/p/notes.txt"}, cwd="/p", project_dir="/p")
EFFECT = Effects("write", "create", "additive", ("/p/notes.txt",), lines=1)


SUBJECT = Subject(PENDING, EFFECT, REQUEST, build_evidence(PENDING, EFFECT, REQUEST, Settings()))


def readers_of(loop: ReaderLoop, api: CountedApi) -> WarmReaders:
    settings, thresholds = Settings(sampling=SamplingSettings(strategy="fixed")), Thresholds(0.65, 0.2)
    return WarmReaders(
        SampledReaders(
            loop.backend(
                "benchmark",
                lambda: backend(
                    settings, {**ENV, "ANTHROPIC_BASE_URL": api.url}, MemoryStore(), SystemClock()
                ),
            ),
            SamplingPlan.of(settings, *KIND.sampling(settings)),
            thresholds=lambda _: thresholds,
            clock=SystemClock(),
            nonce=lambda: os.urandom(6).hex(),
        ),
        loop,
        "benchmark",
    )


@pytest.mark.parametrize("milliseconds", [0, 200, 800])
def test_five_readers(beside, benchmark, milliseconds):
    """The reference is the wait alone; `overhead_ms` is the time of a check over its slowest answer's at the API.

    `processor_ms` is what of it this process worked for a check; the rest was the busy machine's, or the wire's.
    """
    loop = ReaderLoop()
    worked: list[float] = []
    with CountedApi(milliseconds / 1000) as api:
        readers = readers_of(loop, api)

        def check():
            before = time.process_time()
            found = readers.collect(SUBJECT, 15.0)
            worked.append(time.process_time() - before)
            return found

        samples = beside(check, lambda: time.sleep(max(milliseconds, 1) / 1000), rounds=15)
        loop.close()
        spent = api.counts().seconds
    assert [sample.score for sample in samples] == [0.9] * 5
    if benchmark.stats is not None:
        checks = benchmark.stats.stats.data
        slowest = [max(spent[first : first + 5]) for first in range(0, len(spent), 5)][-len(checks) :]
        over = [check - sample for check, sample in zip(checks, slowest, strict=True)]
        benchmark.extra_info["overhead_ms"] = median(over) * 1000
        benchmark.extra_info["processor_ms"] = median(worked) * 1000
        print(
            f"{median(over) * 1000:.1f} ms over the slowest answer, {median(worked) * 1000:.1f} of them worked"
        )
