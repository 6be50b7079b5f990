"""What the service's page app asks for: its document and files, its views, rates day by day, and what came since."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from calibration.measurement.result import Result, result_of_json
from calibration.report.charts import bars, whiskers
from calibration.report.html import TEMPLATES
from calibration.report.page import part
from compass.page import views
from compass.page.project_choice import ALL, Chosen, PageScope, chosen, here_of
from compass.page.views import render
from compass.show.log_line import cost_of, took_of
from compass.show.status import times_of
from evaluator.service.page import News
from evaluator.state.history import DayTally

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
        """One view of the page as HTML. Raises StateError."""
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


CHOICES = (7, 14, 30)
DEFAULT = 14
STYLES = {"passed": "passed", "skipped": "not judged", "let-run": "let run", "held": "held"}
"""Words by style, from the axis upwards."""
SECONDS_FROM = 2_000
"""Milliseconds from which a chart counts seconds."""

Days = Sequence[tuple[str, DayTally | None]]


def days_view(found: Chosen, days: str) -> Markup:
    count = int(days) if days.isascii() and days.isdigit() and int(days) in CHOICES else DEFAULT
    named = last_days(count, time.time())
    kept = {one.day: one for one in found.here.history.days(found.project, start_of(named[0]))}
    shown = [(day, kept.get(day)) for day in named]
    return render(
        "days",
        count=count,
        spans=[(f"{one} days", f"days?n={one}", one == count) for one in CHOICES],
        styles=STYLES,
        summary=_summary(list(kept.values())),
        ended=_ended(shown),
        added=_added(shown),
        rows=[_row(one) for _, one in reversed(shown) if one is not None],
    )


def last_days(count: int, now: float) -> list[str]:
    """The last local days, oldest first. At noon, so that no change of the clock skips one."""
    local = time.localtime(now)
    noon = time.mktime((local.tm_year, local.tm_mon, local.tm_mday, 12, 0, 0, 0, 0, -1))
    return [
        time.strftime("%Y-%m-%d", time.localtime(noon - 86_400 * back)) for back in range(count - 1, -1, -1)
    ]


def start_of(day: str) -> float:
    return time.mktime(time.strptime(day, "%Y-%m-%d"))


def _summary(days: Sequence[DayTally]) -> list[tuple[str, str]]:
    judged = sum(one.passed + one.held + one.let_run for one in days)
    times = times_of(sorted(ms for one in days for ms in one.durations))
    costs = [one.cost_usd for one in days if one.cost_usd is not None]
    return [
        ("checks", str(sum(one.checks for one in days))),
        ("held, of those judged", f"{sum(one.held for one in days) / judged:.1%}" if judged else "none"),
        ("let through by you", str(sum(one.released for one in days))),
        ("cancelled by you", str(sum(one.cancelled for one in days))),
        ("time added, median", took_of(times.p50) if times else "none"),
        ("paid to readers", cost_of(sum(costs)) if costs else "nothing"),
    ]


def _ended(days: Days) -> Markup:
    counts = [
        (
            day[5:],
            dict(zip(STYLES, (one.passed, one.unjudged, one.let_run, one.held), strict=True)) if one else {},
        )
        for day, one in days
    ]
    return bars(counts, "Checks per day by how they ended; the table below has the figures", "checks")


def _added(days: Days) -> Markup:
    times = [(day[5:], times_of(one.durations) if one else None) for day, one in days]
    longest = max((one.p95 for _, one in times if one is not None), default=0)
    divisor, unit = (1000.0, "seconds") if longest >= SECONDS_FROM else (1.0, "milliseconds")
    what = "Median and 95th percentile of the time added per day; the table below has the figures"
    return whiskers(
        [(day, (one.p50 / divisor, one.p95 / divisor) if one else None) for day, one in times], what, unit
    )


def _row(one: DayTally) -> tuple[str, ...]:
    times = times_of(one.durations)
    return (
        one.day,
        *map(str, (one.passed, one.held, one.let_run, one.unjudged)),
        took_of(times.p50) if times else "",
        took_of(times.p95) if times else "",
        cost_of(one.cost_usd) if one.cost_usd else "",
    )
