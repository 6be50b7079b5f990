"""`explain`, `feedback` and the resources: the kept checks of one project, in words. Changes nothing."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from typing import cast

from compass.advising import words
from compass.advising.answers import Explanation, Feedback, Lesson, Listed
from compass.joining.kept_checks import Here
from compass.show.log_line import verdict_of, why_of
from compass.show.stored import check_of
from evaluator.errors import StateError
from evaluator.model import Check, Concern, Convergence
from evaluator.state.history import Kept
from evaluator.trigger.rules import display, display_target
from evaluator.verdict.readings import choices

CHECKS_LISTED = 20
LOOKED_AT = 300
LESSONS_MAX = 5
REQUEST_CHARS = 500
CLOCK = "%Y-%m-%d %H:%M"
JUDGED = ("low_confidence", "disagreement", "low_agreement", "insufficient_context")
"""Reasons of a denial that a clearer exchange would have saved."""


def explained(found: Here, check_id: str) -> Explanation:
    """Of the newest check where `check_id` is empty, else of the one whose id begins so.

    Raises StateError where this project has no such check, or several.
    """
    if not check_id:
        newest = found.history.newest(found.project, 1)
        if not newest:
            raise StateError("no check of this project is kept yet")
        return _explained(newest[-1].at, check_of(newest[-1].record))
    listed = [one for one in found.history.named(check_id) if _inside(one.project_dir, found.project)]
    if len(listed) != 1:
        many = (
            "more than one check begins so: give more of the id"
            if listed
            else "no such check in this project"
        )
        raise StateError(many)
    record = found.history.check(listed[0].check_id)
    if record is None:
        raise StateError("that check is no longer kept")
    return _explained(listed[0].at, check_of(record))


def last_checks(found: Here) -> list[Listed]:
    """Newest first."""
    listed: list[Listed] = []
    for kept in reversed(found.history.newest(found.project, CHECKS_LISTED)):
        check = check_of(kept.record)
        listed.append(
            Listed(
                check_id=check.check_id, when=_clock(kept.at), outcome=verdict_of(check), write=_write(check)
            )
        )
    return listed


def feedback_of(found: Here) -> Feedback:
    """How the newest requests whose writes were held came to their end, newest first."""
    kept = found.history.newest(found.project, LOOKED_AT)
    checks = [(one, check_of(one.record)) for one in kept]
    turns: dict[tuple[str, object], list[int]] = {}
    for place, (one, check) in enumerate(checks):
        if check.decision == "deny" and check.verdict == "failed" and check.reason in JUDGED:
            turns.setdefault(_turn_of(one, check), []).append(place)
    lessons = [_lesson(checks, places) for places in list(turns.values())[::-1][:LESSONS_MAX]]
    doubts: Counter[Concern] = Counter(_concern(checks[places[0]][1]) for places in turns.values())
    return Feedback(summary=_summary(len(checks), len(turns), doubts), lessons=lessons)


def _explained(at: float, check: Check) -> Explanation:
    found, exchange = check.convergence, check.exchange
    doubt = ""
    if found is not None and check.verdict == "failed":
        doubt = _doubt(found)
    readings = choices(check.samples, check.pending.project_dir, exchange) if exchange is not None else ()
    return Explanation(
        check_id=check.check_id,
        when=_clock(at),
        session=check.pending.session_id,
        write=_write(check),
        outcome=verdict_of(check),
        why=": ".join(filter(None, (why_of(check), doubt))),
        readings=[one.text for one in readings] if check.verdict == "failed" else [],
        question=check.told,
    )


def _lesson(checks: Sequence[tuple[Kept, Check]], places: Sequence[int]) -> Lesson:
    kept, first = checks[places[0]]
    concern = _concern(first)
    said = first.exchange.request_text if first.exchange is not None else ""
    doubt = _doubt(first.convergence) if first.convergence is not None else words.DOUBTED[concern]
    held = dict.fromkeys(_write(checks[place][1]) for place in places)
    return Lesson(
        when=_clock(kept.at),
        session=first.pending.session_id,
        request=said[:REQUEST_CHARS],
        held=list(held),
        open=doubt,
        settled=_settled([check for _, check in checks[places[0] + 1 :]], first),
        coach=words.COACHED[concern],
    )


def _settled(later: Sequence[Check], first: Check) -> str:
    """By what became of the same targets afterwards, in the same session; of others where the user chose those."""
    targets = set(first.effects.targets) if first.effects is not None else set[str]()
    for check in later:
        if check.pending.session_id != first.pending.session_id:
            continue
        chosen = check.resolved is not None and check.decision == "allow"
        same = check.effects is not None and (not targets or targets & set(check.effects.targets))
        ended = check.decision == "allow" or check.reason == "cancelled"
        if ended and (chosen or same) and check.reason in words.SETTLED:
            labels = ", ".join(check.resolved.labels) if check.resolved is not None else ""
            return words.SETTLED[check.reason] + (f": {labels}" if labels else "")
    return words.OPEN


def _doubt(found: Convergence) -> str:
    """Without a doubt the rationale is that of a reader who saw nothing."""
    concern = found.primary_concern
    return " ".join(filter(None, (words.DOUBTED[concern], found.rationale if concern != "none" else "")))


def _summary(checks: int, held: int, doubts: Counter[Concern]) -> str:
    if not checks:
        return "No check of this project is kept yet."
    if not held:
        return f"None of the last {checks} checks held a write for want of clear words."
    told = "; ".join(
        f"{words.DOUBTED[concern].rstrip('.').lower()} ({count})" for concern, count in doubts.most_common()
    )
    return f"In the last {checks} checks {held} request{'s' if held > 1 else ''} had writes held: {told}."


def _concern(check: Check) -> Concern:
    return check.convergence.primary_concern if check.convergence is not None else "none"


def _turn_of(kept: Kept, check: Check) -> tuple[str, object]:
    turn = kept.record.get("turn")
    ordinal = cast(dict[str, object], turn).get("ordinal") if isinstance(turn, dict) else None
    return check.pending.session_id, ordinal


def _write(check: Check) -> str:
    effects = check.effects
    if effects is None:
        return check.pending.tool_name
    if len(effects.targets) == 1:
        return f"{effects.operation} {display(effects.targets[0], check.pending.project_dir)}"
    return f"{effects.operation}: {display_target(check.pending, effects.targets)}"


def _inside(folder: str, project: str) -> bool:
    return folder == project or folder.startswith(project.rstrip(os.sep) + os.sep)


def _clock(at: float) -> str:
    return time.strftime(CLOCK, time.localtime(at))
