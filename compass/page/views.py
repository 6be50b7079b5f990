"""The checks as they happen: what waits for its user, the last day in figures, and a row a check; and rates and time
added, day by day."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from urllib.parse import quote

from compass.api.past import questions
from compass.page.charts import Bar, bars, whiskers
from compass.page.element import (
    Html,
    chip,
    command,
    el,
    empty,
    facts,
    heading,
    joined,
    kind_of,
    moment,
    table,
)
from compass.page.scope import Chosen
from compass.show.log_line import check_of, cost_of, took_of, verdict_of, why_of, words_of
from compass.show.status import times_of
from evaluator.errors import StateError
from evaluator.record import replace
from evaluator.state.history import DayTally, KeptCheck
from evaluator.text import DAY_SECONDS
from evaluator.trigger.rules import display_target

SHOWN = 60
NEWS_MAX = 200
SAID_MAX = 400
"""Characters of what was said, shown or done; the check itself has all of it."""
PLACE_DIGITS = 18
HELD_ONLY = "held"


def checks_view(found: Chosen, only: str) -> Html:
    history = found.here.history
    last = history.last_place()
    kept = history.newest(found.project, SHOWN, denied=only == HELD_ONLY)
    waiting = waits(found)
    rows = [row(one, everywhere=found.project is None) for one in reversed(kept)]
    listed = el("ol", *rows, id="rows", class_="rows", aria_label="Checks, newest first")
    return joined(
        (
            heading("Checks", _which(only)),
            el("div", waiting, id="waiting"),
            el("div", tiles(found) if found.listed else None, id="tiles"),
            listed,
            _none(found, only) if not rows else None,
            el("div", id="mark", hidden=True, data_mark=mark_of(last, waiting)),
        )
    )


def mark_of(place: int, waiting: str) -> str:
    """From where the stream goes on: the newest check, and what was shown to wait."""
    return f"{place}.{hashlib.sha256(waiting.encode('utf-8', 'replace')).hexdigest()[:16]}"


def place_of(mark: str) -> int | None:
    """None for a mark that is none."""
    place, _, _ = mark.partition(".")
    return int(place) if place.isascii() and place.isdigit() and len(place) <= PLACE_DIGITS else None


def since(found: Chosen, only: str, place: int) -> tuple[list[KeptCheck], int]:
    """What was kept behind that place, oldest first, and the newest place. A place beyond it begins anew."""
    history = found.here.history
    newest = history.last_place()
    if newest == place:
        return [], place
    # Another database stands there.
    behind = place if newest > place else 0
    fresh = history.newest(found.project, NEWS_MAX, denied=only == HELD_ONLY, after=behind)
    return fresh, max([newest, *(one.place for one in fresh)])


def row(kept: KeptCheck, *, everywhere: bool) -> Html:
    """One check in a line, which leads to the whole of it."""
    try:
        check = check_of(kept.record)
    except StateError as error:
        return el("li", el("div", el("span", str(error), class_="why"), class_="line"), class_="row skipped")
    outcome = verdict_of(check)
    targets = check.effects.targets if check.effects is not None else ()
    what = display_target(check.pending, targets)
    operation = check.effects.operation if check.effects is not None else check.pending.tool_name
    folder = os.path.basename(check.pending.project_dir.rstrip("/")) if everywhere else ""
    cells = (
        el("span", moment(kept.at), class_="when"),
        el("span", chip(outcome), class_="outcome"),
        el("span", el("span", operation, class_="operation"), " ", el("bdi", what, class_="target"),
           el("span", folder, class_="folder") if folder else None, class_="what"),
        el("span", why_of(check), class_="why"),
        el("span", took_of(kept.duration_ms), class_="took"),
        el("span", cost_of(kept.cost_usd) if kept.cost_usd else "", class_="cost"),
    )  # fmt: skip
    said = f"{outcome}: {operation} {what}"
    # Blanks between, which no style shows, and whoever listens hears.
    spaced = [piece for cell in cells for piece in (cell, " ")]
    names = ("You said", "You were shown", "It would have done")
    told = None
    if outcome in ("held", "let run"):
        told = facts([(name, text[:SAID_MAX]) for name, text in zip(names, words_of(check), strict=True)])
    return el(
        "li",
        el("a", *spaced, href=f"#/check/{quote(check.check_id, safe='')}", class_="line"),
        told,
        class_=f"row {kind_of(outcome)}",
        data_place=kept.place,
        data_said=said,
    )


def tiles(found: Chosen) -> Html:
    """The last day in figures."""
    history, start = found.here.history, time.time() - DAY_SECONDS
    tallies = history.tallies(found.project, start)
    times = times_of(history.durations(found.project, start))
    held = sum(one.count for one in tallies if one.decision == "deny")
    ran = sum(one.count for one in tallies if (one.verdict, one.decision) == ("failed", "allow"))
    shown = [
        ("checks in 24 hours", str(sum(one.count for one in tallies))),
        ("held", str(held)),
        ("would have been held", str(ran)) if ran else None,
        ("time added, median", took_of(times.p50) if times else "none"),
        ("time added, 95 %", took_of(times.p95) if times else "none"),
    ]
    return el("dl", *[el("div", el("dt", one[0]), el("dd", one[1])) for one in shown if one], class_="tiles")


def waits(found: Chosen) -> Html:
    """What is held and waits for its user. Empty without any."""
    here = found.here if found.project is not None else replace(found.here, project=os.sep)
    asked = questions(here, time.time())
    if not asked:
        return Html("")
    cards = [
        el(
            "li",
            el("p", "Held since ", moment(one.since), ": ", el("b", "; ".join(one.held), dir="auto")),
            el("ol", *[el("li", text, dir="auto") for text in one.readings]) if one.readings else None,
        )
        for one in asked
    ]
    title = "1 question waits for you" if len(cards) == 1 else f"{len(cards)} questions wait for you"
    return el(
        "section",
        el("h2", title),
        el("ul", *cards),
        el("p", "Answer in the session itself, where the choices stand. This page only looks on: it releases nothing.",
           class_="soft"),
        class_="waiting",
    )  # fmt: skip


def _which(only: str) -> Html:
    return el(
        "div",
        el("a", "All", href="#/checks", aria_current="true" if only != HELD_ONLY else None),
        el(
            "a", "Held", href=f"#/checks?only={HELD_ONLY}", aria_current="true" if only == HELD_ONLY else None
        ),
        class_="choice",
        role="group",
        aria_label="Which checks",
    )


def _none(found: Chosen, only: str) -> Html:
    if only == HELD_ONLY:
        return empty("Nothing was held", "No write failed its check here, so far as it is kept.")
    if found.listed:
        return empty(
            "No check of this project yet",
            "Others have some: choose one above, or every project. Where the gate is on, a check appears here as "
            "soon as your agent writes.",
        )
    return empty(
        "No check yet",
        "Once the gate is on and your agent writes, each check appears here as it happens. In your project:",
        command("compass init\ncompass doctor"),
        "Or see a held write and its answers first, in a scratch folder:",
        command("compass try"),
    )


CHOICES = (7, 14, 30)
DEFAULT = 14
STYLES = (("passed", "passed"), ("skipped", "not judged"), ("let-run", "let run"), ("held", "held"))
"""(style, word), from the axis upwards."""
SECONDS_FROM = 2_000
"""Milliseconds from which a chart counts seconds."""


def days_view(found: Chosen, days: str) -> Html:
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
