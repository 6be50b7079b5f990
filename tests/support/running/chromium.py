"""A real Chromium, driven by its own command line: what a page's texts measure there, and a picture of it.

A window is at least 500 pixels wide, so a page is shown in a frame of the wanted width.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from html import escape, unescape
from itertools import combinations
from pathlib import Path

import pytest
from browser.install import VARIABLE, find

SECONDS = 90.0
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
MEASURE = """
const page = document.querySelector('iframe').contentDocument, found = [];
const walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
  const text = node.data.trim(), owner = node.parentElement;
  if (!text || owner.closest('title, style')) continue;
  if (owner.closest('thead') && owner.getBoundingClientRect().width < 2) continue;
  const range = page.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) found.push([text, box.left, box.top, box.right, box.bottom]);
}
const root = page.documentElement, said = {texts: found, wide: root.scrollWidth, high: root.scrollHeight,
  charts: [...page.querySelectorAll('svg[role=img]')].map(svg => {
    const edge = svg.getBoundingClientRect();
    return [edge.left, edge.top, edge.right, edge.bottom, svg.getAttribute('aria-label') || ''];
  }), frames: [...page.querySelectorAll('svg[role=img] rect')].map(rect => {
    const edge = rect.getBoundingClientRect();
    return [edge.left, edge.top, edge.right, edge.bottom];
  }), back: getComputedStyle(page.body).backgroundColor};
document.querySelector('pre').textContent = JSON.stringify(said);
"""


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
    """`texts`: a box for each line of each text; `frames`: the rectangles of charts. `wide`, `high`: what all takes.
    `back`: the ground's colour.
    """

    texts: tuple[Box, ...]
    charts: tuple[Box, ...]
    frames: tuple[Box, ...]
    wide: float
    high: int
    back: str


def chromium() -> Path:
    """The program; a machine without it skips the test by name."""
    found = find()
    if found is None:
        pytest.skip(f"no Chromium here: run python3 tests/browser/install.py, or name one in {VARIABLE}")
    return Path(found)


def look(html: str, folder: Path, width: int, *, dark: bool = False) -> Seen:
    """The page at this width. Its own policy, which forbids scripts, is taken out to measure it."""
    shown = _frame(
        POLICY.sub("", html), width, 20_000, f"<pre></pre><script>onload = () => {{{MEASURE}}}</script>"
    )
    page = _written(shown, folder)
    told = _run(folder, dark, "--dump-dom", "--virtual-time-budget=5000", page.as_uri())
    found = re.search(r"<pre>(\{.*?\})</pre>", told, re.S)
    assert found is not None, told[-2000:]
    said = json.loads(unescape(found[1]))
    charts = tuple(Box(name, *edges) for *edges, name in said["charts"])
    frames = tuple(Box("", *edges) for edges in said["frames"])
    texts = tuple(Box(*one) for one in said["texts"])
    return Seen(texts, charts, frames, said["wide"], said["high"], said["back"])


def picture(html: str, folder: Path, width: int, high: int, to: Path, *, dark: bool = False) -> None:
    """A PNG of the page, as long as it is."""
    page = _written(_frame(html, width, high, ""), folder)
    _run(folder, dark, f"--window-size={max(width, 500)},{high}", f"--screenshot={to}", page.as_uri())


def _frame(html: str, width: int, high: int, more: str) -> str:
    style = f"border:0;width:{width}px;height:{high}px;display:block"
    return (
        "<!doctype html><meta name=color-scheme content='light dark'><style>body{margin:0}</style>"
        f'<iframe style="{style}" srcdoc="{escape(html)}"></iframe>{more}'
    )


def _written(html: str, folder: Path) -> Path:
    page = folder / "page.html"
    page.write_text(html, encoding="utf-8")
    return page


def _run(folder: Path, dark: bool, *words: str) -> str:
    """Its standard output. A home of its own; root has no sandbox, and what is shown are pages of ours."""
    command = [
        str(chromium()), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-extensions", "--disable-background-networking", "--disable-component-update",
        "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder / 'profile'}",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
    ]  # fmt: skip
    done = subprocess.run(
        [*command, *words],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


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
