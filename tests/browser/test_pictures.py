"""Pictures and the calibration report in a real Chromium, on a phone, at a desk and in the dark: nothing is cut, and
no text lies over another. `COMPASS_PICTURES=FOLDER` keeps the pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from repository import ROOT
from samples.reportresults import empty, result

from calibration.report.page import render

pytestmark = pytest.mark.browser

MEASURE = """() => {
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
  const text = node.data.trim(), owner = node.parentElement;
  if (!text || owner.closest('title, style')) continue;
  if (owner.closest('thead') && owner.getBoundingClientRect().width < 2) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) found.push([text, box.left, box.top, box.right, box.bottom]);
}
const edges = (one, name) => {
  const edge = one.getBoundingClientRect();
  return [name, edge.left, edge.top, edge.right, edge.bottom];
};
return {texts: found, wide: document.documentElement.scrollWidth,
  charts: [...document.querySelectorAll('svg[role=img]')].map(svg => edges(svg, svg.getAttribute('aria-label') || '')),
  frames: [...document.querySelectorAll('svg[role=img] rect')].map(rect => edges(rect, '')),
  back: getComputedStyle(document.body).backgroundColor};
}"""


@dataclass(frozen=True)
class Box:
    """What stands on a page, in CSS pixels from its top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, slack: float) -> bool:
        """Both lie over each other by more than `slack` pixels in each direction."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > slack and min(self.bottom, other.bottom) - max(self.top, other.top) > slack

    def is_within(self, other: Box, slack: float) -> bool:
        across = self.left >= other.left - slack and self.right <= other.right + slack
        return across and self.top >= other.top - slack and self.bottom <= other.bottom + slack


@dataclass(frozen=True)
class Seen:
    """`texts`: a box for each line of each text; `frames`: the rectangles of charts. `wide`: what all takes. `back`:
    the ground's colour."""

    texts: tuple[Box, ...]
    charts: tuple[Box, ...]
    frames: tuple[Box, ...]
    wide: float
    back: str


def look(
    chromium: Browser, html: str, width: int, *, dark: bool = False, picture: Path | None = None
) -> Seen:
    """The page at this width, without a network; `picture`: where a PNG of all of it goes."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", offline=True
    )
    try:
        page = context.new_page()
        page.set_content(html)
        said = page.evaluate(MEASURE)
        if picture is not None:
            page.screenshot(path=picture, full_page=True)
    finally:
        context.close()
    texts, charts, frames = (tuple(Box(*one) for one in said[kind]) for kind in ("texts", "charts", "frames"))
    return Seen(texts, charts, frames, said["wide"], said["back"])


def over_another(seen: Seen, slack: float) -> list[tuple[str, str]]:
    """Texts of which one lies over the other."""
    return [
        (one.text, other.text)
        for one, other in combinations(sorted(seen.texts, key=lambda box: box.top), 2)
        if other.top < one.bottom and one.meets(other, slack)
    ]


def cut(seen: Seen, width: int, slack: float) -> list[str]:
    """Texts beyond the page, or beyond the chart that they begin in."""
    found = [box.text for box in seen.texts if box.left < 0 or box.right > width]
    for chart in seen.charts:
        across = [box for box in seen.texts if chart.left <= box.left < chart.right]
        inside = [box for box in across if chart.top <= box.top < chart.bottom]
        assert inside, chart.text
        found += [box.text for box in inside if not box.is_within(chart, slack)]
    return found


RESULTS = {
    "certified": result, "amber": lambda: result(80, clear=0.75, ambiguous=0.6), "few": lambda: result(7),
    "wide": lambda: result(40, text="a_text_without_any_blank_in_it_" * 6), "empty": empty,
}  # fmt: skip
REPORTS = [(name, width, False) for name in RESULTS for width in (400, 1280)] + [("certified", 1280, True)]
SLACK = 1.5
"""Pixels by which the boxes of two texts may touch: they hold a line's height, not the letters'."""


@pytest.mark.parametrize(("name", "width", "dark"), REPORTS)
def test_nothing_is_cut_and_no_text_lies_over_another(chromium, pictures, name, width, dark):
    html = render(RESULTS[name]()).replace("<details", "<details open")
    kept = pictures and pictures.resolve() / f"report-{name}-{width}{'-dark' if dark else ''}.png"
    seen = look(chromium, html, width, dark=dark, picture=kept)
    assert seen.wide <= width and len(seen.texts) > 50 and seen.charts
    assert over_another(seen, SLACK) == []
    assert cut(seen, width, SLACK) == []
    assert (sum(map(int, seen.back[4:-1].split(","))) < 3 * 64) is dark


def test_an_overlap_and_a_cut_are_seen(chromium):
    """What the test above relies on."""
    said = '<p style="position:absolute;top:0">one</p><p style="position:absolute;top:4px">other</p>'
    far = '<p style="position:absolute;top:90px;left:380px">beyond the edge</p>'
    seen = look(chromium, f"<!doctype html><body>{said}{far}", 400)
    assert over_another(seen, SLACK) == [("one", "other")]
    assert set(cut(seen, 400, SLACK)) == {"beyond the edge"} and seen.wide > 400


DRAWINGS = [(name, width) for name in ("held.svg", "how.svg") for width in (400, 880)]


@pytest.mark.parametrize(("name", "width"), DRAWINGS)
def test_no_text_leaves_its_frame_or_meets_another(chromium, name, width):
    picture = (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8")
    seen = look(chromium, f"<!doctype html><body style='margin:8px'>{picture}", width)
    assert len(seen.charts) == 1 and len(seen.texts) > 15
    assert over_another(seen, SLACK) == [] and cut(seen, width, SLACK) == []
    for text in seen.texts:
        met = [frame for frame in seen.frames if text.meets(frame, SLACK)]
        assert all(text.is_within(frame, SLACK) for frame in met), text
