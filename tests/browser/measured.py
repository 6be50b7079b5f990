"""What a page's texts measure in a real Chromium, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from playwright.sync_api import Browser

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
        return (
            min(self.right, other.right) - max(self.left, other.left) > slack
            and min(self.bottom, other.bottom) - max(self.top, other.top) > slack
        )

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom

    def is_within(self, other: Box, slack: float) -> bool:
        return (
            self.left >= other.left - slack
            and self.right <= other.right + slack
            and self.top >= other.top - slack
            and self.bottom <= other.bottom + slack
        )


@dataclass(frozen=True)
class Seen:
    """`texts`: a box for each line of each text; `frames`: the rectangles of charts. `wide`: what all takes.
    `back`: the ground's colour.
    """

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
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        offline=True,
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
    ordered = sorted(seen.texts, key=lambda box: box.top)
    return [
        (one.text, other.text)
        for one, other in combinations(ordered, 2)
        if other.top < one.bottom and one.meets(other, slack)
    ]


def cut(seen: Seen, width: int, slack: float) -> list[str]:
    """Texts beyond the page, or beyond the chart that they begin in."""
    found = [box.text for box in seen.texts if box.left < 0 or box.right > width]
    for chart in seen.charts:
        inside = [box for box in seen.texts if chart.holds(box.left, box.top)]
        assert inside, chart.text
        found += [box.text for box in inside if not box.is_within(chart, slack)]
    return found
