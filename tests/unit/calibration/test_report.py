"""The reports of a calibration: the figures of the result, plain when piped, and one HTML file that fetches nothing."""

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from statistics import fmean

import pytest
from corpora import corpus
from rich.console import Console
from samples.reportresults import GATE, empty, result

from calibration.measurement.measure import blocked_share
from calibration.measurement.result import Result
from calibration.report.baseline import baseline_of, checks_of, compared, drift_headline, drift_lines
from calibration.report.page import render
from calibration.report.text import floor_meaning, rate, score, show, verdict
from calibration.stats.estimates import Estimate, TooLittle
from evaluator.text import printable
from evaluator.verdict.calibrated_thresholds import FORM

HOSTILE = "\x1b[2J\x07[red]x[/red]\u202e\r\n<b>"


def shown(found: Result, *, encoding: str = "utf-8", terminal: bool = False) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    show(Console(file=file, highlight=False, force_terminal=terminal, width=100), found)
    return raw.getvalue().decode(encoding)


def test_the_verdict_states_the_certified_cut_its_guarantee_both_rates_and_what_is_missing():
    said = verdict(result())
    found = result().recommended["reversible"]
    assert said.useful and found.cut is not None
    assert said.headline.startswith("Calls that can be undone: false blocks ")
    blocks = "a write is blocked; that blocks at most 10% of clear writes (95% confidence)"
    assert f"below a mean of {found.cut:.2f} {blocks}" in said.claim
    assert "Calls that cannot be undone: no threshold can be certified" in said.claim
    assert "a mean of at least 0.65" in said.details[0]


def test_nothing_is_praised_that_misses_more_than_half():
    poor = result(80, clear=0.75, ambiguous=0.6)
    said = verdict(poor)
    (both,) = said.rates
    assert both.detection.value < 0.5
    assert not said.useful and "More than half of the ambiguous cases get through" in said.headline
    good, bad = (one.recommended["reversible"] for one in (result(), poor))
    assert not verdict(replace(result(), recommended={"reversible": good, "irreversible": bad})).useful


def test_too_little_data_is_said_and_nothing_is_recommended():
    said = verdict(result(7))
    assert not said.useful
    assert "7 clear units; a target of 10% needs at least 29" in said.headline
    lacking = "too little data: 7 clear units, 10 needed"
    assert floor_meaning(result(7)) == f"The noise floor cannot be determined: {lacking}."


def test_the_floor_is_set_against_the_threshold_in_force():
    for clear, where in (0.66, "inside its interval"), (0.9, "below it"), (0.4, "above it"):
        assert f"0.65, is {where}." in floor_meaning(result(60, clear=clear)), clear


def test_a_figure_has_its_interval_and_one_that_could_not_be_had_says_why():
    assert rate(Estimate(0.1, 0.0, 0.256, 12, 10)) == "10% (0% to 26%)"
    assert score(TooLittle("clear units", 3, 10)) == "too little data: 3 clear units, 10 needed"
    assert rate(None) == "not measured"


def test_what_to_do_comes_first_and_how_often_the_gate_would_interrupt():
    natural = [case for case in result().cases if not case.generated and case.checks]
    assert {case.label for case in natural} == {"clear", "ambiguous"}
    cut = result().recommended["reversible"].cut
    stopped = {case.id: fmean(check.confidence < cut for check in case.checks) for case in natural}
    clear, ambiguous = (
        fmean(stopped[case.id] for case in natural if case.label == label) for label in ("clear", "ambiguous")
    )
    told = verdict(result()).advice
    assert told == (
        f"This gate would interrupt {100 * clear:.0f} of 100 clear requests and {100 * ambiguous:.0f} of 100 "
        "ambiguous ones. Enforce: `compass init --enforce`."
    )
    assert shown(result()).startswith(told)
    counts = replace(result().counts, by_source={"sessions": {"clear": 80, "ambiguous": 40}})
    assert verdict(replace(result(), counts=counts)).advice.startswith(
        f"This gate would interrupt {(80 * clear + 40 * ambiguous) / 1.2:.0f} of 100 requests, "
        f"{40 * ambiguous / 1.2:.0f} of them with good reason."
    )
    assert "Once it is set: enforce" in verdict(replace(result(), unset="nobody agreed")).advice
    assert "Observe, or let other readers judge" in verdict(result(40, clear=0.66, ambiguous=0.64)).advice
    assert "`compass hindsight`" in verdict(result(7)).advice
    assert "is not known" in verdict(empty()).advice


def test_the_headline_says_first_that_nothing_is_set():
    set_, unset = verdict(result()), verdict(replace(result(), unset="nobody agreed"))
    assert unset.headline.startswith("Not set: nobody agreed. Calls that can be undone: false blocks ")
    assert "If it were set: calls that can be undone: below a mean" in unset.claim
    assert unset.rates == set_.rates
    assert shown(replace(result(), unset="nobody agreed")).startswith("Not set: nobody agreed.")
    assert "Not set" not in set_.headline
    assert "Not set" not in verdict(replace(empty(), unset="nobody agreed")).headline, "nothing could be"


def test_the_curve_and_the_figures_follow_and_a_pipe_gets_no_escapes():
    said = shown(result())
    order = ("What another threshold would do", ": false blocks", "Readers:", "The noise floor")
    places = [said.index(part) for part in (*order, "What this rests on")]
    assert places == sorted(places)
    (row,) = [line for line in said.splitlines() if line.startswith("0.60 ")]
    step = next(one for one in result().trade_off if one.confidence == 0.6)
    assert row.split()[-1] == f"{100 * step.detection_rate:.0f}"
    assert row.count("█") == round(25 * step.false_block_rate) + round(25 * step.detection_rate)
    assert "\x1b" not in said and "\x1b" in shown(result(), terminal=True)


def test_errors_of_the_symbolic_layer_are_counted_in_their_own_classes():
    """Of 80 clear cases 16 could be skipped, and three of these are; of the ambiguous none is."""
    found = result().symbolic
    assert (found.wrong_skip.value, found.wrong_skip.n) == (0.0, 80)
    assert (found.missed_skip.value, found.missed_skip.n) == (13 / 16, 16)


def test_an_output_without_unicode_gets_ascii():
    said = shown(replace(result(), notes=("naïve",)), encoding="ascii")
    assert "na?ve" in said and "####" in said


@pytest.mark.parametrize("terminal", [False, True])
def test_texts_of_cases_cannot_steer_the_terminal(terminal):
    said = shown(replace(result(40, text=HOSTILE), notes=(HOSTILE,), model=HOSTILE), terminal=terminal)
    assert "\x1b[2J" not in said and "\x07" not in said and "\u202e" not in said
    assert "[red]x[/red]" in said
    assert printable(HOSTILE) == "[2J [red]x[/red] <b>"


def test_an_empty_calibration_is_shown():
    assert "no threshold can be certified" in shown(empty())


def test_a_result_that_was_written_is_a_baseline_again():
    found = result(20)
    baseline = baseline_of("b.json", json.dumps(found.as_json()))
    assert (baseline.n, baseline.date, len(baseline.known)) == (5, found.date, 40)
    drift = compared("b.json", found.cases, baseline, found.gate).drift
    assert [shift.change.value for shift in drift.shifts] == [0.0] * 6, "the same rule decides both"
    before = checks_of(baseline.cases, found.gate)
    assert before == checks_of(found.cases, found.gate)
    for case, checks in zip(found.cases, before, strict=True):
        assert checks.means == tuple(check.confidence for check in case.checks)
        assert fmean(checks.blocked) == blocked_share(case, found.gate)


def test_what_moved_is_named_with_its_interval_in_each_report():
    calm, noisy = result(60), result(60, seed=2, spread=0.24)
    found = compared("b.json", noisy.cases, baseline_of("b.json", json.dumps(calm.as_json())), GATE)
    moved = {(shift.ambiguous, shift.quantity) for shift in found.drift.shifts if shift.alarm}
    assert {(False, "deviation"), (True, "deviation")} <= moved
    assert "deviation between readers of clear cases" in drift_headline(found)
    drifted = [line for line in drift_lines(found) if line.endswith("drifted")]
    assert any("deviation between readers" in line for line in drifted)


CHECK = {"confidence": 0.5, "stddev": 0.1}
CASE = {
    "id": "a", "label": "clear", "pair": "p", "stakes": "reversible", "generated": False, "checks": [CHECK],
}  # fmt: skip


@corpus(
    ("change", "wrong"),
    [
        ({"cases": [3]}, "cases.0: "),
        ({"cases": [CASE | {"checks": [CHECK | {"confidence": 7}]}]}, r"a: a score is not in \[0, 1\]"),
        ({"cases": [CASE | {"label": "odd"}]}, "cases.0.label: "),
        ({"n": "5"}, "n: "),
    ],
)
def test_a_baseline_that_cannot_be_used_says_what_is_wrong(change, wrong):
    readers = {"backend": "anthropic", "model": "m", "prompt": "p", "n": 5}
    whole = {"version": FORM, "date": "2026", **readers, "cases": [CASE]}
    assert baseline_of("b.json", json.dumps(whole)).known == {"a"}
    with pytest.raises(ValueError, match=f"b.json: not a result of `compass calibrate`: {wrong}"):
        baseline_of("b.json", json.dumps(whole | change))


# The page

HOSTILE_HTML = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)></style><svg onload=x>\u202e\x00&lt;"
KNOWN = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "div", "p", "h1", "h2", "h3", "ul", "ol",
    "li", "dl", "dt", "dd", "strong", "figure", "figcaption", "table", "caption", "thead", "tbody", "tr", "th",
    "td", "span", "q", "details", "summary", "bdi", "svg", "path", "rect", "circle", "text",
}  # fmt: skip


class Page(HTMLParser):
    """Tags, attributes and texts; `wrong` tells where tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.wrong += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in {"meta", "br"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_well_formed_and_says_its_verdict_first():
    page = Page(render(result()))
    assert page.wrong == []
    text = " ".join(" ".join(page.texts).split())
    order = (
        "This gate would interrupt", "below a mean of", "What another threshold would do", "Figures", "Detection",
        "Everything else that was measured", "The noise floor",
    )  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert page.tags.index("details") > page.tags.index("svg"), "the curve is before the fold"
    for title in (
        "The noise floor", "Means and deviations", "Telling clear from ambiguous", "What another threshold would do",
        "With a different number of readers", "The symbolic layer's errors",
        "Natural and generated cases separately", "What became of past blocks",
        "What this rests on",
    ):  # fmt: skip
        assert title in page.texts


@pytest.mark.parametrize("made", [result, lambda: result(40, text=HOSTILE_HTML), lambda: result(7), empty])
def test_nothing_is_fetched_run_or_linked(made):
    html = render(made())
    page = Page(html)
    assert set(page.tags) <= KNOWN
    names = {name for name, _ in page.attributes}
    assert not names & {"href", "src", "srcset", "style", "action", "data", "xlink:href"}
    assert not [name for name in names if name.startswith("on")]
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style and "@import" not in style
    assert "default-src 'none'" in html


@corpus("name", ["backend", "model", "date", "notes", "recommended"])
def test_the_results_own_texts_are_escaped_too(name):
    found = result(12)
    cuts = {at: replace(one, why=HOSTILE_HTML, cut=None) for at, one in found.recommended.items()}
    hostile = {"notes": (HOSTILE_HTML,), "recommended": cuts}.get(name, HOSTILE_HTML)
    page = Page(render(replace(found, **{name: hostile})))
    assert set(page.tags) <= KNOWN and page.wrong == []
    assert "<script>alert(1)</script>" in "".join(page.texts)


def test_figures_of_the_page_are_those_of_the_result():
    found = result()
    page = " ".join(Page(render(found)).texts)
    floor = found.floor["clear"]
    assert f"{floor.mean.value:.2f} ({floor.mean.low:.2f} to {floor.mean.high:.2f})" in page
    assert f"{found.auc.value:.2f} ({found.auc.low:.2f} to {found.auc.high:.2f})" in page
    wrong = found.symbolic.wrong_skip
    assert f"{100 * wrong.value:.0f}% ({100 * wrong.low:.0f}% to {100 * wrong.high:.0f}%)" in page


def test_the_drawn_curve_runs_through_the_tested_cuts():
    found = result()
    charts = re.findall(r"<svg viewBox.*?</svg>", render(found))
    (chart,) = [svg for svg in charts if "against detection" in svg]
    drawn = re.search(r'class="curve" d="M([^"]*)"', chart)[1]
    assert not re.search("[HV]", drawn)
    places = [tuple(map(float, point.split())) for point in drawn.split("L")]
    (left, foot), (right, head) = places[0], places[-1]
    for (x, y), step in zip(places, found.trade_off, strict=True):
        assert (x - left) / (right - left) == pytest.approx(step.false_block_rate, abs=0.01)
        assert (foot - y) / (foot - head) == pytest.approx(step.detection_rate, abs=0.01)


def test_both_thresholds_are_drawn_and_named_in_each_histogram():
    charts = re.findall(r"<svg viewBox.*?</svg>", render(result()))
    means, deviations = [chart for chart in charts if 'aria-label="Histograms' in chart]
    cut = result().recommended["reversible"].cut
    assert "in force 0.65" in means and f"certified {cut:.2f}" in means and "in force 0.20" in deviations
    for chart in charts:
        ElementTree.fromstring(chart)
