"""Rates and time added, day by day."""

from __future__ import annotations

import time
from collections.abc import Sequence

from compass.page.charts import Bar, bars, whiskers
from compass.page.element import Html, el, joined
from compass.page.parts import command, empty, heading, table
from compass.page.scope import Chosen
from compass.show.log_line import cost_of, took_of
from compass.show.status import times_of
from evaluator.state.history import DayTally

CHOICES = (7, 14, 30)
DEFAULT = 14
STYLES = (("passed", "passed"), ("skipped", "not judged"), ("let-run", "let run"), ("held", "held"))
"""(style, word), from the axis upwards."""
SECONDS_FROM = 2_000
"""Milliseconds from which a chart counts seconds."""


def view(found: Chosen, days: str) -> Html:
    count = int(days) if days.isascii() and days.isdigit() and int(days) in CHOICES else DEFAULT
    named = _days(count, time.time())
    kept = {one.day: one for one in found.here.history.days(found.project, _start(named[0]))}
    top = heading("Rates and time added", _choice(count))
    if not kept:
        return joined(
            (
                top,
                empty(
                    f"No check in {count} days",
                    "Where the gate is on, each write of your agent is counted here. In your project:",
                    command("compass status"),
                ),
            )
        )
    shown = [(day, kept.get(day)) for day in named]
    return joined(
        (
            top,
            _summary(list(kept.values())),
            el("div", _ended(shown), _added(shown), class_="pair"),
            _table(shown),
        )
    )


def _days(count: int, now: float) -> list[str]:
    """The last local days, oldest first. At noon, so that no change of the clock skips one."""
    local = time.localtime(now)
    noon = time.mktime((local.tm_year, local.tm_mon, local.tm_mday, 12, 0, 0, 0, 0, -1))
    return [
        time.strftime("%Y-%m-%d", time.localtime(noon - 86_400 * back)) for back in range(count - 1, -1, -1)
    ]


def _start(day: str) -> float:
    return time.mktime(time.strptime(day, "%Y-%m-%d"))


def _choice(count: int) -> Html:
    links = [
        el("a", f"{one} days", href=f"#/days?n={one}", aria_current="true" if one == count else None)
        for one in CHOICES
    ]
    return el("div", *links, class_="choice", role="group", aria_label="How many days")


def _summary(days: Sequence[DayTally]) -> Html:
    judged = sum(one.passed + one.held + one.let_run for one in days)
    held = sum(one.held for one in days)
    released, cancelled = sum(one.released for one in days), sum(one.cancelled for one in days)
    times = times_of(sorted(ms for one in days for ms in one.durations))
    costs = [one.cost_usd for one in days if one.cost_usd is not None]
    shown = [
        ("checks", str(sum(one.checks for one in days))),
        ("held, of those judged", f"{held / judged:.1%}" if judged else "none"),
        ("let run by you", str(released)),
        ("cancelled by you", str(cancelled)),
        ("time added, median", took_of(times.p50) if times else "none"),
        ("paid to readers", cost_of(sum(costs)) if costs else "nothing"),
    ]
    return el("dl", *[el("div", el("dt", name), el("dd", value)) for name, value in shown], class_="tiles")


def _ended(days: Sequence[tuple[str, DayTally | None]]) -> Html:
    found = [Bar(day[5:], _parts(one)) for day, one in days]
    key = [
        el("li", el("svg", el("rect", class_=style, width="10", height="10", rx="2"), viewBox="0 0 10 10",
                    aria_hidden="true"), word)
        for style, word in STYLES
    ]  # fmt: skip
    return el(
        "figure",
        el("h2", "How checks ended"),
        bars(found, "Checks a day by how they ended; the table below has the figures", "checks"),
        el("ul", *key, class_="key"),
    )


def _parts(one: DayTally | None) -> tuple[tuple[str, float], ...]:
    if one is None:
        return ()
    counts = {"passed": one.passed, "skipped": one.unjudged, "let-run": one.let_run, "held": one.held}
    return tuple((style, float(counts[style])) for style, _ in STYLES)


def _added(days: Sequence[tuple[str, DayTally | None]]) -> Html:
    times = [(day, times_of(one.durations) if one else None) for day, one in days]
    longest = max((one.p95 for _, one in times if one is not None), default=0)
    divisor, unit = (1000.0, "seconds") if longest >= SECONDS_FROM else (1.0, "milliseconds")
    found = [
        (day[5:], (one.p50 / divisor, one.p95 / divisor) if one is not None else None) for day, one in times
    ]
    return el(
        "figure",
        el("h2", "Time that a check added"),
        whiskers(
            found, "Median and 95th percentile of the time added a day; the table below has the figures", unit
        ),
        el("figcaption", "The dot is the median, the line goes up to the 95th percentile."),
    )


def _table(days: Sequence[tuple[str, DayTally | None]]) -> Html:
    rows: list[tuple[str, ...]] = []
    for day, one in reversed(days):
        if one is None:
            continue
        times = times_of(one.durations)
        rows.append(
            (
                day,
                str(one.passed),
                str(one.held),
                str(one.let_run),
                str(one.unjudged),
                took_of(times.p50) if times else "",
                took_of(times.p95) if times else "",
                cost_of(one.cost_usd) if one.cost_usd else "",
            )
        )
    head = ("Day", "Passed", "Held", "Let run", "Not judged", "Median", "95 %", "Paid")
    return table("Days with checks, newest first", head, rows)
