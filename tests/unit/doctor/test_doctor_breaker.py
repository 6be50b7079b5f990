"""The doctor's finding on the breaker to the readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compass.cli import main
from compass.composition.settings import load
from compass.doctor.finding import Finding, Situation
from compass.doctor.outages import breaker
from compass.install.site import Site
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


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_a_database_the_breaker_is_closed_and_none_is_made(machine: Machine) -> None:
    found = machine.found()
    assert found.ok
    assert found.detail == "closed for anthropic at the public API, claude-haiku-4-5-20251001"
    assert list(machine.home.iterdir()) == []


def test_failures_in_a_row_are_counted_out(machine: Machine) -> None:
    machine.fail(2)
    assert machine.found() == Finding(
        "circuit",
        True,
        "closed, 2 failures in a row for anthropic at the public API, claude-haiku-4-5-20251001",
    )


def test_an_open_breaker_fails_and_tells_since_until_and_which(machine: Machine) -> None:
    machine.env["ANTHROPIC_BASE_URL"] = "http://me:secret@127.0.0.1:9/v1?k=secret"
    machine.env["COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR"] = "fail_open"
    machine.fail(3)
    found = machine.found(NOW + 60)
    assert not found.ok
    assert "open since 20" in found.detail
    assert ", until 20" in found.detail
    assert "anthropic at http://127.0.0.1:9/v1, claude-haiku" in found.detail
    assert "calls pass unjudged" in found.detail
    assert "secret" not in found.detail


def test_looking_changes_nothing(machine: Machine) -> None:
    machine.fail(3)
    machine.found(NOW - 1e6)
    machine.found(NOW + 1e6)
    assert machine.store().breaker(machine.key()) == Open(NOW)


def test_an_open_breaker_is_fine_where_somebody_stands_in_or_nothing_is_gated(machine: Machine) -> None:
    machine.fail(3)
    machine.env["COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR"] = "embedded"
    found = machine.found()
    assert found.ok
    assert "rules stand in" in found.detail
    del machine.env["COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR"]
    found = machine.found()
    assert found.ok and "writes are held" in found.detail, "closed, unless the user set it"
    machine.env["COMPASS_ERROR_POLICY"] = "open"
    assert not machine.found().ok
    machine.env["COMPASS_ENABLED"] = "false"
    assert machine.found().ok


def test_a_breaker_whose_time_is_over_waits_for_the_next_call(machine: Machine) -> None:
    machine.fail(3)
    found = machine.found(NOW + 300)
    assert found.ok
    assert found.detail.endswith("the next call probes the readers")


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


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("COMPASS_EVALUATOR__BACKEND", "embedded", "none needed"),
        ("COMPASS_CIRCUIT_BREAKER__ENABLED", "false", "off by circuit_breaker.enabled"),
    ],
)
def test_where_no_breaker_is_in_use_that_is_said(machine: Machine, name: str, value: str, said: str) -> None:
    machine.fail(3)
    machine.env[name] = value
    found = machine.found()
    assert found.ok
    assert found.detail.startswith(said)


def test_auto_without_a_credential_needs_none(machine: Machine) -> None:
    machine.env = {"COMPASS_ENABLED": "true"}
    assert machine.found().detail.startswith("none needed")


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
