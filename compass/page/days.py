"""Rates and time added, day by day."""

from __future__ import annotations

import time
from collections.abc import Sequence

from markupsafe import Markup

from calibration.report.charts import bars, whiskers
from compass.page.scope import Chosen
from compass.page.views import render
from compass.show.log_line import cost_of, took_of
from compass.show.status import times_of
from evaluator.state.history import DayTally

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
        ("let run by you", str(sum(one.released for one in days))),
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
    return bars(counts, "Checks a day by how they ended; the table below has the figures", "checks")


def _added(days: Days) -> Markup:
    times = [(day[5:], times_of(one.durations) if one else None) for day, one in days]
    longest = max((one.p95 for _, one in times if one is not None), default=0)
    divisor, unit = (1000.0, "seconds") if longest >= SECONDS_FROM else (1.0, "milliseconds")
    what = "Median and 95th percentile of the time added a day; the table below has the figures"
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
