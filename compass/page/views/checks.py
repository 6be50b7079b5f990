"""The checks as they happen: what waits for its user, the last day in figures, and a row a check."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from urllib.parse import quote

from compass.api.past import questions
from compass.page.element import Html, el, joined
from compass.page.parts import chip, command, empty, heading, kind_of, moment
from compass.page.scope import Chosen
from compass.show.log_line import cost_of, took_of, verdict_of, why_of
from compass.show.status import times_of
from compass.show.stored import check_of
from evaluator.errors import StateError
from evaluator.record import replace
from evaluator.stamps import DAY_SECONDS
from evaluator.state.history import KeptCheck
from evaluator.trigger.rules import display_target

SHOWN = 60
NEWS_MAX = 200
PLACE_DIGITS = 18
HELD_ONLY = "held"


def view(found: Chosen, only: str) -> Html:
    history = found.here.history
    last = history.last_place()
    kept = history.newest(found.project, SHOWN, denied=only == HELD_ONLY)
    waiting = waits(found)
    rows = [row(one, everywhere=found.project is None) for one in reversed(kept)]
    listed = el("ol", *rows, id="rows", class_="rows", aria_label="Checks, newest first")
    return joined(
        (
            heading("Checks", _choice(only)),
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
    return el(
        "li",
        el("a", *_spaced(cells), href=f"#/check/{quote(check.check_id, safe='')}", class_="line"),
        class_=f"row {kind_of(outcome)}",
        data_place=kept.place,
        data_said=said,
    )


def _spaced(cells: Sequence[Html]) -> list[str]:
    """With blanks between, which no style shows, and whoever listens hears."""
    return [piece for cell in cells for piece in (cell, " ")]


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


def _choice(only: str) -> Html:
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
