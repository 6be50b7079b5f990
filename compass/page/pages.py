"""What the service's page app asks for: its document and files, its views, the report of a calibration, and what came
since. The report's file is this program's own, and still nothing of it is believed but elements that draw and tell."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser

from calibration.report.html import STYLE
from compass.page import views
from compass.page.element import Html, command, el, empty, heading, joined, visible
from compass.page.scope import ALL, Chosen, PageScope, chosen, here_of
from evaluator.service.page import News

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "static")
FILES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
REPORT_SHEET = "report.css"
NAME_CHARS = 60


class ServicePages:
    """`evaluator.service.page.Pages` over what is kept."""

    def document(self) -> bytes:
        return document()

    def static(self, name: str) -> tuple[str, bytes] | None:
        if name == REPORT_SHEET:
            return FILES["page.css"], report_style()
        media = FILES.get(name)
        if media is None:
            return None
        with open(os.path.join(FOLDER, name), "rb") as file:
            return media, file.read()

    def view(self, scope: PageScope, name: str, given: Mapping[str, str]) -> str | None:
        """Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        if name == "projects":
            return _projects(found)
        if name == "checks":
            return views.checks_view(found, given.get("only", ""))
        if name == "check":
            from compass.page import check

            return check.view(found, given.get("id", ""))
        if name == "days":
            return views.days_view(found, given.get("n", ""))
        if name == "calibration":
            return calibration_view(scope, found)
        return None

    def news(self, scope: PageScope, given: Mapping[str, str], mark: str) -> News:
        """A row a check, then the figures; and what waits, where that is another. Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        only = given.get("only", "")
        place = views.place_of(mark)
        fresh, now = (
            views.since(found, only, place) if place is not None else ([], found.here.history.last_place())
        )
        waiting = views.waits(found)
        after = views.mark_of(now, waiting)
        events = [("check", str(views.row(one, everywhere=found.project is None))) for one in fresh]
        if place is not None and now != place:
            events.append(("tiles", str(views.tiles(found))))
        if place is not None and after.partition(".")[2] != mark.partition(".")[2]:
            events.append(("waiting", str(waiting)))
        return News(tuple(events), after)


def _projects(found: Chosen) -> Html:
    """The asker's own comes first; where it has no check, every project is what is shown at first."""
    own = found.here.project
    has_checks = any(one.project_dir == own or one.project_dir.startswith(f"{own}/") for one in found.listed)
    # Asked for once, at the start: nothing is chosen yet.
    every = not has_checks and bool(found.listed)
    others = [one.project_dir for one in found.listed if one.project_dir != own]
    rows = [(own, f"{_name(own)} (here)", not every), (ALL, "Every project", every)]
    every_one = [*rows, *((path, _name(path), False) for path in others)]
    return joined([el("option", text, value=value, selected=one) for value, text, one in every_one])


def _name(path: str) -> str:
    """The end of a path tells most."""
    return path if len(path) <= NAME_CHARS else f"\u2026{path[1 - NAME_CHARS :]}"


NAV = (("checks", "Checks"), ("days", "Days"), ("calibration", "Calibration"))


def document() -> bytes:
    links = [
        el("li", el("a", title, el("span", class_="count", hidden=True) if name == "checks" else None,
                    href=f"#/{name}", data_view=name))
        for name, title in NAV
    ]  # fmt: skip
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", "Compass"),
        el("link", rel="icon", type="image/svg+xml", href="/page/static/icon.svg"),
        el("link", rel="stylesheet", href="/page/static/page.css"),
        el("script", Html(""), src="/page/static/page.js", type="module"),
    )
    header = el(
        "header",
        el(
            "div",
            el("a", _icon(), el("span", "Compass"), href="#/checks", class_="brand"),
            el("p", el("span", class_="dot", aria_hidden="true"), el("span", "not connected", id="state-text"),
               id="state", class_="off"),
            el("nav", el("ul", *links), aria_label="Views"),
            el("div", el("label", "Project", for_="project"), el("select", id="project"), class_="project", hidden=True,
               id="choose"),
            class_="wide",
        ),
    )  # fmt: skip
    main = el(
        "main",
        el("div", el("h1", "Opening", tabindex="-1"), el("p", "One moment."), class_="notice"),
        el("noscript", el("p", "This page needs its own script, which this browser does not run.")),
        id="view",
        class_="wide",
    )
    body = el(
        "body",
        el("a", "Skip to the content", href="#view", class_="skip"),
        header,
        main,
        el("div", id="said", role="status", aria_live="polite", class_="unseen"),
        el(
            "footer",
            el(
                "p",
                "This page looks on: nothing here releases a write, and it sends nothing anywhere.",
                class_="wide",
            ),
        ),
    )
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n".encode()


def _icon() -> Html:
    return el(
        "svg",
        el("circle", cx=12, cy=12, r=10, class_="ring"),
        el("path", d="M12 4.5l2.6 7.5H9.4z", class_="north"),
        el("path", d="M12 19.5l-2.6-7.5h5.2z", class_="south"),
        viewBox="0 0 24 24",
        aria_hidden="true",
        class_="icon",
    )


BYTES_MAX = 1024 * 1024
_VOID = frozenset(("br", "hr"))
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
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
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


def calibration_view(scope: PageScope, found: Chosen) -> Html:
    top = heading("Calibration")
    if found.project is None:
        return joined((top, _of_all(scope, found)))
    path = _path(found.here.calibration)
    text = _text(path)
    report = report_of(text) if text else None
    if report is None:
        return joined(
            (
                top,
                empty(
                    "This project is not calibrated yet",
                    "A calibration measures how often the gate would hold a clear write of this project, and how often "
                    "it would catch an unclear one, and sets thresholds by that. In the project's folder:",
                    command("compass calibrate"),
                ),
            )
        )
    measured = time.strftime("%Y-%m-%d", time.localtime(os.path.getmtime(path)))
    folder = el("bdi", found.here.project_dir)
    # A tree of its own, which the script makes: the report has a style sheet of its own.
    return joined(
        (
            top,
            el("p", f"Measured on {measured} for ", folder, ".", class_="soft"),
            el("div", report, class_="report", data_sheet="/page/static/report.css"),
        )
    )


def _of_all(scope: PageScope, found: Chosen) -> Html:
    rows = [
        el("li", el("button", el("bdi", one.project_dir), type="button", data_project=one.project_dir))
        for one in found.listed
        if os.path.isfile(_path(here_of(scope, one.project_dir).calibration))
    ]
    if not rows:
        return empty(
            "No project is calibrated yet",
            "In the folder of one that has some history:",
            command("compass calibrate"),
        )
    return joined((el("p", "Each project has a report of its own:"), el("ul", *rows, class_="links")))


def _path(calibration: str) -> str:
    return os.path.splitext(calibration)[0] + ".html"


def _text(path: str) -> str:
    """Empty where it is not there, or no report."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(BYTES_MAX)
    except OSError:
        return ""
