"""What the service's page app asks for: its document and files, its views, and what came since."""

from __future__ import annotations

import os
from collections.abc import Mapping

from compass.page import report, shell
from compass.page.element import Html
from compass.page.scope import ALL, Chosen, Scope, chosen
from compass.page.views import checks
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
    """`evaluator.service.page.Pages` over what is kept. Views are imported when they are first asked for."""

    def document(self) -> bytes:
        return shell.document()

    def static(self, name: str) -> tuple[str, bytes] | None:
        if name == REPORT_SHEET:
            return FILES["page.css"], report.report_style()
        media = FILES.get(name)
        if media is None:
            return None
        with open(os.path.join(FOLDER, name), "rb") as file:
            return media, file.read()

    def view(self, scope: Scope, name: str, given: Mapping[str, str]) -> str | None:
        """Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        if name == "projects":
            return _projects(found)
        if name == "checks":
            return checks.view(found, given.get("only", ""))
        if name == "check":
            from compass.page.views import check

            return check.view(found, given.get("id", ""))
        if name == "days":
            from compass.page.views import days

            return days.view(found, given.get("n", ""))
        if name == "calibration":
            from compass.page.views import calibration

            return calibration.view(scope, found)
        return None

    def news(self, scope: Scope, given: Mapping[str, str], mark: str) -> News:
        """A row a check, then the figures; and what waits, where that is another. Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        only = given.get("only", "")
        place = checks.place_of(mark)
        fresh, now = (
            checks.since(found, only, place) if place is not None else ([], found.here.history.last_place())
        )
        waiting = checks.waits(found)
        after = checks.mark_of(now, waiting)
        events = [("check", str(checks.row(one, everywhere=found.project is None))) for one in fresh]
        if place is not None and now != place:
            events.append(("tiles", str(checks.tiles(found))))
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
    return shell.projects([*rows, *((path, _name(path), False) for path in others)])


def _name(path: str) -> str:
    """The end of a path tells most."""
    return path if len(path) <= NAME_CHARS else f"\u2026{path[1 - NAME_CHARS :]}"
