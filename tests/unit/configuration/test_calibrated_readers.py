"""What somebody states, and what was calibrated for the readers in force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compass.composition.settings import load
from compass.composition.thresholds import is_calibrated, rule_of, standing_of, thresholds_file
from evaluator.calibrated import Calibrated, as_dict
from evaluator.model import Thresholds
from evaluator.settings.layers import Loaded, calibration_file

CUT = Thresholds(0.8, 1.0, alpha=0.1)
USERS = {"backend": "anthropic", "n": 5}


class Place:
    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.env = {"HOME": str(self.home)}
        self.put(self.home / ".claude/settings.json", {"compass": {"evaluator": USERS}})

    def put(self, path: Path, values: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))

    def calibrate(self, *, cuts: tuple[int, ...] = (3, 5), cut: Thresholds = CUT, **changes: Any) -> None:
        now = standing_of(self.load().settings, "anthropic")
        given = {"backend": now.backend, "model": now.model, "prompt": now.prompt, **changes}
        found = Calibrated(**given, date="2026-11-22T00:00:00Z", per_n={n: {"reversible": cut} for n in cuts})
        self.put(Path(thresholds_file(self.calibration)), as_dict(found))

    @property
    def calibration(self) -> str:
        return calibration_file(self.env, str(self.home), str(self.project))

    def load(self, **env: str) -> Loaded:
        return load(self.env | env, str(self.home), str(self.project))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    found.project.mkdir()
    return found


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
        (None, 0.55, 0.4, 0.55),
        (None, 0.55, 0.7, 0.7),
        (0.6, 0.55, 0.4, 0.6),
        # A project's number that is under those of its user's stakes counts for nothing.
        (None, 0.3, 0.35, 0.35),
    ],
)
def test_what_somebody_states_is_held_beside_what_was_measured(
    place: Place, users: float | None, projects: float | None, measured: float, held: float
) -> None:
    place.calibrate(cuts=(5,), cut=Thresholds(measured, 1.0, alpha=0.1))
    if users is not None:
        place.put(
            place.home / ".claude/settings.json",
            {"compass": {"confidence_threshold": users, "evaluator": USERS}},
        )
    if projects is not None:
        place.put(place.project / ".compass/settings.json", {"compass": {"confidence_threshold": projects}})
    rule = rule_of(place.load().settings, "anthropic", place.calibration)
    assert rule.reversible.confidence == held


def test_one_number_counts_for_all_stakes_and_each_has_one_of_its_own(place: Place) -> None:
    place.put(
        place.home / ".claude/settings.json",
        {"compass": {"confidence_by_stakes": {"irreversible": 0.8}, "evaluator": USERS}},
    )
    rule = rule_of(place.load().settings, "anthropic", place.calibration)
    assert (rule.reversible.confidence, rule.irreversible.confidence) == (0.4, 0.8)
    place.put(place.project / ".compass/settings.json", {"compass": {"confidence_threshold": 0.7}})
    found = place.load()
    assert found.problems, "it would be looser for what cannot be taken back"
    assert rule_of(found.settings, "anthropic", place.calibration) == rule
    place.put(place.project / ".compass/settings.json", {"compass": {"confidence_threshold": 0.9}})
    rule = rule_of(place.load().settings, "anthropic", place.calibration)
    assert (rule.reversible.confidence, rule.irreversible.confidence) == (0.9, 0.9)


@pytest.mark.parametrize(("cuts", "decides"), [((5,), True), ((3,), False)])
def test_what_does_not_decide_is_not_calibrated(place: Place, cuts: tuple[int, ...], decides: bool) -> None:
    place.calibrate(cuts=cuts)
    assert is_calibrated(place.load().settings, "anthropic", place.calibration) is decides
