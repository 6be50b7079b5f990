"""A new backend is one file and one row: everything that asks for backends, judges, measures and guards takes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from apis.noisyapi import write_cases

from compass.cli import main
from evaluator import backends
from evaluator.errors import ConfigError
from evaluator.readers.kinds.kind import find_kind, kind_of
from evaluator.record import replace
from evaluator.settings.keys import KEYS, Settings

TOY = '''
"""The `toy` backend: its readers score by the number in the target's name. TOY_DOWN cuts the line to it."""

import json
import re

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply
from evaluator.readers.kinds.kind import BackendKind
from evaluator.readers.response import Price

ASKED = []


class Toy:
    name = "toy"

    def __init__(self, settings, env):
        self.model = settings.evaluator.model
        self.down = env.get("TOY_DOWN")

    async def ask(self, request):
        ASKED.append(request)
        if self.down:
            raise ReaderError("transport", "the toy is out")
        score = int(re.search(r"-\\d+-c(\\d{3})\\.py", request.user)[1]) / 1000
        answer = {
            "reading": {"action": "change", "target": "x.py", "extent": "one_place"}, "rival": None, "fits": True,
            "rationale": "it says so", "primary_concern": "none" if score > 0.6 else "scope", "score": score,
        }
        if request.schema["properties"].keys() == {"score", "primary_concern"}:
            answer = {name: answer[name] for name in ("score", "primary_concern")}
        return ReaderReply(json.dumps(answer), 1000, 100, 0.25)

    async def aclose(self):
        pass


KIND = BackendKind(
    "toy",
    "a toy that reads the number in the target's name",
    missing=lambda settings, env: None if env.get("TOY_KEY") else "no TOY_KEY",
    goes=lambda settings, env: "the toy box",
    sampling=lambda settings: (4, 20.0),
    fingerprint=lambda: "toy-rules",
    backend=lambda settings, env, state, clock: Toy(settings, env),
    address=lambda settings, env: env.get("TOY_BOX", "box"),
    price=lambda model: Price(1000.0, 0.0),
    credentials=("TOY_KEY",),
)
'''


@dataclass
class World:
    """A project, an isolated home, and the toy's row in the table; `run` is the command line, in this process."""

    root: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def asked(self) -> int:
        return len(sys.modules["toybackend"].ASKED)

    def run(self, *words: object, code: int | None = 0) -> Any:
        """What the command printed with --json."""
        ended = main([str(words[0]), "--json", *map(str, words[1:])])
        assert code is None or ended == code
        return json.loads(self.capsys.readouterr().out)

    def case(self, number: int, centre: float = 0.9) -> Path:
        """A file with one case, whose target no other number has."""
        path = self.root / f"case-{number}.jsonl"
        return write_cases(path, 1, number, clear=(centre, centre), pairs=False)

    def findings(self) -> dict[str, dict[str, Any]]:
        """Of the doctor, by name; it fails for the wiring that is not there."""
        return {found["name"]: found for found in self.run("doctor", code=1)}


@pytest.fixture
def world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[World]:
    for folder in ("home", "state", "project", "code"):
        (tmp_path / folder).mkdir()
    (tmp_path / "code" / "toybackend.py").write_text(TOY)
    for name in [name for name in os.environ if name.startswith(("COMPASS_", "ANTHROPIC_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    given = {
        "HOME": tmp_path / "home",
        "ONLOOKER_DIR": tmp_path / "state",
        "COMPASS_ENABLED": "true",
        "COMPASS_EVALUATOR__BACKEND": "toy",
        "COMPASS_SERVICE__ENABLED": "false",
        "COMPASS_MAX_CHECKS_PER_TURN": "50",
        "TOY_KEY": "k",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.delenv("ONLOOKER_EVENTS_LOG", raising=False)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.syspath_prepend(tmp_path / "code")
    key = KEYS["evaluator.backend"]
    named = replace(key, choices=(*key.choices, "toy"))
    with patch.dict(backends.ROWS, toy="toybackend"), patch.dict(KEYS, {key.path: named}):
        yield World(tmp_path, capsys)
    sys.modules.pop("toybackend", None)


# The table


@pytest.mark.parametrize("name", list(backends.ROWS))
def test_each_row_leads_to_the_record_of_that_name(name: str) -> None:
    kind = kind_of(name)
    assert kind.name == name
    makers = [make for make in (kind.readers, kind.backend, kind.remote) if make is not None]
    assert len(makers) == 1 and kind.hosted == (kind.readers is None)
    n, seconds = kind.sampling(Settings())
    assert n > (name != backends.EMBEDDED) and seconds > 0
    assert kind.about and kind.fingerprint() and kind.goes(Settings(), {})


def test_a_name_without_a_row_is_refused_and_auto_is_none() -> None:
    for name in ("toy", backends.AUTO):
        assert find_kind(name) is None
        with pytest.raises(ConfigError, match="no such backend"):
            kind_of(name)


def test_a_record_is_read_without_sdk_event_loop_or_rules() -> None:
    heavy = (
        "anthropic",
        "asyncio",
        "httpx2",
        "tenacity",
        "pydantic",
        "evaluator.rules",
        "subprocess",
    )
    program = (
        "import sys\nfrom evaluator.backends import ROWS\nfrom evaluator.settings.keys import Settings\n"
        "assert not [name for name in sys.modules if name.startswith('evaluator.readers')]\n"
        "from evaluator.readers.kinds.kind import kind_of\n"
        "for name in ROWS:\n"
        "    for told in (kind_of(name).missing, kind_of(name).address): told(Settings(), {})\n"
        "    for told in (kind_of(name).sampling, kind_of(name).least): told(Settings())\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# The commands


@pytest.mark.parametrize(("centre", "verdict", "code"), [(0.9, "passed", 0), (0.2, "failed", 2)])
def test_check_asks_its_readers(world: World, centre: float, verdict: str, code: int) -> None:
    """Two of them where both find it clear; else one of these, or both, and the second look's."""
    found = world.run("check", "--case", world.case(1, centre), code=code)
    assert (found["backend"], found["verdict"]) == ("toy", verdict)
    assert found["confidence"] == pytest.approx(centre)
    assert len(found["samples"]) == world.asked
    assert world.asked in ([2] if verdict == "passed" else [5, 6])


def test_calibrate_measures_it_and_the_gate_holds_it_to_that(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = write_cases(world.root / "cases.jsonl", 80, 3, clear=(0.6, 0.64), vague=(0.1, 0.3))
    found = world.run("calibrate", "--cases", given, "--repeats", 1, "--yes")
    assert (found["backend"], found["prompt"], found["n"]) == ("toy", "toy-rules", 4)
    assert found["cost"]["calls"] == 640 and found["cost"]["usd"] == pytest.approx(160)
    assert found["recommended"]["reversible"]["cut"] <= 0.6
    assert world.findings()["calibration"]["detail"].startswith("in force")
    assert world.run("check", "--case", world.case(1, 0.61))["verdict"] == "passed"
    monkeypatch.setenv("COMPASS_EVALUATOR__BACKEND", "embedded")
    assert "backend was toy, is embedded" in world.findings()["calibration"]["detail"]


def test_its_failures_open_its_own_breaker(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("TOY_DOWN", "1")
    for number in range(3):
        found = world.run("check", "--record", "--case", world.case(number), code=2)
        assert (found["verdict"], found["reason"]) == ("failed", "sampler_error")
    asked = world.asked
    assert asked == 18, "two for each first look, four for each second"
    found = world.run("check", "--record", "--case", world.case(3), code=2)
    assert (found["reason"], world.asked) == ("circuit_open", asked)
    with monkeypatch.context() as later:
        later.setenv("COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS", "0")
        probed = world.run("check", "--record", "--case", world.case(4), code=None)
    errors = [sample["error"] for sample in probed["samples"] if sample["error"]]
    assert world.asked > asked and len(errors) == world.asked - asked, (
        "what a failed probe met can be explained"
    )
    opened = world.findings()["circuit"]
    assert "toy at box" in opened["detail"] and "not asked until" in opened["detail"]
    assert "writes are held" in opened["detail"]
