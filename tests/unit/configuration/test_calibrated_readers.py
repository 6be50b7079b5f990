"""A project's number of readers does not take its user's calibrated thresholds out of force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus

from compass.joining.surroundings import load
from compass.joining.thresholds import is_calibrated, rule_of, standing_of, thresholds_file
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict
from evaluator.configuration.loading import Loaded, calibration_file
from evaluator.model import Cuts, Score, Thresholds

CERTIFICATE = Certificate(Score(), {"": Cuts(0.8, 1.1, 0.1, 0.1)})
PAIR = Thresholds(0.8, 0.1)
USERS = {"backend": "anthropic", "n": 5}


class Place:
    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.env = {"HOME": str(self.home)}
        self.put(self.home / ".claude/settings.json", {"compass": {"evaluator": USERS}})

    def put(self, path: Path, values: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))

    def states(self, whose: Path, confidence: float, deviation: float, **more: object) -> None:
        pair = {"confidence_threshold": confidence, "stddev_threshold": deviation}
        self.put(whose, {"compass": {**pair, **more}})

    def projects(self, n: int, file: str = ".compass/settings.json") -> None:
        self.put(self.project / file, {"compass": {"evaluator": {"n": n}}})

    def calibrate(
        self,
        *,
        cuts: tuple[int, ...] = (3, 5),
        pairs: tuple[int, ...] = (),
        pair: Thresholds = PAIR,
        **changes: Any,
    ) -> None:
        now = standing_of(self.load().settings, "anthropic")
        given = {"backend": now.backend, "model": now.model, "prompt": now.prompt, **changes}
        found = Calibrated(
            **given,
            date="2026-11-22T00:00:00Z",
            per_n=dict.fromkeys(cuts, CERTIFICATE),
            sequential={},
            thresholds=dict.fromkeys(pairs, pair),
        )
        self.put(Path(thresholds_file(self.calibration)), as_dict(found))

    @property
    def calibration(self) -> str:
        return calibration_file(self.env, str(self.home), str(self.project))

    def load(self, **env: str) -> Loaded:
        return load(self.env | env, str(self.home), str(self.project))


def new_place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    found.project.mkdir()
    return found


place = pytest.fixture(new_place, name="place")


@corpus(
    ("cuts", "pairs", "n", "counts"),
    [
        ((3, 5), (), 7, 5),
        ((), (5,), 7, 5),
        ((5,), (5, 7), 7, 5),
        ((5, 7), (5,), 7, 5),
        # What is calibrated for that number too may be looser.
        ((5, 7), (), 7, 5),
        ((5, 7), (5, 7), 7, 5),
        ((7,), (5, 7), 7, 5),
        # Nor is there anything to leave.
        ((3,), (), 7, 7),
        ((), (), 7, 7),
    ],
    each={"place": new_place},
)
def test_a_project_does_not_leave_the_number_that_thresholds_are_calibrated_for(
    place: Place, cuts: tuple[int, ...], pairs: tuple[int, ...], n: int, counts: int
) -> None:
    place.calibrate(cuts=cuts, pairs=pairs)
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
    assert rule.certified if 5 in cuts else rule.thresholds == PAIR


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


@corpus(
    ("users", "projects", "measured", "held"),
    [
        ((0.62, 0.30), None, (0.50, 0.35), (0.62, 0.30)),
        ((0.62, 0.30), (0.65, 0.20), (0.50, 0.35), (0.65, 0.20)),
        ((0.62, 0.30), (0.65, 0.20), (0.70, 0.10), (0.70, 0.10)),
        ((0.62, 0.30), (0.63, 0.25), (0.50, 0.35), (0.63, 0.25)),
        ((0.65, 0.20), None, (0.50, 0.35), (0.65, 0.20)),
        (None, None, (0.50, 0.35), (0.50, 0.35)),
        (None, (0.65, 0.20), (0.50, 0.35), (0.65, 0.20)),
        (None, (0.66, 0.19), (0.50, 0.35), (0.66, 0.19)),
    ],
    each={"place": new_place},
)
def test_a_default_that_somebody_states_is_held_beside_what_was_measured(
    place: Place,
    users: tuple[float, float] | None,
    projects: tuple[float, float] | None,
    measured: tuple[float, float],
    held: tuple[float, float],
) -> None:
    place.calibrate(cuts=(), pairs=(5,), pair=Thresholds(*measured))
    if users is not None:
        place.states(place.home / ".claude/settings.json", *users, evaluator=USERS)
    if projects is not None:
        place.states(place.project / ".compass/settings.json", *projects)
    rule = rule_of(place.load().settings, "anthropic", place.calibration)
    assert (rule.thresholds.confidence, rule.thresholds.deviation) == held


@corpus(
    ("rule", "cuts", "pairs", "decides"),
    [
        ("score", (), (5,), True),
        ("score", (5,), (), False),
        ("score", (), (3,), False),
        ("certified", (5,), (), True),
        # A pair that was not tested with agreement holds nothing looser, so none of it is what was calibrated.
        ("score+agreement", (), (5,), False),
        ("certified+agreement", (5,), (), True),
    ],
    each={"place": new_place},
)
def test_what_does_not_decide_is_not_calibrated(
    place: Place, rule: str, cuts: tuple[int, ...], pairs: tuple[int, ...], decides: bool
) -> None:
    place.calibrate(cuts=cuts, pairs=pairs)
    settings = place.load(COMPASS_CONVERGENCE__RULE=rule).settings
    assert is_calibrated(settings, "anthropic", place.calibration) is decides


def test_a_project_does_not_ask_for_more_answers_than_there_are(place: Place) -> None:
    place.put(place.project / ".compass/settings.json", {"compass": {"evaluator": {"min_valid_samples": 31}}})
    found = place.load()
    assert found.settings.evaluator.min_valid_samples == 3
    assert "only the user may set this key" in " ".join(found.problems)
