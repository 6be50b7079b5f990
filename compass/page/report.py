"""The report of a calibration, out of the file that `compass calibrate` wrote, for the page.

The file is this program's own, and still nothing of it is believed but elements that draw and tell.
"""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

from calibration.report.html import STYLE
from compass.page.element import Html, visible

BYTES_MAX = 1024 * 1024
VOID = frozenset(("br", "hr"))
ELEMENTS = frozenset((
    "main", "section", "div", "p", "span", "strong", "b", "em", "i", "h1", "h2", "h3", "h4", "ul", "ol", "li",
    "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "q",
    "bdi", "code", "pre", "small", "details", "summary", "br", "hr", "svg", "g", "path", "rect", "circle",
    "line", "polyline", "text", "title",
))  # fmt: skip
ATTRIBUTES = frozenset((
    "class", "scope", "role", "aria-label", "data-name", "viewbox", "d", "x", "y", "x1", "y1", "x2", "y2",
    "cx", "cy", "r", "rx", "width", "height", "transform", "points", "open", "colspan",
))  # fmt: skip
DROPPED = frozenset(("script", "style", "iframe", "object", "template", "head"))
"""With all that they hold."""

HERE = "h1 { display: none; }\n"
"""The page has that heading already."""


def report_of(text: str) -> Html | None:
    """What stands in the file's `main`; None where there is none."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return Html("".join(reader.parts)) if reader.parts else None


def report_style() -> bytes:
    """The report's own sheet, for a tree of its own below one element of the page."""
    sheet = re.sub(r"(?m)^(\s*)(?::root|html|body)(?= *\{)", r"\1:host", STYLE)
    return (sheet + HERE).encode()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._open: list[str] = []
        self._dropping: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in DROPPED or self._dropping:
            if tag in DROPPED:
                self._dropping.append(tag)
            return
        if tag not in ELEMENTS or not (self._open or tag == "main"):
            return
        name = "div" if tag == "main" else tag
        given = "".join(
            f' {"viewBox" if key == "viewbox" else key}="{escape(visible(value or ""))}"'
            for key, value in attrs
            if key in ATTRIBUTES
        )
        self.parts.append(f"<{name}{given}>")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._dropping:
            if tag == self._dropping[-1]:
                self._dropping.pop()
            return
        if tag in self._open:
            while self._open:
                last = self._open.pop()
                self.parts.append(f"</{'div' if last == 'main' else last}>")
                if last == tag:
                    break

    def handle_data(self, data: str) -> None:
        if self._open and not self._dropping:
            self.parts.append(escape(visible(data)))
