"""A fault in any step of a check, in any part that it uses, in whatever stands around it: answered by policy."""

import asyncio
import errno
import functools
import json
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from running.hookrun import deletion, first_on_path, place, reason_of
from unit.hook.sabotage import SLOT_ENDS, Saboteur, part_names

from compass.cli import main
from compass.hook import entry
from evaluator.errors import StateError
from evaluator.files import recent_faults
from evaluator.gate import pipeline
from evaluator.gate.run import Run
from evaluator.model import Check, Exchange
from evaluator.precedents import Precedent
from evaluator.settings.places import recorded_key
from evaluator.state.store import open_store
from hooks.hosts.claude_code.host import HOST

transcript = HOST.sessions().transcript

FAULTS: dict[str, BaseException] = {
    "RuntimeError": RuntimeError("boom"),
    "a full disk": OSError(errno.ENOSPC, "No space left on device", "/state/compass.db"),
    "MemoryError": MemoryError(),
    "RecursionError": RecursionError("maximum recursion depth exceeded"),
    "sqlite": sqlite3.OperationalError("disk I/O error"),
    "StateError": StateError("the state is of a newer Compass"),
    "hostile words": RuntimeError('line one\n  File "x.py", line 3\n\ud800{"hookSpecificOutput"'),
}
STEPS = {step.__name__: number for number, step in enumerate(pipeline.STEPS)}
LETS_THROUGH = {"open": {"COMPASS_ERROR_POLICY": "open"}, "observe": {"COMPASS_MODE": "observe"}}
EMBEDDED = {"COMPASS_ERROR_POLICY": "embedded"}
ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
READER = "src/report/reader.py"
EDIT = {"file_path": READER, "old_string": "a", "new_string": "b"}
SPOKEN = "Make the parser faster"


@dataclass(frozen=True)
class Scenario:
    """A hook call, and what has to have happened before it."""

    event: str = "pre-tool-use"
    tool: str = "Write"
    given: dict[str, Any] | None = None
    env: dict[str, str] = field(default_factory=dict[str, str])
    score: float = 0.95
    blocked_and_released: bool = False
    another_flies: bool = False
    wrote: str = ""
    """A script that the turn has written before."""
    request: str = ""
    settled: bool = False
    """Earlier, for that request."""
    answered: str = ""
    """What the person said to the hold of the same call."""


SCENARIOS = {
    "clear write": Scenario(env=ATTENDED),
    "blocked write": Scenario(score=0.1),
    "released write": Scenario(blocked_and_released=True, env=ATTENDED),
    "unlisted program": Scenario(tool="Bash", given={"command": "frobnicate --all"}),
    "script of the turn": Scenario(tool="Bash", given={"command": "sh build/go.sh"}, wrote="build/go.sh"),
    "test of what nobody judged": Scenario(
        tool="Bash", given={"command": "pytest build"}, wrote="build/conftest.py",
    ),
    "rules past the budget": Scenario(env={"COMPASS_MAX_CHECKS_PER_TURN": "0", "COMPASS_ON_EXHAUSTED": "embedded"}),
    "what was looked up": Scenario(env={"COMPASS_EVIDENCE__LOOKUPS": "targets"}),
    "write that is skipped by its name": Scenario(given={"file_path": "poetry.lock", "content": "a"}),
    "names of a change": Scenario(
        tool="Edit", given={"file_path": "notes.py", "old_string": "a", "new_string": "b"},
        env={"COMPASS_EVIDENCE__SYMBOLS": "true"},
    ),
    "settled before": Scenario(
        tool="Edit", given=EDIT, request=SPOKEN, settled=True, env={"COMPASS_MEMORY__SHARE": "true"},
    ),
    "answered write": Scenario(
        tool="Edit", given=EDIT, request=SPOKEN, answered="the one of the reports", env=ATTENDED,
    ),
    "shared flight": Scenario(another_flies=True),
    "readers down": Scenario(score=-1.0),
    "nested": Scenario(env={"COMPASS_NESTED": "0123456789abcdef"}),
    "deletion that nobody ordered": Scenario(tool="Bash", given={"command": "rm notes.md"}),
    "claude-cli": Scenario(env={"COMPASS_EVALUATOR__BACKEND": "claude-cli"}),
    "commit": Scenario(tool="Bash", given={"command": "git commit -m done"}),
    "session start": Scenario("session-start"),
    "prompt": Scenario("user-prompt-submit"),
    "result": Scenario("post-tool-use"),
    "session end": Scenario("session-end"),
}  # fmt: skip
NO_HOOKS = {"store.check", "store.leave_flight", "memory.precedent", "memory.forget_precedents"}
"""What only commands use, and what only a fault elsewhere reaches."""


class Bench:
    """Hooks judged in this process, in a place of their own."""

    def __init__(self, root: Path, env: dict[str, str] | None = None):
        self.place = place(root, {"COMPASS_EVALUATOR__DAILY_BUDGET_USD": "50", **(env or {})})
        self.place.env["PATH"] = first_on_path(root, "/bin/false")
        self.say("Create notes.txt in this project with a line that says hello to whoever reads it")

    def say(self, *messages: str):
        text = transcript(Exchange(messages), "session-1", "prompt-1")
        (self.place.root / "transcript.jsonl").write_text(text)

    def judge(self, event: str, payload: object = None, env: dict[str, str] | None = None) -> bytes:
        """What the hook would print; nothing may have been printed besides."""
        raw = json.dumps(self.place.payload() if payload is None else payload).encode()
        answers: list[bytes] = []
        with mock.patch.dict(os.environ, {**self.place.environment(), **(env or {})}, clear=True), timers():
            returned = entry.judge(event, raw, answers.append)
        assert answers == []
        return returned

    def play(self, scenario: Scenario, saboteur: Saboteur, env: dict[str, str] | None = None) -> bytes:
        """`env` holds for the last call alone."""
        if scenario.blocked_and_released:
            with Saboteur(score=0.1).at_work():
                assert self.judge("pre-tool-use")
            proceed = "compass: proceed"
            self.say("Create notes.txt", proceed)
            self.judge("user-prompt-submit", self.place.payload(prompt=proceed))
        if scenario.wrote:
            path = self.place.project / scenario.wrote
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("make\n")
            given = {"file_path": str(path), "content": "make\n"}
            for event in ("pre-tool-use", "post-tool-use"):
                self.judge(event, self.place.payload("Write", given, tool_use_id="w"))
        if scenario.request:
            self.prepare(scenario)
        payload = self.place.payload(scenario.tool, scenario.given, prompt="Now do the rest")
        saboteur.score = scenario.score
        saboteur.first_flight_is_anothers = scenario.another_flies
        with saboteur.at_work():
            return self.judge(scenario.event, payload, {**scenario.env, **(env or {})})

    def prepare(self, scenario: Scenario):
        """The request, and what was settled of it before, or is answered now."""
        file = self.place.project / READER
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a\n")
        self.say(scenario.request)
        if scenario.settled:
            state, folder = str(self.place.state / "compass"), str(self.place.project)
            settled = Precedent(
                "01JGFJJZ000000000000000000", recorded_key(state, folder), os.path.realpath(folder), "s", "c",
                time.time(), "clarified", "the parser", "the one of the reports", "fix", READER, "one_file", False,
            )  # fmt: skip
            with closing(open_store(state, now=0.0).store) as store:
                store.keep_precedent(settled)
        if scenario.answered:
            with Saboteur(score=0.1).at_work():
                held = self.place.payload(scenario.tool, scenario.given)
                assert self.judge("pre-tool-use", held, ATTENDED)
            self.say(scenario.request, scenario.answered)
            self.judge("user-prompt-submit", self.place.payload(prompt=scenario.answered), ATTENDED)


@contextmanager
def timers() -> Generator[None]:
    """Ends the watch of each judged hook: at its deadline it would end this very process."""
    made, timer = list[threading.Timer](), threading.Timer

    def watch(*given) -> threading.Timer:
        made.append(timer(*given))
        return made[-1]

    with mock.patch.object(threading, "Timer", watch):
        try:
            yield
        finally:
            for one in made:
                one.cancel()


@pytest.fixture
def bench(tmp_path, monkeypatch):
    found = Bench(tmp_path)
    monkeypatch.chdir(found.place.project)
    return found


@functools.cache
def reached() -> dict[str, set[str]]:
    """Which parts each scenario uses when nothing breaks."""
    found: dict[str, set[str]] = {}
    for name, scenario in SCENARIOS.items():
        with tempfile.TemporaryDirectory() as folder:
            saboteur = Saboteur()
            Bench(Path(folder)).play(scenario, saboteur)
            found[name] = saboteur.came_by
    return found


def scenario_for(part: str) -> Scenario:
    name = next((name for name, parts in reached().items() if part in parts), None)
    assert name is not None, f"no scenario uses {part}: add one"
    return SCENARIOS[name]


def break_step(monkeypatch: pytest.MonkeyPatch, name: str, fault: BaseException, *, worked: bool = False):
    step = pipeline.STEPS[STEPS[name]]

    def raises(run: Run) -> Check | None:
        if worked:
            step(run)
        raise fault.with_traceback(None)

    steps = [raises if one is step else one for one in pipeline.STEPS]
    monkeypatch.setattr(pipeline, "STEPS", tuple(steps))


def assert_known(bench: Bench, fault: BaseException):
    faults = recent_faults(str(bench.place.state / "compass"))
    word = (str(fault).split() or [type(fault).__name__])[0].strip("[]")
    assert any(word in line for line in faults), faults


def assert_denied_and_known(bench: Bench, answer: bytes, fault: BaseException):
    assert "could not check" in (reason_of(answer) or "")
    assert_known(bench, fault)


# Steps


@pytest.mark.spread
@pytest.mark.parametrize(
    ("fault", "worked"),
    [*((fault, False) for fault in FAULTS.values()), (FAULTS["sqlite"], True)],
    ids=[*FAULTS, "after its work"],
)
@pytest.mark.parametrize("step", STEPS)
def test_a_fault_in_any_step_denies_under_the_closed_policy(bench, monkeypatch, step, fault, worked):
    break_step(monkeypatch, step, fault, worked=worked)
    with Saboteur().at_work():
        answer = bench.judge("pre-tool-use")
    assert_denied_and_known(bench, answer, fault)


@pytest.mark.spread
@pytest.mark.parametrize("policy", [*LETS_THROUGH, "embedded"])
@pytest.mark.parametrize("step", STEPS)
def test_a_fault_in_any_step_is_answered_by_each_other_policy(bench, monkeypatch, step, policy):
    fault = FAULTS["RuntimeError"]
    break_step(monkeypatch, step, fault)
    with Saboteur(score=0.1).at_work():
        answer = bench.judge("pre-tool-use", env=LETS_THROUGH.get(policy, EMBEDDED))
    assert answer == b"" or (policy == "embedded" and reason_of(answer) is not None)
    assert_known(bench, fault)


def test_a_fault_under_the_embedded_policy_lets_no_ambiguous_deletion_through_unjudged(bench, monkeypatch):
    """The embedded evaluator stands in, as it does for readers that fail: the policy is stricter than open."""
    break_step(monkeypatch, "spend", FAULTS["sqlite"])
    with Saboteur().at_work():
        assert reason_of(bench.judge("pre-tool-use", deletion(bench.place), EMBEDDED)) is not None


def test_a_fault_frees_what_the_check_held(bench, monkeypatch):
    """The next identical call is judged, and does not wait for a check that has ended."""
    with monkeypatch.context() as here, Saboteur().at_work():
        break_step(here, "read", FAULTS["RuntimeError"])
        assert bench.judge("pre-tool-use")
    began = time.monotonic()
    with Saboteur().at_work():
        assert reason_of(bench.judge("pre-tool-use", env={"COMPASS_DEADLINE_SECONDS": "40"})) is None
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("part", ["store.save_check", "store.land_flight", "store.note_call", "sink.emit"])
def test_a_fault_behind_the_verdict_frees_what_the_check_held(bench, part):
    """Nobody waits for a check that was judged and could not be recorded; one that was recorded is shared."""
    with Saboteur(part=part).at_work():
        assert bench.judge("pre-tool-use")
    with closing(sqlite3.connect(bench.place.state / "compass" / "compass.db")) as connection:
        flying = connection.execute("SELECT count(*) FROM flights WHERE outcome IS NULL").fetchone()
    assert flying == (0,)


def test_the_doctor_names_the_fault_of_a_step(bench, monkeypatch, capsys):
    break_step(monkeypatch, "sanitize", FAULTS["a full disk"])
    with Saboteur().at_work():
        bench.judge("pre-tool-use")
    capsys.readouterr()
    with mock.patch.dict(os.environ, bench.place.environment(), clear=True):
        main(["doctor", "--json"])
    told = {item["name"]: item["detail"] for item in json.loads(capsys.readouterr().out)}["faults"]
    assert "No space left on device" in told and "test_faults_everywhere.py" in told, "with its place"


# Parts


def test_every_part_of_a_check_is_used_by_a_scenario():
    assert set(part_names()) - set().union(*reached().values()) - set(SLOT_ENDS) == NO_HOOKS


PARTS = [name for name in part_names() if name not in NO_HOOKS]
OF_READERS = {"store.issue_token", "store.revoke_token"}
"""Used within a single reader: what breaks there is an invalid sample, judged as any other."""


@pytest.mark.spread
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("part", PARTS)
def test_a_fault_in_any_part_is_answered_by_policy(bench, part, fault):
    scenario = scenario_for(part)
    saboteur = Saboteur(part=part, fault=FAULTS[fault])
    answer = bench.play(scenario, saboteur)
    assert part in saboteur.came_by
    if part in OF_READERS:
        assert reason_of(answer) is not None
    elif scenario.event != "pre-tool-use":
        assert answer == b""
        assert_known(bench, saboteur.fault)
    else:
        assert_denied_and_known(bench, answer, saboteur.fault)


@pytest.mark.spread
@pytest.mark.parametrize("env", LETS_THROUGH.values(), ids=LETS_THROUGH)
@pytest.mark.parametrize("part", PARTS)
def test_a_fault_in_any_part_says_nothing_where_faults_are_let_through(bench, part, env):
    saboteur = Saboteur(part=part)
    assert bench.play(scenario_for(part), saboteur, env) == b""
    if part in saboteur.came_by and part not in OF_READERS:
        assert_known(bench, saboteur.fault)


# What stands around the pipeline

AROUND = {
    "settings": "compass.hook.dispatch.layers.load",
    "project": "hooks.hosts.claude_code.host.ClaudeCode.project_of",
    "environment": "compass.hook.dispatch.adopt",
    "wiring": "compass.hook.dispatch.wire",
    "payload": "hooks.hosts.claude_code.host.ClaudeCode.parse",
    "pending write": "hooks.hosts.claude_code.host.ClaudeCode.pending_write",
    "record": "evaluator.gate.pipeline.record",
    "intervention": "evaluator.gate.holds.hold_back",
    "thread": "threading.Thread.start",
}


@pytest.mark.parametrize("seam", AROUND)
def test_a_fault_around_the_pipeline_denies_under_the_closed_policy(bench, monkeypatch, seam):
    monkeypatch.setattr(AROUND[seam], mock.Mock(side_effect=FAULTS["RuntimeError"]))
    held = bench.place.payload("Bash", {"command": "rm -rf src"})
    assert_denied_and_known(bench, bench.judge("pre-tool-use", held), FAULTS["RuntimeError"])
    read = bench.judge("pre-tool-use", bench.place.payload("Read", {"file_path": "a.py"}))
    assert read == b"" or seam == "payload", "what only reads is let through where the call can be told"


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words for it")


@pytest.mark.parametrize(
    "odd",
    [asyncio.CancelledError("of the readers"), SystemExit(0), UnprintableError()],
    ids=lambda odd: type(odd).__name__,
)
def test_what_is_no_ordinary_exception_is_answered_by_policy_too(bench, odd):
    answer = bench.play(SCENARIOS["clear write"], Saboteur(part="readers.collect", fault=odd))
    assert "could not check" in (reason_of(answer) or "")
