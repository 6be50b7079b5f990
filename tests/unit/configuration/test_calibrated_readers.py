"""A project's number of readers does not take its user's calibrated thresholds out of force."""

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

    def projects(self, n: int, file: str = ".compass/settings.json") -> None:
        self.put(self.project / file, {"compass": {"evaluator": {"n": n}}})

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
    ("cuts", "n", "counts"),
    [
        ((3, 5), 7, 5),
        # What is calibrated for that number too may be looser.
        ((5, 7), 7, 5),
        # Nor is there anything to leave.
        ((3,), 7, 7),
        ((), 7, 7),
    ],
)
def test_a_project_does_not_leave_the_number_that_thresholds_are_calibrated_for(
    place: Place, cuts: tuple[int, ...], n: int, counts: int
) -> None:
    place.calibrate(cuts=cuts)
    place.projects(n)
    found = place.load()
    assert found.settings.evaluator.n == found.values["evaluator.n"] == counts
    if counts == n:
        assert not found.problems
        return
    (said,) = found.problems
    assert ".compass/settings.json: evaluator.n: thresholds are calibrated for 5 readers, not for 7" in said
    assert found.origins["evaluator.n"] == str(place.home / ".claude/settings.json")
    rule = rule_of(found.settings, "anthropic", place.calibration)
    assert rule.reversible == CUT


@pytest.mark.parametrize("changes", [{"model": "another"}, {"prompt": "0" * 16}, {"backend": "openai"}])
def test_one_that_does_not_hold_keeps_no_project_from_more_readers(
    place: Place, changes: dict[str, str]
) -> None:
    place.calibrate(**changes)
    place.projects(7)
    found = place.load()
    assert (found.settings.evaluator.n, found.problems) == (7, ())


def test_a_file_that_cannot_be_used_keeps_none_either(place: Place) -> None:
    place.calibrate()
    Path(thresholds_file(place.calibration)).write_text("{")
    place.projects(7)
    assert place.load().settings.evaluator.n == 7


def test_every_layer_of_the_project_is_left_out_and_the_users_variable_is_not(place: Place) -> None:
    place.calibrate()
    place.projects(7)
    place.projects(9, ".claude/settings.json")
    assert place.load().settings.evaluator.n == 5
    found = place.load(COMPASS_EVALUATOR__N="9")
    assert (found.settings.evaluator.n, found.origins["evaluator.n"]) == (9, "environment")
    assert not found.problems


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


def test_a_project_does_not_ask_for_more_answers_than_there_are(place: Place) -> None:
    place.put(place.project / ".compass/settings.json", {"compass": {"evaluator": {"min_valid_samples": 31}}})
    found = place.load()
    assert found.settings.evaluator.min_valid_samples == 3
    assert "only the user may set this key" in " ".join(found.problems)
