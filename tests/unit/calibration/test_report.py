"""The terminal's report of a calibration: the result's own figures, plots of text, plain when piped."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console
from samples.reportresults import empty, result

from calibration.measurement.result import Result
from calibration.report.check import baseline_of, compared
from calibration.report.printable import printable
from calibration.report.terminal import BINS, curve, histogram, show
from calibration.report.text import floor_meaning, mistakes, rate, score, verdict
from calibration.stats.estimate import Estimate, TooLittle

STEPS = " ▁▂▃▄▅▆▇█"
HOSTILE = "\x1b[2J\x07[red]x[/red]\u202e\r\n<b>"


def shown(found: Result, *, encoding: str = "utf-8", terminal: bool = False) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    show(Console(file=file, highlight=False, force_terminal=terminal, width=100), found)
    return raw.getvalue().decode(encoding)


def test_the_verdict_states_the_recommended_pair_its_guarantee_and_both_rates() -> None:
    found = result()
    said = verdict(found)
    assert said.useful
    assert said.headline.startswith("Ask for a mean of at least 0.52 and a deviation of at most 0.26")
    assert "at most 10% of clear requests are then blocked (95% sure)" in said.headline
    assert "3% (1% to 10%) of the clear cases are blocked" in said.details[0]
    assert "a mean of at least 0.65" in said.details[1]


def test_too_little_data_is_said_and_nothing_is_recommended() -> None:
    said = verdict(result(7))
    assert not said.useful
    assert "7 clear units; a target of 10% needs at least 29" in said.headline
    assert floor_meaning(result(7)) == (
        "The noise floor cannot be stated: too little data: 7 clear units, 10 needed."
    )


def test_thresholds_that_catch_next_to_nothing_are_not_praised() -> None:
    said = verdict(result(40, clear=0.66, ambiguous=0.64))
    assert not said.useful and "They catch next to nothing" in said.headline


@pytest.mark.parametrize(
    ("clear", "where", "share"),
    [(0.66, "inside its interval", "between 25 and 50%"), (0.9, "below it", "fewer than 5%"),
     (0.4, "above it", "more than 95%")],
)  # fmt: skip
def test_the_floor_is_set_against_the_threshold_in_force(clear: float, where: str, share: str) -> None:
    said = floor_meaning(result(60, clear=clear))
    assert f"0.65, lies {where}; {share} of clear checks score under it." in said


def test_a_figure_has_its_interval_and_one_that_could_not_be_had_says_why() -> None:
    assert rate(Estimate(0.1, 0.0, 0.256, 12, 10)) == "10% (0% to 26%)"
    assert score(TooLittle("clear units", 3, 10)) == "too little data: 3 clear units, 10 needed"
    assert rate(None) == "not measured"


def test_the_cases_it_got_most_wrong_come_worst_first() -> None:
    blocked, missed = mistakes(result())
    assert {case.id.partition("-")[0] for case in blocked} == {"clear"}
    assert {case.id.partition("-")[0] for case in missed} == {"ambiguous"}
    assert [case.mean for case in blocked] == sorted(case.mean for case in blocked)
    assert [case.mean for case in missed] == sorted((case.mean for case in missed), reverse=True)


def test_a_histogram_has_a_character_a_bin_and_shows_a_single_check() -> None:
    drawn = histogram([0.0] * 100 + [1.0], 1.0, STEPS)
    assert len(drawn) == BINS
    assert (drawn[0], drawn[-1], drawn.strip("█▁")) == ("█", "▁", " " * (BINS - 2))


def test_the_curve_runs_from_no_blocks_to_all_and_stays_on_its_grid() -> None:
    drawn = curve([(0.0, 0.0), (0.0, 0.5), (0.25, 1.0), (1.0, 1.0)])
    grid = [line[6:] for line in drawn if "|" in line]
    assert grid[0].endswith("*") and grid[-1].startswith("*")
    assert len({len(line) for line in grid}) == 1
    perfect = [line[6:] for line in curve([(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)]) if "|" in line]
    assert set(perfect[0]) == {"*"} and all(line[0] == "*" for line in perfect)


def test_all_parts_are_shown_and_a_pipe_gets_no_escapes() -> None:
    said = shown(result())
    for title in (
        "The noise floor", "Distribution of means", "Distribution of deviations", "Telling clear from ambiguous",
        "What other numbers of readers would give", "The symbolic layer's errors",
        "Natural and generated cases apart", "What became of past blocks", "What it got most wrong",
        "What this rests on",
    ):  # fmt: skip
        assert title in said
    assert "\x1b" not in said
    assert "\x1b" in shown(result(), terminal=True)


def test_an_output_without_unicode_gets_ascii() -> None:
    said = shown(result(text=" naïve ≥"), encoding="ascii")
    assert ">=" in said and "@" in said


@pytest.mark.parametrize("terminal", [False, True])
def test_texts_of_cases_cannot_steer_the_terminal(terminal: bool) -> None:
    said = shown(result(40, text=HOSTILE), terminal=terminal)
    assert "\x1b[2J" not in said and "\x07" not in said and "\u202e" not in said
    assert "[red]x[/red]" in said
    assert printable(HOSTILE) == "[2J [red]x[/red] <b>"


def test_an_empty_calibration_is_shown() -> None:
    assert "No thresholds can be recommended" in shown(empty())


def test_a_result_that_was_written_is_a_baseline_again() -> None:
    found = result(12)
    baseline = baseline_of("b.json", json.dumps(found.as_json()))
    assert (baseline.n, baseline.date, len(baseline.cases)) == (5, found.date, 24)
    current = compared(found.cases, baseline).current
    assert current.keys() == baseline.cases.keys()
    for name, case in baseline.cases.items():
        assert case.mean == pytest.approx(current[name].mean, abs=1e-6)
        assert (case.unit, case.ambiguous) == (current[name].unit, current[name].ambiguous)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"cases": None}, "it holds no list of cases"),
        ({"cases": [3]}, "case 1 is no JSON object"),
        (
            {"cases": [{"id": "a", "label": "clear", "pair": "p", "confidence": 7}]},
            "case a: confidence is no number",
        ),
        (
            {"cases": [{"id": "a", "label": "odd", "pair": "p", "confidence": 1}]},
            "case a: its label is none of clear",
        ),
        ({"cases": [{"id": "a", "label": "clear", "confidence": 1}]}, "case a has no pair"),
        ({"n": "5"}, "n, the number of readers"),
        ({"date": None}, "the whole has no date"),
    ],
)
def test_a_baseline_that_cannot_be_used_says_what_is_wrong(change: dict[str, object], wrong: str) -> None:
    text = json.dumps({"n": 5, "date": "2026", "cases": []} | change)
    with pytest.raises(ValueError, match=f"b.json: not a result of `compass calibrate`: {wrong}"):
        baseline_of("b.json", text)
