"""The terminal's report of a calibration: the result's own figures, plots of text, plain when piped."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from statistics import fmean

import pytest
from corpora import corpus
from rich.console import Console
from samples.reportresults import GATE, empty, result

from calibration.measurement.result import Result
from calibration.report.check import baseline_of, compared
from calibration.report.printable import printable
from calibration.report.summary import headline, lines, markdown
from calibration.report.terminal import BINS, ROC_WIDTH, curve, histogram, show
from calibration.report.text import floor_meaning, mistakes, rate, score, verdict
from calibration.stats.estimate import Estimate, TooLittle
from evaluator.gate.run import Rule
from evaluator.model import Thresholds

STEPS = " ▁▂▃▄▅▆▇█"
HOSTILE = "\x1b[2J\x07[red]x[/red]\u202e\r\n<b>"


def shown(found: Result, *, encoding: str = "utf-8", terminal: bool = False) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    show(Console(file=file, highlight=False, force_terminal=terminal, width=100), found)
    return raw.getvalue().decode(encoding)


def test_the_verdict_states_the_certified_cut_its_guarantee_both_rates_and_what_is_missing() -> None:
    said = verdict(result())
    found = result().recommended["reversible"]
    assert said.useful and found.cut is not None
    assert said.headline.startswith("Calls that can be taken back: false blocks ")
    assert (
        f"under a mean of {found.cut:.2f} a write is blocked, at most 10% of clear ones (95% sure)"
        in said.claim
    )
    assert "Calls that cannot be taken back: no cut can be certified" in said.claim
    assert "a mean of at least 0.65" in said.details[0]


def test_nothing_is_praised_that_misses_more_than_half() -> None:
    said = verdict(result(80, clear=0.75, ambiguous=0.6))
    (both,) = said.rates
    assert both.detection.value < 0.5 and both.tells_apart
    assert not said.useful and "More than half of what is ambiguous gets through" in said.headline


def test_too_little_data_is_said_and_nothing_is_recommended() -> None:
    said = verdict(result(7))
    assert not said.useful
    assert "7 clear units; a target of 10% needs at least 29" in said.headline
    assert floor_meaning(result(7)) == (
        "The noise floor cannot be stated: too little data: 7 clear units, 10 needed."
    )


def test_thresholds_that_catch_next_to_nothing_are_not_praised() -> None:
    said = verdict(result(40, clear=0.66, ambiguous=0.64))
    assert not said.useful and "That catches next to nothing" in said.headline


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


def test_the_curve_is_straight_through_a_tie_of_both_classes() -> None:
    """All scores alike: half of the area, along the diagonal, and nothing above it."""
    grid = [line[6:] for line in curve([(0.0, 0.0), (1.0, 1.0)]) if "|" in line]
    assert {line.count(".") for line in grid} == {0}
    places = [[at for at, sign in enumerate(line) if sign == "*"] for line in grid]
    assert all(places) and sum(map(len, places)) == ROC_WIDTH
    assert [row[0] for row in places] == sorted((row[0] for row in places), reverse=True)


def test_the_curve_runs_from_no_blocks_to_all_and_stays_on_its_grid() -> None:
    drawn = curve([(0.0, 0.0), (0.0, 0.5), (0.25, 1.0), (1.0, 1.0)])
    grid = [line[6:] for line in drawn if "|" in line]
    assert grid[0].endswith("*") and grid[-1].startswith("*")
    assert len({len(line) for line in grid}) == 1
    perfect = [line[6:] for line in curve([(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)]) if "|" in line]
    assert set(perfect[0]) == {"*"} and all(line[0] == "*" for line in perfect)


def test_the_headline_says_first_that_nothing_is_set() -> None:
    set_, unset = verdict(result()), verdict(replace(result(), unset="nobody agreed"))
    assert unset.headline.startswith("Not set: nobody agreed. Calls that can be taken back: false blocks ")
    assert (
        "If it were set: calls that can be taken back: under a mean" in unset.claim
        and unset.rates == set_.rates
    )
    assert shown(replace(result(), unset="nobody agreed")).startswith("Not set: nobody agreed.")
    assert "Not set" not in set_.headline
    assert "Not set" not in verdict(replace(empty(), unset="nobody agreed")).headline, "nothing could be"


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
    assert "no cut can be certified" in shown(empty())


def test_a_result_that_was_written_is_a_baseline_again() -> None:
    found = result(12)
    baseline = baseline_of("b.json", json.dumps(found.as_json()))
    assert (baseline.n, baseline.date, len(baseline.cases)) == (5, found.date, 24)
    both = compared(found.cases, baseline, found.gate)
    assert both.current == both.before
    for case in found.cases:
        assert both.before[case.id].mean == pytest.approx(case.confidence)
        verdicts = [float(check.verdict == "failed") for check in case.checks]
        assert list(both.before[case.id].blocked) == verdicts


def test_verdicts_of_both_runs_are_those_of_the_thresholds_in_force_now() -> None:
    """A threshold that was set since the baseline is no drift of the readers."""
    found = result(40)
    baseline = baseline_of("b.json", json.dumps(found.as_json()))
    stricter = compared(found.cases, baseline, Rule(Thresholds(0.9, 0.05), Thresholds(0.9, 0.05)))
    assert not stricter.drift.alarm
    assert fmean(case.blocked_share for case in stricter.before.values()) > 0.9


def test_a_baseline_without_single_checks_counts_each_case_as_one() -> None:
    document = result(20).as_json()
    document["cases"] = [{**row, "checks": []} for row in document["cases"]]
    found = compared(result(20).cases, baseline_of("b.json", json.dumps(document)), GATE)
    assert {len(case.means) for case in found.before.values()} == {1}
    assert found.tested


def test_what_moved_is_named_with_its_interval_in_each_report() -> None:
    calm, noisy = result(60), result(60, seed=2, spread=0.24)
    found = compared(noisy.cases, baseline_of("b.json", json.dumps(calm.as_json())), GATE)
    moved = {(shift.ambiguous, shift.quantity) for shift in found.drift.shifts if shift.alarm}
    assert {(False, "deviation"), (True, "deviation")} <= moved
    assert "deviation between readers of clear cases" in headline(found)
    assert any("deviation between readers" in line and line.endswith("moved") for line in lines(found))
    assert "| clear | deviation between readers | +0." in markdown(found)


@corpus(
    ("change", "wrong"),
    [
        ({"cases": None}, "it holds no list of cases"),
        ({"cases": [3]}, "case 1 is no JSON object"),
        (
            {"cases": [{"id": "a", "label": "clear", "pair": "p", "confidence": 7}]},
            "case a: confidence is no number",
        ),
        (
            {"cases": [{"id": "a", "label": "clear", "pair": "p", "confidence": 1, "stddev": "no"}]},
            "case a: stddev is no number",
        ),
        (
            {"cases": [{"id": "a", "label": "odd", "pair": "p", "confidence": 1, "stddev": 0}]},
            "case a: its label is none of clear",
        ),
        ({"cases": [{"id": "a", "label": "clear", "confidence": 1, "stddev": 0}]}, "case a has no pair"),
        ({"n": "5"}, "n, the number of readers"),
        ({"date": None}, "the whole has no date"),
    ],
)
def test_a_baseline_that_cannot_be_used_says_what_is_wrong(change: dict[str, object], wrong: str) -> None:
    text = json.dumps({"n": 5, "date": "2026", "cases": []} | change)
    with pytest.raises(ValueError, match=f"b.json: not a result of `compass calibrate`: {wrong}"):
        baseline_of("b.json", text)
