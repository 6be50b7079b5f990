"""The terminal's report of a calibration: the document's own figures, plots of text, plain when piped."""

from __future__ import annotations

import io
import json

import pytest
from report_documents import document, empty, without
from rich.console import Console

from calibration.report.terminal import BINS, curve, histogram, show
from calibration.report.text import floor_meaning, mistakes, printable, rate, score, verdict

STEPS = " ▁▂▃▄▅▆▇█"
HOSTILE = "\x1b[2J\x07[red]x[/red]\u202e\r\n<b>"


def shown(found: dict[str, object], *, encoding: str = "utf-8", terminal: bool = False) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    show(Console(file=file, highlight=False, force_terminal=terminal, width=100), found)
    return raw.getvalue().decode(encoding)


def test_the_verdict_states_the_recommended_pair_its_guarantee_and_both_rates() -> None:
    found = document()
    said = verdict(found)
    assert said.useful
    assert said.headline.startswith("Ask for a mean of at least 0.52 and a deviation of at most 0.26")
    assert "at most 10% of clear requests are then blocked (95% sure)" in said.headline
    assert "3% (1% to 10%) of the clear cases are blocked" in said.details[0]
    assert "a mean of at least 0.65" in said.details[1]


def test_too_little_data_is_said_and_nothing_is_recommended() -> None:
    said = verdict(document(7))
    assert not said.useful
    assert "7 clear units; a target of 10% needs at least 29" in said.headline
    assert floor_meaning(document(7)) == (
        "The noise floor cannot be stated: too little data: 7 clear units, 10 needed."
    )


def test_thresholds_that_catch_next_to_nothing_are_not_praised() -> None:
    said = verdict(document(40, clear=0.66, ambiguous=0.64))
    assert not said.useful and "They catch next to nothing" in said.headline


@pytest.mark.parametrize(
    ("clear", "where", "share"),
    [(0.66, "inside its interval", "between 25 and 50%"), (0.9, "below it", "fewer than 5%"),
     (0.4, "above it", "more than 95%")],
)  # fmt: skip
def test_the_floor_is_set_against_the_threshold_in_force(clear: float, where: str, share: str) -> None:
    said = floor_meaning(document(60, clear=clear))
    assert f"0.65, lies {where}; {share} of clear checks score under it." in said


def test_a_figure_has_its_interval_and_one_that_could_not_be_had_says_why() -> None:
    assert rate({"value": 0.1, "low": 0.0, "high": 0.256}) == "10% (0% to 26%)"
    assert score({"value": 0.5}) == "0.50"
    lacking = {"value": None, "of": "clear units", "units": 3, "needed": 10}
    assert score(lacking) == "too little data: 3 clear units, 10 needed"
    assert rate({}) == "not measured"


def test_the_cases_it_got_most_wrong_come_worst_first() -> None:
    blocked, missed = mistakes(document())
    assert {case.label for case in blocked} == {"clear"} and {case.label for case in missed} == {"ambiguous"}
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
    said = shown(document())
    for title in (
        "The noise floor", "Distribution of means", "Distribution of deviations", "Telling clear from ambiguous",
        "What other numbers of readers would give", "The symbolic layer's errors",
        "Natural and generated ambiguous cases apart", "Past blocks", "What it got most wrong",
        "What this rests on",
    ):  # fmt: skip
        assert title in said
    assert "\x1b" not in said
    assert "\x1b" in shown(document(), terminal=True)


def test_an_output_without_unicode_gets_ascii() -> None:
    said = shown(document(text=" naïve ≥"), encoding="ascii")
    assert ">=" in said and "@" in said


@pytest.mark.parametrize("terminal", [False, True])
def test_texts_of_cases_cannot_steer_the_terminal(terminal: bool) -> None:
    said = shown(document(40, text=HOSTILE), terminal=terminal)
    assert "\x1b[2J" not in said and "\x07" not in said and "\u202e" not in said
    assert "[red]x[/red]" in said
    assert printable(HOSTILE) == "[2J [red]x[/red] <b>"


@pytest.mark.parametrize("name", sorted(empty()))
def test_a_document_without_a_part_is_shown_without_it(name: str) -> None:
    assert shown(without(document(12), name))


def test_an_empty_calibration_and_one_that_was_read_back_are_shown() -> None:
    assert "No thresholds can be recommended" in shown(empty())
    found = document()
    assert shown(json.loads(json.dumps(found))) == shown(found)
