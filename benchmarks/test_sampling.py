"""What five readers cost over the slowest needed one, with a warm backend against a loopback API."""

import os
import time

import pytest
from loopback_api import LoopbackApi, answer, reply

from evaluator.model import Effect, Exchange, PendingWrite, Subject, Thresholds
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.readers.warm import ReaderLoop, WarmReaders
from evaluator.settings import Settings
from evaluator.stages.convergence import certain_block, score_of
from evaluator.stages.evidence import build_evidence

MODEL = "claude-haiku-4-5-20251001"
ENV = {"ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789"}
REQUEST = Exchange(("Create notes.txt in this project with a line that says hello to whoever reads it",), "")
PENDING = PendingWrite("case", "s", "Write", {"file_path": "/p/notes.txt"}, cwd="/p", project_dir="/p")
EFFECT = Effect("write", "create", "additive", ("/p/notes.txt",), lines=1)


class Clock:
    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


@pytest.mark.parametrize("milliseconds", [0, 200, 800])
def test_five_readers(beside, benchmark, milliseconds):
    """The reference is the wait alone; the difference of the medians stands in `overhead_ms`."""
    settings, thresholds = Settings(), Thresholds(0.65, 0.2)
    subject = Subject(PENDING, EFFECT, REQUEST, build_evidence(PENDING, EFFECT, REQUEST, settings))
    with LoopbackApi(default=reply(answer(), delay=milliseconds / 1000)) as api:
        loop = ReaderLoop()
        url = api.url
        readers = WarmReaders(
            SampledReaders(
                loop.backend("benchmark", lambda: AnthropicBackend(MODEL, ENV, base_url=url)),
                SamplingPlan.of(settings, "anthropic"),
                settled=lambda valid, left: certain_block([score_of(s) for s in valid], left, thresholds),
                clock=Clock(),
                nonce=lambda: os.urandom(6).hex(),
            ),
            loop,
            "benchmark",
        )
        samples = beside(
            lambda: readers.collect(subject, 15.0), lambda: time.sleep(max(milliseconds, 1) / 1000), rounds=9
        )
        assert [sample.score for sample in samples] == [0.9] * 5
        if benchmark.stats is not None:
            extra = benchmark.extra_info
            extra["overhead_ms"] = (benchmark.stats.stats.median - extra["reference_seconds"]) * 1000
        loop.close()
