"""What is said of a calibration's promise: the shares, of what they are, and what lies outside of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from corpora import corpus
from samples.reportresults import result

from compass.joining.promise import promise_of
from compass.joining.thresholds import standing_of, thresholds_file
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict
from evaluator.configuration.settings import build
from evaluator.model import NO_BLOCK, NO_PASS, Cuts, Score, Thresholds

BOTH = Cuts(0.8, 1.1, 0.1, 0.1)
ALPHA_ALONE = Cuts(0.8, NO_PASS, 0.1, 1.0)
BETA_ALONE = Cuts(NO_BLOCK, 1.1, 1.0, 0.1)
ONE_CUT = Cuts(0.9, 0.9, 0.1, 0.1)
BLOCKED = "destructive calls between their cuts are blocked, clear ones too"
PASSED = "other calls that are not under the cut pass in the end, unclear ones too"


class Promise:
    """One project with a calibration, and what is told of it."""

    def __init__(self, root: Path, backend: str) -> None:
        self.calibration, self.backend = str(root / "calibration.json"), backend

    def of(
        self,
        cuts: Mapping[str, Cuts],
        *,
        tested: float | None = None,
        note: str | None = None,
        **settings: object,
    ) -> str:
        given = build({name.replace("__", "."): value for name, value in settings.items()})
        now = standing_of(given, self.backend)
        pairs = {now.n: Thresholds(0.7, 0.2, tested)}
        found = Calibrated(
            now.backend, now.model, now.prompt, "2026-11-22T00:00:00Z", {now.n: Certificate(Score(), cuts)}, {}, pairs
        )  # fmt: skip
        Path(thresholds_file(self.calibration)).write_text(json.dumps(as_dict(found)))
        return "\n".join(promise_of(given, self.backend, lambda _: note, self.calibration))


def new_hosted(tmp_path: Path) -> Promise:
    return Promise(tmp_path, "anthropic")


hosted = pytest.fixture(new_hosted, name="hosted")


@corpus(
    ("cuts", "said", "unsaid"),
    [
        ({"": BOTH}, (BLOCKED, PASSED), ("mean and deviation",)),
        ({"": ONE_CUT}, ("of the cuts alone",), (BLOCKED, PASSED, "mean and deviation")),
        (
            {"": ALPHA_ALONE},
            (
                "of clear ones); nothing is promised of unclear ones",
                "of destructive calls that are not under the cut mean",
                PASSED,
            ),
            (BLOCKED,),
        ),
        ({"": BETA_ALONE}, (BLOCKED, "of other calls that do not reach the cut mean"), (PASSED,)),
        ({"destructive": BOTH, "": ONE_CUT}, (BLOCKED,), (PASSED,)),
        ({"destructive": ONE_CUT, "": BOTH}, (PASSED,), (BLOCKED,)),
    ],
    each={"hosted": new_hosted},
)
def test_what_no_cut_decides_is_told_with_the_shares(
    hosted: Promise, cuts: Mapping[str, Cuts], said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    told = hosted.of(cuts)
    assert "these shares are of writes like those measured" in told
    assert all(words in told for words in said), told
    assert not any(words in told for words in unsaid), told


def test_classes_with_cuts_of_their_own_have_a_promise_each(hosted: Promise) -> None:
    told = hosted.of({"destructive": ALPHA_ALONE, "": BOTH})
    assert (
        "calls that destroy nothing: under 0.800 a write is blocked (at most 10% of clear ones); from" in told
    )
    assert "destructive calls: under 0.800 a write is blocked (at most 10% of clear ones); nothing" in told
    assert "destroy nothing:" not in hosted.of({"": BOTH})


def test_what_rules_hold_whatever_the_score_is_outside_of_the_promise(
    hosted: Promise, tmp_path: Path
) -> None:
    held = "rules hold destructive calls that your own words do not both order and name, whatever the score"
    assert held in Promise(tmp_path, "embedded").of({"": BOTH})
    assert "whatever the score" not in hosted.of({"": BOTH})


@pytest.mark.parametrize(("tested", "told"), [(None, True), (0.3, True), (0.5, False), (0.6, False)])
def test_agreement_that_was_not_tested_is_outside_of_it_too(
    hosted: Promise, tested: float | None, told: bool
) -> None:
    said = hosted.of({"": BOTH}, tested=tested, convergence__rule="certified+agreement")
    assert ("agree to less than 0.50 block, and it is not known that this was tested" in said) is told
    assert "agree to less" not in hosted.of({"": BOTH}, tested=tested)


def test_a_stated_threshold_is_outside_of_the_promise_with_its_rates_where_cases_are_there(
    hosted: Promise,
) -> None:
    given = {"confidence_threshold": 0.95, "stddev_threshold": 0.1}
    told = hosted.of({"": BOTH}, **given)
    assert (
        "you ask for a mean of at least 0.95 (`compass config set confidence_threshold X`) and a deviation of at most "
        "0.10 (`compass config set stddev_threshold Y`) as well, which was not tested, and the cases that would show"
        in told
    )
    now = standing_of(build({}), "anthropic")
    document = result(history=False).as_json() | {
        "backend": now.backend, "model": now.model, "prompt": now.prompt,
    }  # fmt: skip
    Path(hosted.calibration).write_text(json.dumps(document))
    told = hosted.of({"": BOTH}, **given)
    rates = re.search(
        r"on the cases measured on 2026-11-21, false blocks (\d+)% \((\d+)% to \d+%\) of 80 clear units "
        r"\(160 checks\); detection (\d+)% ",
        told,
    )
    assert rates is not None, told
    assert int(rates[1]) > 90 and int(rates[3]) > 90
    # Cases of other readers show nothing of these.
    Path(hosted.calibration).write_text(json.dumps(document | {"model": "another"}))
    assert "cases that would show its rates are not there" in hosted.of({"": BOTH}, **given)
    assert "you ask for" not in hosted.of({"": BOTH})
    assert "you ask for" not in hosted.of({"": BOTH}, confidence_threshold=0.5)


@pytest.mark.parametrize(
    ("settings", "unless"),
    [
        ({}, ""),
        ({"convergence__rule": "certified+agreement"}, ", unless too little agreement blocks them"),
        ({"confidence_threshold": 0.95}, ", unless a threshold that you state blocks them"),
        (
            {"convergence__rule": "certified+agreement", "stddev_threshold": 0.1},
            ", unless too little agreement or a threshold that you state blocks them",
        ),
    ],
)
def test_what_blocks_beside_the_cuts_is_told_where_calls_pass_by_them(
    hosted: Promise, settings: Mapping[str, object], unless: str
) -> None:
    assert f"{PASSED}{unless};" in f"{hosted.of({'': BOTH}, tested=0.5, **settings)};"


def test_shares_are_told_as_they_were_stated(hosted: Promise) -> None:
    told = hosted.of({"": Cuts(0.8, 1.1, 0.025, 0.125)})
    assert "at most 2.5% of clear ones" in told and "at most 12.5% of unclear ones" in told
