"""The doctor's finding on the breaker to the readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import corpus

from compass.cli import main
from compass.composition.settings import load
from compass.doctor.finding import Finding, Situation
from compass.doctor.outages import breaker
from compass.install.installation import Site
from evaluator.breaker import Closed, HalfOpen, Open, key_of, rules_of
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.keys import Settings
from evaluator.state.store import Store, open_store

NOW = 1_735_732_800.0


class Machine:
    """One project on a machine whose state is under `home`; settings by COMPASS_* variables."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.env = {
            "ANTHROPIC_API_KEY": "x",
            "COMPASS_EVALUATOR__BACKEND": "anthropic",
            "COMPASS_ENABLED": "true",
        }

    def situation(self, now: float = NOW) -> Situation:
        project = str(self.home / "project")
        site = Site(self.env, str(self.home), project, "/usr/bin/python3", "/nowhere")
        return Situation(site, load(self.env, str(self.home), project), (), now)

    def found(self, now: float = NOW) -> Finding:
        return breaker(self.situation(now))

    def store(self) -> Store:
        return open_store(self.situation().site.state_dir, now=NOW).store

    def settings(self) -> Settings:
        return self.situation().settings

    def key(self) -> str:
        address = kind_of("anthropic").address(self.settings(), self.env)
        return key_of("anthropic", address, self.settings().evaluator.model)

    def fail(self, times: int, at: float = NOW) -> None:
        store = self.store()
        for _ in range(times):
            store.report(self.key(), rules_of(self.settings()), at, "failure", None)
        store.close()


def new_machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


machine = pytest.fixture(new_machine, name="machine")

API = "anthropic at the public API, claude-haiku-4-5-20251001"


def env(**said: str) -> dict[str, str]:
    return {f"COMPASS_{name}": value for name, value in said.items()}


@corpus(
    ("failures", "later", "changes", "ok", "parts"),
    [
        (2, 0, {}, True, [f"closed, 2 failures in a row for {API}"]),
        (3, 60, {
            "ANTHROPIC_BASE_URL": "http://me:secret@127.0.0.1:9/v1?k=secret",
            **env(CIRCUIT_BREAKER__OPEN_BEHAVIOR="fail_open"),
        }, False, ["open since 20", ", until 20", "anthropic at http://127.0.0.1:9/v1, claude-haiku",
                   "calls pass unjudged"]),
        (3, 0, env(CIRCUIT_BREAKER__OPEN_BEHAVIOR="embedded"), True, ["rules stand in"]),
        (3, 0, {}, True, ["writes are held"]),
        (3, 0, env(ERROR_POLICY="open"), False, ["open since"]),
        (3, 0, env(ERROR_POLICY="open", ENABLED="false"), True, ["open since"]),
        (3, 300, {}, True, ["the next call probes the readers"]),
        (3, 0, env(EVALUATOR__BACKEND="embedded"), True, ["none needed"]),
        (3, 0, env(CIRCUIT_BREAKER__ENABLED="false"), True, ["off by circuit_breaker.enabled"]),
        (0, 0, {"ANTHROPIC_API_KEY": "", **env(EVALUATOR__BACKEND="auto")}, True, ["none needed"]),
    ],
    each={"machine": new_machine},
)  # fmt: skip
def test_what_the_breaker_does_is_told_and_fails_where_calls_pass_unjudged(
    machine: Machine, failures: int, later: float, changes: dict[str, str], ok: bool, parts: list[str]
) -> None:
    machine.env |= changes
    machine.fail(failures)
    found = machine.found(NOW + later)
    assert found.ok is ok
    assert all(part in found.detail for part in parts) and "secret" not in found.detail, found.detail


def test_without_a_database_the_breaker_is_closed_and_none_is_made(machine: Machine) -> None:
    found = machine.found()
    assert found.ok and found.detail == f"closed for {API}"
    assert list(machine.home.iterdir()) == []


def test_looking_changes_nothing(machine: Machine) -> None:
    machine.fail(3)
    machine.found(NOW - 1e6)
    machine.found(NOW + 1e6)
    assert machine.store().breaker(machine.key()) == Open(NOW)


def test_a_probe_under_way_is_told(machine: Machine) -> None:
    machine.env["COMPASS_ERROR_POLICY"] = "open"
    machine.fail(3)
    store = machine.store()
    store.admit(machine.key(), rules_of(machine.settings()), NOW + 300)
    assert isinstance(store.breaker(machine.key()), HalfOpen)
    found = machine.found(NOW + 301)
    assert not found.ok
    assert found.detail.startswith("half-open, a probe is out since ")


def test_another_line_is_not_this_project_s_concern(machine: Machine) -> None:
    machine.fail(3)
    machine.env["COMPASS_EVALUATOR__MODEL"] = "another"
    assert machine.found().detail == "closed for anthropic at the public API, another"


def test_a_database_that_cannot_tell_is_left_to_its_own_finding(machine: Machine) -> None:
    folder = Path(machine.situation().site.state_dir)
    machine.fail(3)
    (folder / "compass.db").unlink()
    (folder / "compass.db").write_bytes(b"no database" * 1000)
    assert machine.found().detail == "not known: see the finding on the database"
    assert machine.store().breaker(machine.key()) == Closed()


def test_the_doctor_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "onlooker"))
    monkeypatch.chdir(tmp_path)
    main(["doctor", "--json"])
    findings = {item["name"]: item for item in json.loads(capsys.readouterr().out)}
    assert findings["circuit"]["ok"]
