"""The page in a real Chromium: it loads, follows the gate, is reached by keys, and lets nothing of a text run; pictures
and the calibration report, of which nothing is cut and no text lies over another. `COMPASS_PICTURES=FOLDER` keeps
pictures of the views.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.conftest import DESKTOP, PHONE
from playwright.sync_api import Browser
from repository import ROOT
from running import hookrun, paged
from running.serving import serving
from samples.reportresults import empty, result

from calibration.report.page import render

pytestmark = pytest.mark.browser

PRIOR = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
VIEWS = {
    "checks": "#/checks", "held": "#/checks?only=held", "check": f"#/check/{paged.HELD_ID}",
    "hostile": f"#/check/{paged.HOSTILE_ID}",
}  # fmt: skip
TO_THE_TOP = (
    "() => { document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); }"
)
BREAKS_IN = """() => {
    const box = document.createElement('div');
    box.innerHTML = "<img src='/page/none' onerror='window.hit=1'><b style='color: red' onclick='window.hit=2'>x</b>";
    document.querySelector('#view').append(box);
    const script = document.createElement('script');
    script.textContent = 'window.hit=3';
    const frame = document.createElement('iframe');
    frame.src = '/';
    document.body.append(script, frame);
}"""


@pytest.fixture
def one(service, open_page):
    return open_page(service.place)


def test_it_loads_by_its_link_and_keeps_the_key_in_memory_alone(one):
    page = one.page
    assert page.title() == "Checks · Compass" and one.heading() == "Checks"
    assert page.url == f"{one.origin}/#/checks"
    assert page.locator("#rows > li").count() == 60
    kept = page.evaluate("() => [localStorage.length, sessionStorage.length, document.cookie]")
    assert kept == [0, 0, ""]
    assert "cpsp_" not in page.content()
    page.go_back()
    assert "cpsp_" not in page.url
    assert one.faults == []


def test_a_reload_says_kindly_that_it_takes_a_new_link(service, one):
    one.page.reload()
    one.page.wait_for_selector(".notice pre")
    assert one.heading() == "This page needs a link"
    assert one.page.locator(".notice pre").inner_text() == "compass ui"
    assert not one.page.locator("#choose").is_visible()
    # A new link in the same tab goes on.
    one.page.goto(paged.link_of(service.place).url)
    one.page.wait_for_selector("#rows > li")


def test_a_link_that_was_used_opens_nothing(service, open_page):
    link = paged.link_of(service.place)
    link.exchange()
    one = open_page(service.place, url=link.url)
    one.page.wait_for_selector(".notice pre")
    assert one.heading() == "This link does not work"
    assert "used or has expired" in one.page.locator(".notice").inner_text()


def test_a_check_appears_as_the_real_gate_makes_it(tmp_path, open_page):
    with serving(tmp_path) as here:
        here.start()
        place = here.place
        one = open_page(place)
        page = one.page
        assert page.locator(".empty h2").inner_text() == "No checks in this project yet"
        assert "compass init" in page.locator(".empty").inner_text()
        place.hook("session-start", place.payload(hook_event_name="SessionStart", source="startup"))
        place.say("Just delete it.", prior=PRIOR)
        done = place.hook("pre-tool-use", place.payload("Bash", {"command": "rm src/old_auth.py"}))
        assert hookrun.denial(done) is not None
        page.wait_for_selector("#rows > li.held")
        assert "src/old_auth.py" in page.locator("#rows > li").first.inner_text()
        assert page.locator(".empty").count() == 0
        assert page.locator(".tiles dd").first.inner_text() == "1"
        one.go("#/check/none")
        place.say("Create notes.txt with a line that says hello")
        place.hook("pre-tool-use", place.payload(session_id="two"))
        one.go("#/checks")
        assert page.locator("#rows > li").count() == 2
        page.locator("#rows > li.held a").click()
        page.wait_for_selector("text=The exchange")
        for said in ("Just delete it.", PRIOR, "rm src/old_auth.py", "How it was judged"):
            assert said in page.locator("#view").inner_text(), said
        assert one.faults == []
        one.go("#/checks")
        os.kill(here.counts()["pid"], signal.SIGTERM)
        page.wait_for_selector(".notice")
        assert one.heading() == "The service has stopped"


def test_every_view_is_reached_by_keys(one):
    page = one.page
    page.evaluate(TO_THE_TOP)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.tagName") == "H1"
    one.go(VIEWS["check"])
    page.locator("nav a:has-text('Checks')").focus()
    page.keyboard.press("Enter")
    one.shows("#/checks")
    # Whoever listens begins at the new heading.
    assert page.evaluate("() => document.activeElement.tagName") == "H1"
    assert page.locator("nav a[aria-current]").inner_text() == "Checks"
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "line"
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Each reader")
    page.go_back()
    page.wait_for_selector("#rows > li")
    assert one.faults == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_every_view_fits_and_is_accessible(service, open_page, pictures, width, dark):
    one = open_page(service.place, width=width, dark=dark)
    page = one.page
    found: list[str] = []
    for name, where in VIEWS.items():
        one.go(where)
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append(f"{name}: {wide} px beyond the edge")
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            picture = f"{name}-{width}-{'dark' if dark else 'light'}.png"
            page.screenshot(path=pictures / picture, full_page=True)
        results = Axe().run(page).response
        for one_rule in results["violations"]:
            if one_rule["impact"] in ("serious", "critical"):
                nodes = [node["html"][:200] for node in one_rule["nodes"][:3]]
                found.append(f"{name}: {one_rule['id']} ({one_rule['impact']}): {nodes}")
        assert len(results["passes"]) > 10
    assert found == []
    ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    channels = [int(part) for part in ground[4:-1].split(",")]
    assert (max(channels) < 60) if dark else (min(channels) > 230), ground
    assert {url.split("/", 3)[2] for url in one.asked} == {one.origin.removeprefix("http://")}
    assert not [url for url in one.asked if "cpsp_" in url.partition("#")[0]]
    # The rules' own script tries a style of its own.
    assert [fault for fault in one.faults if "inline style" not in fault] == []


def test_hostile_text_stays_text(one):
    page = one.page
    for where in ("#/checks", f"#/check/{paged.HOSTILE_ID}"):
        one.go(where)
        text = page.locator("#view").inner_text()
        assert "<script>window.hit=1</script>" in text
        assert "�[31mred�[0m" in text and "\x1b" not in text and "\u202e" not in text and "\u2066" not in text
        live = "#view script, #view img, #view iframe, #view [onerror], #view [onload]"
        assert page.locator(live).count() == 0
        assert page.locator("#view a[href^='javascript']").count() == 0
    assert page.evaluate("() => window.hit") is None
    assert one.faults == []


def test_the_policy_stops_what_would_come_through_all_the_same(one):
    page = one.page
    page.evaluate(BREAKS_IN)
    page.wait_for_timeout(300)
    assert page.evaluate("() => window.hit") is None
    sends = "() => fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'stopped')"
    assert page.evaluate(sends) == "stopped"
    assert any("Content Security Policy" in fault for fault in one.faults)


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
