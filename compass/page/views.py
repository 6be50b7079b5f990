"""The checks as they happen (the last day in figures, a row a check), and one check whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from calibration.report.html import environment, filled
from compass.composition.settings import Here, here_from, load, project_of
from compass.page import PageScope
from compass.show.check import (
    check_of,
    cost_of,
    lines_of,
    shown_of,
    target_of,
    took_of,
    verdict_of,
    why_of,
    words_of,
)
from evaluator.errors import StateError
from evaluator.model import AnsweredQuestion
from evaluator.settings.places import home_of, set_by
from evaluator.state.history import KeptCheck
from evaluator.text import DAY_SECONDS

OUTCOMES = {"held": "held", "let run": "let run", "passed": "passed", "skipped": "not judged"}
"""What became of a call, as `compass log` names it, and as the page does."""
SHOWN = 60
SAID_MAX = 400
"""Characters of what was said, shown or done; the check itself has all of it."""


def render(name: str, **given: object) -> Markup:
    return filled(_page_templates(), f"{name}.html", given)


@cache
def _page_templates() -> Environment:
    found = environment(Path(__file__).with_name("templates"))

    def style(outcome: str) -> str:
        """Its name in the style sheet."""
        return outcome.replace(" ", "-") if outcome in OUTCOMES else "skipped"

    def told(outcome: str) -> str:
        return OUTCOMES.get(outcome, outcome)

    def stamp(at: float) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(at))

    named = (("kind", style), ("outcome", told), ("clock", _format_view_time), ("stamp", stamp))
    own: dict[str, Callable[..., str]] = dict(named)
    found.filters.update(own)
    return found


def _format_view_time(at: float, whole: bool) -> str:
    """In this machine's time: of today the clock alone, unless the `whole` is wanted."""
    local = time.localtime(at)
    clock, day = time.strftime("%H:%M:%S", local), time.strftime("%Y-%m-%d", local)
    today = day == time.strftime("%Y-%m-%d")
    return f"{day} {clock}" if whole else clock if today else f"{day[5:]} {clock[:5]}"


def here_of(scope: PageScope) -> Here:
    """The asker's project: `compass.composition.settings.here` in a process of many, whose environment stays as it is.
    Raises StateError."""
    env = dict(scope.env)
    directory = project_of(env, scope.cwd)
    return here_from(env, directory, load(env, home_of(env), directory))


def view(scope: PageScope, name: str, given: Mapping[str, str]) -> str | None:
    """One view of the page as HTML; None where there is none of that name. Raises StateError."""
    if name == "checks":
        found = here_of(scope)
        held_only = given.get("only") == "held"
        kept = found.history.newest(found.project, SHOWN, denied=held_only)
        tallies = found.history.tallies(found.project, time.time() - DAY_SECONDS)
        ran = sum(one.count for one in tallies if (one.verdict, one.decision) == ("failed", "allow"))
        day = [
            ("checks in 24 hours", str(sum(one.count for one in tallies))),
            ("held", str(sum(one.count for one in tallies if one.decision == "deny"))),
            *([("would have been held", str(ran))] if ran else []),
        ]
        rows, tiles = [row(one) for one in reversed(kept)], day if kept else ()
        return render("checks", project=found.project, held_only=held_only, rows=rows, tiles=tiles)
    if name == "check":
        return _check_view(here_of(scope), given.get("id", ""))
    return None


def row(kept: KeptCheck) -> Markup:
    try:
        check = check_of(kept.record)
    except StateError as error:
        return render("row", row={"fault": str(error)})
    effects, outcome, told = check.effects, verdict_of(check), []
    if outcome in ("held", "let run"):
        names = ("You said", "You were shown", "What the agent would have done")
        told = [(name, text[:SAID_MAX]) for name, text in zip(names, words_of(check), strict=True)]
    return render(
        "row",
        row={
            "fault": "",
            "check_id": check.check_id,
            "at": kept.at,
            "outcome": outcome,
            "operation": effects.operation if effects is not None else check.pending.tool_name,
            "what": target_of(check),
            "why": why_of(check),
            "took": took_of(kept.duration_ms),
            "cost": cost_of(kept.cost_usd) if kept.cost_usd else "",
            "told": told,
        },
    )


CHOSEN, OPEN = "\u25cf", "\u25cb"
JUDGED = ("mean", "deviation", "agreement", "concern", "rationale", "readers", "how sure")
"""Of what `compass explain` tells, what the readers came to."""


def _check_view(found: Here, check_id: str) -> Markup:
    """One check whole, as HTML. Raises StateError for a record that is none."""
    record = found.history.check(check_id) if check_id else None
    if record is None:
        return render("check", check=None, keeps_days=set_by("retention_days", "DAYS"))
    check = check_of(record)
    at = record.get("at")
    costs = [sample.cost_usd for sample in check.samples if sample.cost_usd]
    inside = check.pending.project_dir.rstrip("/") + "/"
    lines: Mapping[str, str] = dict(lines_of(check))
    shown = JUDGED if check.convergence is not None else ("readers",)
    return render(
        "check", check=check, at=float(at) if isinstance(at, (int, float)) else check.at, named=target_of(check),
        outcome=verdict_of(check), why=why_of(check), cost=cost_of(sum(costs)) if costs else "",
        keeps=set_by("store_evidence", "true"), options=_view_question_options,
        targets=[one.removeprefix(inside) for one in check.effects.targets] if check.effects else (),
        judged=[(label.capitalize(), lines[label]) for label in shown if label in lines],
        readers=max(1, sum(not one.error for one in check.samples)),
        told=(("What you were shown", shown_of(check)), ("What the agent was told", check.detail)),
    )  # fmt: skip


def _view_question_options(one: AnsweredQuestion) -> str:
    """Those that were chosen are marked; an answer in the user's own words stands alone."""
    listed = [f"{CHOSEN if option in one.answers else OPEN} {option}" for option in one.options]
    own = [answer for answer in one.answers if answer not in one.options]
    return "\n".join([*listed, *(f"{CHOSEN} {answer}" for answer in own)])
