"""What the service's page app asks for: its document and files, its views, and what came since."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from calibration.measurement.result import Result, result_of_json
from calibration.report.html import TEMPLATES
from calibration.report.page import part
from compass.page import views
from compass.page.days import days_view
from compass.page.scope import ALL, Chosen, PageScope, chosen, here_of
from compass.page.views import render
from evaluator.service.page import News

STATIC = Path(__file__).with_name("static")
FILES = {
    "page.css": (STATIC, "text/css; charset=utf-8"),
    "page.js": (STATIC, "text/javascript; charset=utf-8"),
    "icon.svg": (STATIC, "image/svg+xml"),
    "report.css": (TEMPLATES, "text/css; charset=utf-8"),
}
NAME_CHARS = 60
REPORT_BYTES_MAX = 16 * 1024 * 1024


class ServicePages:
    """`evaluator.service.page.Pages` over what is kept."""

    def document(self) -> bytes:
        return (STATIC / "page.html").read_bytes()

    def static(self, name: str) -> tuple[str, bytes] | None:
        if name not in FILES:
            return None
        folder, media = FILES[name]
        return media, (folder / name).read_bytes()

    def view(self, scope: PageScope, name: str, given: Mapping[str, str]) -> str | None:
        """Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        if name == "projects":
            return _projects(found)
        if name == "checks":
            return views.checks_view(found, given.get("only", ""))
        if name == "check":
            return views.check_view(found, given.get("id", ""))
        if name == "days":
            return days_view(found, given.get("n", ""))
        if name == "calibration":
            return _calibration(scope, found)
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


def _projects(found: Chosen) -> Markup:
    """The asker's own comes first; where it has no check, every project is what is shown at first."""
    own = found.here.project
    has_checks = any(one.project_dir == own or one.project_dir.startswith(f"{own}/") for one in found.listed)
    # Asked for once, at the start: nothing is chosen yet.
    every = not has_checks and bool(found.listed)
    others = [one.project_dir for one in found.listed if one.project_dir != own]
    first = [(own, f"{_name(own)} (here)", not every), (ALL, "Every project", every)]
    return render("projects", rows=[*first, *((path, _name(path), False) for path in others)])


def _name(path: str) -> str:
    """The end of a path tells most."""
    return path if len(path) <= NAME_CHARS else f"\u2026{path[1 - NAME_CHARS :]}"


def _calibration(scope: PageScope, found: Chosen) -> Markup:
    everywhere = found.project is None
    there = not everywhere and os.path.isfile(found.here.calibration)
    result = _result(found.here.calibration) if there else None
    return render(
        "report",
        everywhere=everywhere,
        unread=there and result is None,
        report=part(result) if result is not None else "",
        measured=result.date[:10] if result is not None else "",
        project_dir=found.here.project_dir,
        calibrated=[
            one.project_dir
            for one in (found.listed if everywhere else ())
            if os.path.isfile(here_of(scope, one.project_dir).calibration)
        ],
    )


def _result(path: str) -> Result | None:
    """None for one that this version does not read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return result_of_json(file.read(REPORT_BYTES_MAX))
    except (OSError, ValueError):
        return None
