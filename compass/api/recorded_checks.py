"""What was recorded: past checks, and what waits for its user. Changes nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, cast

from compass.api.project import expect, folder_of
from compass.api.records import PastCheck, PendingQuestion, verdict_of
from compass.composition.settings import Here, here
from evaluator.errors import StateError
from evaluator.intervention import resolution
from evaluator.intervention.language import language_of
from evaluator.intervention.messages import texts_in
from evaluator.model import Check, Concern
from evaluator.state.history import HeldSession
from evaluator.trigger.exemptions import display, display_target

if TYPE_CHECKING:
    from os import PathLike


DOUBTED: Mapping[Concern, str] = {
    "target": "It is not clear which thing is meant.",
    "scope": "It goes further than, or somewhere other than, what was asked for.",
    "context": "What was said does not settle this.",
    "destructive": "Something that nobody mentioned would be lost.",
    "none": "The request can be understood in more than one way.",
}
LISTED_MAX = 10
NEWEST = 20


def past_check(found: Here, check_id: str, *, anywhere: bool = False) -> PastCheck:
    """The newest where `check_id` is empty, else the one whose id begins so; of this project, or `anywhere`.

    Raises StateError where there is no such check, or several.
    """
    history = found.history
    if not check_id:
        newest = history.newest(found.project, 1)
        if not newest:
            raise StateError("no check of this project is kept yet")
        return _past(newest[-1].at, newest[-1].record)
    named = history.named(check_id)
    below = found.project.rstrip(os.sep) + os.sep
    listed = [one for one in named if anywhere or f"{one.project_dir}{os.sep}".startswith(below)]
    if len(listed) != 1:
        many = "more than one check begins with that: give more of the id"
        raise StateError(many if listed else f"no such check{'' if anywhere else ' in this project'}")
    record = history.check(listed[0].check_id)
    if record is None:
        raise StateError("that check is no longer kept")
    return _past(listed[0].at, record)


def past_checks(found: Here, count: int) -> tuple[PastCheck, ...]:
    """The newest checks, newest first."""
    kept = found.history.newest(found.project, max(0, count))
    return tuple(_past(one.at, one.record) for one in reversed(kept))


def _past(at: float, record: Mapping[str, object]) -> PastCheck:
    from compass.show.log_line import check_of, why_of
    from compass.show.log_line import verdict_of as outcome_of

    check = check_of(record)
    doubt = ""
    if check.convergence is not None and check.verdict == "failed":
        doubt = doubt_of(check.convergence.primary_concern, check.convergence.rationale)
    evidence = record.get("evidence")
    return PastCheck(
        verdict=verdict_of(check, check.told),
        at=at,
        session=check.pending.session_id,
        host=check.pending.host,
        project=check.pending.project_dir,
        write=_write(check),
        outcome=cast(Literal["held", "let run", "passed", "skipped"], outcome_of(check)),
        why=": ".join(filter(None, (why_of(check), doubt))),
        evidence=cast("Mapping[str, object]", evidence) if isinstance(evidence, dict) else None,
    )


def doubt_of(concern: Concern, rationale: str) -> str:
    """What readers doubted of a write, in words. Without a doubt the rationale is that of a reader who saw nothing."""
    return " ".join(filter(None, (DOUBTED[concern], rationale if concern != "none" else "")))


def _write(check: Check) -> str:
    effects = check.effects
    if effects is None:
        return check.pending.tool_name
    if len(effects.targets) == 1:
        return f"{effects.operation} {display(effects.targets[0], check.pending.project_dir)}"
    return f"{effects.operation}: {display_target(check.pending, effects.targets)}"


def questions(found: Here, now: float) -> tuple[PendingQuestion, ...]:
    """What is held in a project's sessions and waits for its user. Raises StateError for state that cannot be read."""
    asked = [_question(one, now) for one in found.history.held(found.project)]
    return tuple(one for one in asked if one is not None)[:LISTED_MAX]


def _question(one: HeldSession, now: float) -> PendingQuestion | None:
    held = resolution.heard_since(one.held, one.prompts, now)
    left = resolution.waiting(held, now)
    if held is None or not left:
        return None
    rows = texts_in(language_of(" ".join(held.request))).rows
    readings = held.readings if len(held.readings) > 1 else ()
    return PendingQuestion(
        session=one.session_id,
        since=held.opened_at,
        held=tuple(
            f"{call.operation} {', '.join(display(target, one.project_dir) for target in call.targets)}".strip()
            for call in (denial.call for denial in left)
        ),
        readings=tuple(readings),
        user_said=tuple(held.chosen or held.clarifications),
        user_may=rows["choose" if readings else "say"],
    )


def explain(check_id: str = "", *, project: str | PathLike[str] | None = None) -> PastCheck:
    """The check of that id, or whose id begins so: of any project, or of `project` where one is named. Without an id
    the newest of `project`, by default the working directory.

    Raises CompassError where there is none, or several.
    """
    expect(check_id=check_id, project=project)
    return past_check(_here(project), check_id, anywhere=project is None)


def checks(*, project: str | PathLike[str] | None = None, newest: int = NEWEST) -> tuple[PastCheck, ...]:
    """The last checks of a project, newest first. Raises CompassError for state that cannot be read."""
    expect(newest=newest)
    return past_checks(_here(project), newest)


def pending_questions(*, project: str | PathLike[str] | None = None) -> tuple[PendingQuestion, ...]:
    """What is held in a project's sessions and waits for its user. Raises CompassError as `checks`."""
    return questions(_here(project), time.time())


def _here(project: str | PathLike[str] | None) -> Here:
    expect(project=project)
    return here(folder_of(project))
