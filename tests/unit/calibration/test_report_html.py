"""The HTML report: one file, no script, nothing to fetch, and what cases say stays text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from corpora import corpus
from samples.reportresults import empty, result

from calibration.measurement.result import Result
from calibration.report.page import render

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)></style><svg onload=x>\u202e\x00&lt;"
VOID = {"meta", "br"}
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
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_well_formed_and_says_its_verdict_first() -> None:
    page = Page(render(result()))
    assert page.wrong == []
    text = " ".join(" ".join(page.texts).split())
    order = (
        "This gate would interrupt",
        "below a mean of",
        "What another threshold would do",
        "Figures",
        "Detection",
    )
    places = [text.index(part) for part in (*order, "Everything else that was measured", "The noise floor")]
    assert places == sorted(places)
    assert page.tags.index("details") > page.tags.index("svg"), "the curve is before the fold"
    for title in (
        "The noise floor", "Means and deviations", "Telling clear from ambiguous", "What another threshold would do",
        "With a different number of readers", "The symbolic layer's errors",
        "Natural and generated cases separately", "What became of past blocks",
        "What this rests on",
    ):  # fmt: skip
        assert title in page.texts


@pytest.mark.parametrize("made", [result, lambda: result(40, text=HOSTILE), lambda: result(7), empty])
def test_nothing_is_fetched_run_or_linked(made: Callable[[], Result]) -> None:
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
def test_the_results_own_texts_are_escaped_too(name: str) -> None:
    found = result(12)
    hostile = {"notes": (HOSTILE,), "recommended": _hostile(found)}.get(name, HOSTILE)
    page = Page(render(replace(found, **{name: hostile})))
    assert set(page.tags) <= KNOWN and page.wrong == []
    assert "<script>alert(1)</script>" in "".join(page.texts)


def _hostile(found: Result) -> object:
    return {stakes: replace(one, why=HOSTILE, cut=None) for stakes, one in found.recommended.items()}


def test_figures_of_the_page_are_those_of_the_result() -> None:
    found = result()
    page = " ".join(Page(render(found)).texts)
    floor = found.floor["clear"]
    assert f"{floor.mean.value:.2f} ({floor.mean.low:.2f} to {floor.mean.high:.2f})" in page
    assert f"{found.auc.value:.2f} ({found.auc.low:.2f} to {found.auc.high:.2f})" in page
    wrong = found.symbolic.wrong_skip
    assert f"{100 * wrong.value:.0f}% ({100 * wrong.low:.0f}% to {100 * wrong.high:.0f}%)" in page


def test_the_drawn_curve_runs_through_the_tested_cuts() -> None:
    found = result()
    chart = next(
        svg for svg in re.findall(r"<svg viewBox.*?</svg>", render(found)) if "against detection" in svg
    )
    drawn = re.search(r'class="curve" d="M([^"]*)"', chart)
    assert drawn is not None and not re.search("[HV]", drawn[1])
    places = [tuple(map(float, point.split())) for point in drawn[1].split("L")]
    (left, foot), (right, head) = places[0], places[-1]
    assert [
        (round((x - left) / (right - left), 2), round((foot - y) / (foot - head), 2)) for x, y in places
    ] == [
        (pytest.approx(step.false_block_rate, abs=0.006), pytest.approx(step.detection_rate, abs=0.006))
        for step in found.trade_off
    ]


def test_both_thresholds_are_drawn_and_named_in_each_histogram() -> None:
    html = render(result())
    charts = re.findall(r"<svg viewBox.*?</svg>", html)
    histograms = [chart for chart in charts if 'aria-label="Histograms' in chart]
    means, deviations = histograms
    cut = result().recommended["reversible"].cut
    assert "in force 0.65" in means and f"certified {cut:.2f}" in means and "in force 0.20" in deviations
    for chart in charts:
        ElementTree.fromstring(chart)
