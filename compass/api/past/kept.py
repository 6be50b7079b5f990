"""The kept checks of one project in words, and how its held requests ended. Changes nothing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, cast

from compass.api.past import coached
from compass.api.past.records import Coaching, HeldRequest, PastCheck
from compass.api.verdict import verdict_of
from compass.joining.kept_checks import Here
from compass.show.log_line import verdict_of as outcome_of
from compass.show.log_line import why_of
from compass.show.stored import check_of
from evaluator.errors import StateError
from evaluator.model import Check, Concern, Convergence
from evaluator.state.history import Kept
from evaluator.trigger.rules import display, display_target

LOOKED_AT = 300
REQUESTS_MAX = 5
REQUEST_CHARS = 500
JUDGED = ("low_confidence", "disagreement", "low_agreement", "insufficient_context")
"""Reasons of a denial that a clearer exchange would have saved."""


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
    listed = [one for one in named if anywhere or _inside(one.project_dir, found.project)]
    if len(listed) != 1:
        many = "more than one check begins so: give more of the id"
        raise StateError(many if listed else f"no such check{'' if anywhere else ' in this project'}")
    record = history.check(listed[0].check_id)
    if record is None:
        raise StateError("that check is no longer kept")
    return _past(listed[0].at, record)


def past_checks(found: Here, count: int) -> tuple[PastCheck, ...]:
    """Newest first."""
    kept = found.history.newest(found.project, max(0, count))
    return tuple(_past(one.at, one.record) for one in reversed(kept))


def coaching(found: Here) -> Coaching:
    """Of the newest requests whose writes were held, newest first."""
    kept = found.history.newest(found.project, LOOKED_AT)
    checks = [(one, check_of(one.record)) for one in kept]
    turns: dict[tuple[str, object], list[int]] = {}
    for place, (one, check) in enumerate(checks):
        if check.decision == "deny" and check.verdict == "failed" and check.reason in JUDGED:
            turns.setdefault(_turn_of(one, check), []).append(place)
    held = [_request(checks, places) for places in list(turns.values())[::-1][:REQUESTS_MAX]]
    doubts: Counter[Concern] = Counter(_concern(checks[places[0]][1]) for places in turns.values())
    return Coaching(_summary(len(checks), len(turns), doubts), tuple(held))


def _past(at: float, record: Mapping[str, object]) -> PastCheck:
    check = check_of(record)
    doubt = ""
    if check.convergence is not None and check.verdict == "failed":
        doubt = _doubt(check.convergence)
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


def _request(checks: Sequence[tuple[Kept, Check]], places: Sequence[int]) -> HeldRequest:
    kept, first = checks[places[0]]
    concern = _concern(first)
    said = first.exchange.request_text if first.exchange is not None else ""
    doubt = _doubt(first.convergence) if first.convergence is not None else coached.DOUBTED[concern]
    held = dict.fromkeys(_write(checks[place][1]) for place in places)
    return HeldRequest(
        at=kept.at,
        session=first.pending.session_id,
        request=said[:REQUEST_CHARS],
        held=tuple(held),
        doubt=doubt,
        settled=_settled([check for _, check in checks[places[0] + 1 :]], first),
        coach=coached.COACHED[concern],
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
        if ended and (chosen or same) and check.reason in coached.SETTLED:
            labels = ", ".join(check.resolved.labels) if check.resolved is not None else ""
            return coached.SETTLED[check.reason] + (f": {labels}" if labels else "")
    return coached.OPEN


def _doubt(found: Convergence) -> str:
    """Without a doubt the rationale is that of a reader who saw nothing."""
    concern = found.primary_concern
    return " ".join(filter(None, (coached.DOUBTED[concern], found.rationale if concern != "none" else "")))


def _summary(checks: int, held: int, doubts: Counter[Concern]) -> str:
    if not checks:
        return "No check of this project is kept yet."
    if not held:
        return f"None of the last {checks} checks held a write for want of clear words."
    told = "; ".join(
        f"{coached.DOUBTED[concern].rstrip('.').lower()} ({count})" for concern, count in doubts.most_common()
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
