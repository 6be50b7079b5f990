"""The calibration report in a real Chromium, on a phone, at a desk and in the dark: nothing cut, nothing over another.

`COMPASS_PICTURES=FOLDER` keeps the pictures.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.measured import cut, look, over_another
from playwright.sync_api import Browser
from samples.reportresults import empty, result

from calibration.report.page import render

pytestmark = pytest.mark.browser

RESULTS = {
    "certified": result,
    "amber": lambda: result(80, clear=0.75, ambiguous=0.6),
    "few": lambda: result(7),
    "wide": lambda: result(40, text="a_text_without_any_blank_in_it_" * 6),
    "empty": empty,
}
SHOWN = [(name, width, False) for name in RESULTS for width in (400, 1280)] + [("certified", 1280, True)]
SLACK = 1.5
"""Pixels by which the boxes of two texts may touch: they hold a line's height, not the letters'."""


@pytest.mark.parametrize(("name", "width", "dark"), SHOWN)
def test_nothing_is_cut_and_no_text_lies_over_another(
    chromium: Browser, pictures: Path | None, name: str, width: int, dark: bool
) -> None:
    html = render(RESULTS[name]()).replace("<details", "<details open")
    kept = pictures and pictures.resolve() / f"report-{name}-{width}{'-dark' if dark else ''}.png"
    seen = look(chromium, html, width, dark=dark, picture=kept)
    assert seen.wide <= width and len(seen.texts) > 50 and seen.charts
    assert over_another(seen, SLACK) == []
    assert cut(seen, width, SLACK) == []
    assert (sum(map(int, seen.back[4:-1].split(","))) < 3 * 64) is dark


def test_an_overlap_and_a_cut_are_seen(chromium: Browser) -> None:
    """What the test above relies on."""
    said = '<p style="position:absolute;top:0">one</p><p style="position:absolute;top:4px">other</p>'
    far = '<p style="position:absolute;top:90px;left:380px">beyond the edge</p>'
    seen = look(chromium, f"<!doctype html><body>{said}{far}", 400)
    assert over_another(seen, SLACK) == [("one", "other")]
    assert set(cut(seen, 400, SLACK)) == {"beyond the edge"} and seen.wide > 400
