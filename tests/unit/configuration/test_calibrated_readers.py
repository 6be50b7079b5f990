"""A project's number of readers does not take its user's calibrated thresholds out of force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compass.joining.surroundings import load
from compass.joining.thresholds import rule_of, standing_of, thresholds_file
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

    def projects(self, n: int, file: str = ".compass/settings.json") -> None:
        self.put(self.project / file, {"compass": {"evaluator": {"n": n}}})

    def calibrate(
        self, *, cuts: tuple[int, ...] = (3, 5), pairs: tuple[int, ...] = (), **changes: Any
    ) -> None:
        now = standing_of(self.load().settings, "anthropic")
        given = {"backend": now.backend, "model": now.model, "prompt": now.prompt, **changes}
        found = Calibrated(
            **given,
            date="2026-11-22T00:00:00Z",
            per_n=dict.fromkeys(cuts, CERTIFICATE),
            sequential={},
            thresholds=dict.fromkeys(pairs, PAIR),
        )
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
    ("cuts", "pairs", "n", "counts"),
    [
        ((3, 5), (), 7, 5),
        ((), (5,), 7, 5),
        ((5,), (5, 7), 7, 5),
        ((5, 7), (5,), 7, 5),
        # What is calibrated for that number too is no way out.
        ((5, 7), (), 7, 7),
        ((5, 7), (5, 7), 7, 7),
        # Nor is there anything to leave.
        ((3,), (), 7, 7),
        ((), (), 7, 7),
    ],
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
    assert rule.certified if cuts else rule.thresholds == PAIR


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
