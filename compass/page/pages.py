"""What the service's page app asks for: its document and files, its views, and what came since."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from compass.page import views
from compass.page.project_choice import ALL, Chosen, PageScope, chosen
from compass.page.views import render
from evaluator.service.page import News

STATIC = Path(__file__).with_name("static")
FILES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
NAME_CHARS = 60


class ServicePages:
    """`evaluator.service.page.Pages` over what is kept."""

    def document(self) -> bytes:
        return (STATIC / "page.html").read_bytes()

    def static(self, name: str) -> tuple[str, bytes] | None:
        if name not in FILES:
            return None
        return FILES[name], (STATIC / name).read_bytes()

    def view(self, scope: PageScope, name: str, given: Mapping[str, str]) -> str | None:
        """One view of the page as HTML. Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        if name == "projects":
            return _projects(found)
        if name == "checks":
            return views.checks_view(found, given.get("only", ""))
        if name == "check":
            return views.check_view(found, given.get("id", ""))
        return None

    def news(self, scope: PageScope, given: Mapping[str, str], mark: str) -> News:
        """A row a check, then the figures. Raises StateError."""
        found = chosen(scope, given.get("project", ""))
        only = given.get("only", "")
        place = views.place_of(mark)
        if place is None:
            return News((), str(found.here.history.last_place()))
        fresh, now = views.since(found, only, place)
        events = [("check", str(views.row(one, everywhere=found.project is None))) for one in fresh]
        if now != place:
            events.append(("tiles", str(views.tiles(found))))
        return News(tuple(events), str(now))


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
