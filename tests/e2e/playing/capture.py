"""A terminal's screen as an SVG: text stays text, nothing is fetched, and a font of the machine's own draws it."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Sequence
from html import escape

from e2e.playing.screen import Run

FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
WIDE, TALL, EDGE, SIZE = 8.4, 19, 16, 14
"""A cell, the room around them and the letters, in units of the picture."""
GROUND, INK = "#16181d", "#d8dce3"
NAMED = {
    "black": "#16181d", "red": "#f2777a", "green": "#8fce7e", "brown": "#e5c07b", "blue": "#78a9ff",
    "magenta": "#d3a4f9", "cyan": "#66cccc", "white": "#d8dce3", "brightblack": "#949494",
}  # fmt: skip
NEIGHBOURS = str.maketrans({"\u23bf": "\u2514"})
"""For what few fonts have, the shape next to it that all have."""
SPACE = "{http://www.w3.org/2000/svg}"


def drawn(rows: Sequence[Sequence[Run]], columns: int, title: str) -> str:
    wide, high = columns * WIDE + 2 * EDGE, len(rows) * TALL + 2 * EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>text {{ font: {SIZE}px {FONT}; fill: {INK}; white-space: pre; }} .b {{ font-weight: bold; }} "
        ".i { font-style: italic; }</style>",
        f'<rect width="{wide:g}" height="{high}" rx="10" fill="{GROUND}"/>',
    ]
    for row, runs in enumerate(rows):
        top = EDGE + row * TALL
        for run in runs:
            parts += _run(run, top)
    return "\n".join([*parts, "</svg>", ""])


def _run(run: Run, top: int) -> list[str]:
    found: list[str] = []
    left, wide = EDGE + run.column * WIDE, len(run.text) * WIDE
    if run.back != "default":
        found.append(
            f'<rect x="{left:.1f}" y="{top}" width="{wide:.1f}" height="{TALL}" fill="{_colour(run.back)}"/>'
        )
    text = run.text.rstrip().translate(NEIGHBOURS)
    if text.strip():
        # Blanks at the start move the text: renderers differ in what they make of them.
        blanks = len(text) - len(text.lstrip())
        kind = " ".join(name for name, holds in (("b", run.bold), ("i", run.italic)) if holds)
        looks = (f' class="{kind}"' if kind else "") + (
            f' style="fill:{_colour(run.fore)}"' if run.fore != "default" else ""
        )
        text = text.lstrip()
        found.append(
            f'<text x="{left + blanks * WIDE:.1f}" y="{top + 14}" textLength="{len(text) * WIDE:.1f}"{looks}>'
            f"{escape(text, quote=False)}</text>"
        )
    return found


def _colour(name: str) -> str:
    return NAMED.get(name) or f"#{name}"


def read(svg: str) -> list[str]:
    """The lines of a drawn screen, each where it stood."""
    rows: dict[int, dict[int, str]] = defaultdict(dict)
    for text in ElementTree.fromstring(svg).iter(f"{SPACE}text"):
        row = round((float(text.get("y", 0)) - 14 - EDGE) / TALL)
        rows[row][round((float(text.get("x", 0)) - EDGE) / WIDE)] = text.text or ""
    lines = [""] * (max(rows, default=-1) + 1)
    for row, texts in rows.items():
        for column, text in sorted(texts.items()):
            lines[row] = lines[row].ljust(column) + text
    return lines
