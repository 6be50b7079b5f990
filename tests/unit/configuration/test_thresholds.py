"""The cuts that hold: what somebody states, what was calibrated here, and what a team committed once it is trusted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus

from compass.cli import main
from compass.composition.settings import load
from compass.composition.thresholds import is_calibrated, readers_now, rule_of
from evaluator.gate.run import Rule
from evaluator.model import Thresholds
from evaluator.settings.layers import Loaded, calibration_file, thresholds_file
from evaluator.verdict.calibrated_thresholds import Calibrated, calibrated_as_dict

READERS = {"anthropic": {"backend": "anthropic", "n": 5}, "embedded": {"backend": "embedded"}}


class Place:
    def __init__(self, root: Path, backend: str) -> None:
        self.home, self.project, self.backend = root / "home", root / "project", backend
        self.project.mkdir()
        self.env = {"HOME": str(self.home)}
        self.committed = self.project / ".compass/thresholds.json"
        self.states()

    def states(self, **values: object) -> None:
        self.put(
            self.home / ".claude/settings.json", {"compass": {"evaluator": READERS[self.backend], **values}}
        )

    def project_states(self, threshold: float) -> None:
        self.put(self.project / ".compass/settings.json", {"compass": {"confidence_threshold": threshold}})

    def put(self, path: Path, values: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))

    def load(self) -> Loaded:
        return load(self.env, str(self.home), str(self.project))

    def measured(self, confidence: float, n: int | None = None, **changes: Any) -> dict[str, object]:
        now = readers_now(self.load().settings, self.backend)
        cuts = {"reversible": Thresholds(confidence, 1.0, alpha=0.1)}
        given = {"backend": now.backend, "model": now.model, "prompt": now.prompt, **changes}
        return calibrated_as_dict(Calibrated(**given, date="2026-01-02T03:04:05Z", per_n={n or now.n: cuts}))

    def commits(self, confidence: float, **changes: Any) -> None:
        self.put(self.committed, self.measured(confidence, **changes))

    @property
    def own(self) -> Path:
        return Path(thresholds_file(self.env, str(self.home), str(self.project)))

    @property
    def calibration(self) -> str:
        return calibration_file(self.env, str(self.home), str(self.project))

    @property
    def rule(self) -> Rule:
        return rule_of(self.load().settings, self.backend, self.calibration)

    @property
    def confidence(self) -> float:
        """What a check of a reversible call is held against here."""
        return self.rule.reversible.confidence


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, "anthropic")


@pytest.mark.parametrize(
    ("users", "projects", "measured", "held"),
    [
        (None, None, 0.4, 0.4),
        (None, None, 0.7, 0.7),
        # Looser than the default is the user's to state, and holds.
        (0.35, None, 0.4, 0.35),
        (0.35, None, 0.7, 0.35),
        # Else the stricter of both does.
        (0.5, None, 0.4, 0.5),
        (0.6, None, 0.7, 0.7),
        (None, 0.5, 0.4, 0.5),
        (None, 0.55, 0.7, 0.7),
        (0.6, 0.55, 0.4, 0.6),
        # A project's number that is under those of its user's stakes counts for nothing.
        (None, 0.3, 0.35, 0.35),
    ],
)
def test_what_somebody_states_is_held_beside_what_was_measured(
    place: Place, users: float | None, projects: float | None, measured: float, held: float
) -> None:
    place.put(place.own, place.measured(measured))
    if users is not None:
        place.states(confidence_threshold=users)
    if projects is not None:
        place.project_states(projects)
    assert place.confidence == held


def test_one_number_counts_for_all_stakes_and_each_has_one_of_its_own(place: Place) -> None:
    place.states(confidence_by_stakes={"irreversible": 0.8})
    rule = place.rule
    assert (rule.reversible.confidence, rule.irreversible.confidence) == (0.4, 0.8)
    place.project_states(0.7)
    assert place.load().problems, "it would be looser for what cannot be taken back"
    assert place.rule == rule
    place.project_states(0.9)
    assert (place.rule.reversible.confidence, place.rule.irreversible.confidence) == (0.9, 0.9)


@pytest.mark.parametrize(("n", "decides"), [(5, True), (3, False)])
def test_what_does_not_decide_is_not_calibrated(place: Place, n: int, decides: bool) -> None:
    place.put(place.own, place.measured(0.8, n))
    assert is_calibrated(place.load().settings, "anthropic", place.calibration) is decides


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path, "embedded")
    for name in list(os.environ):
        if name.startswith(("COMPASS_", "ONLOOKER_", "CLAUDE", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.chdir(made.project)
    made.committed.parent.mkdir()
    return made


@pytest.fixture
def trust(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str, code: int = 0) -> Any:
        capsys.readouterr()
        assert main(["trust", *words]) == code
        return capsys.readouterr()

    return call


def test_a_teams_count_once_trusted_and_only_as_they_were(team: Place, trust: Any) -> None:
    usual = team.confidence
    team.commits(0.41)
    assert team.confidence == usual, "not read at all"
    said = trust().out
    assert ".compass/thresholds.json, measured 2026-01-02" in said
    assert "with 1 readers, reversible calls: a mean of at least 0.41 (by default 0.40)" in said
    assert team.confidence == 0.41 and team.own.stat().st_mode & 0o777 == 0o600
    team.commits(0.22)
    assert team.confidence == 0.41, "what was committed since is not trusted"
    assert json.loads(trust("--json").out)["thresholds"] is True
    assert team.confidence == 0.22
    assert "trusted already" in trust().out
    team.committed.unlink()
    assert team.confidence == 0.22
    assert "have been deleted" in trust("--revoke").out
    assert team.confidence == usual
    team.commits(0.41, model="another")
    trust()
    assert team.confidence == usual, "of other readers"


def test_cuts_of_ones_own_are_kept(team: Place, trust: Any) -> None:
    team.commits(0.41)
    team.put(team.own, team.measured(0.57))
    assert "your own are kept" in trust().out
    trust("--revoke")
    assert team.confidence == 0.57


@corpus("text", ["", "[]", '{"version": 2, "per_n": 3}', "[" * 70_000, "a pipe"])
def test_what_cannot_be_used_cannot_be_trusted(team: Place, trust: Any, text: str) -> None:
    team.committed.unlink(missing_ok=True)
    if text == "a pipe":
        os.mkfifo(team.committed)
    else:
        team.committed.write_text(text)
    assert str(team.committed) in trust(code=1).err
    assert not team.own.exists()
