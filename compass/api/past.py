"""What was recorded: past checks, what waits for its user, how held requests ended. Changes nothing."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, cast

from compass.api.place import expect, folder_of
from compass.api.records import Coaching, HeldRequest, PastCheck, PendingQuestion, verdict_of
from compass.composition.settings import Here, here
from evaluator.errors import StateError
from evaluator.intervention import memory
from evaluator.intervention.telling import language_of, texts_in
from evaluator.model import Check, Concern, Convergence, Reason
from evaluator.state.history import HeldSession, KeptCheck
from evaluator.trigger.rules import display, display_target

if TYPE_CHECKING:
    from os import PathLike


DOUBTED: Mapping[Concern, str] = {
    "target": "It is open which thing is meant.",
    "scope": "It goes further, or elsewhere, than what was asked for.",
    "context": "What was said does not settle this.",
    "destructive": "Something would be lost that nobody spoke of.",
    "none": "The request can be understood in more than one way.",
}
COACHED: Mapping[Concern, str] = {
    "target": "Name the thing itself, by its file or name; where several fit, ask which before writing.",
    "scope": "Say how far it goes: this one place, one file, or all of them; do no more than that.",
    "context": "Say what a word such as 'it' or 'that' stands for, and what was decided before.",
    "destructive": "Say in so many words what may be deleted or overwritten, and ask before it is lost.",
    "none": "Ask one numbered question with the readings that are possible, before the first write.",
}
SETTLED: Mapping[Reason, str] = {
    "released": "the user let it run with `compass: proceed`",
    "reply_to_question_pattern": "the user chose an option",
    "confident": "readers agreed once more had been said",
    "covered": "it was covered by a check that passed",
    "skip_sentinel": "the user wrote [compass:skip]",
    "paused": "the user had paused Compass",
    "cancelled": "the user cancelled it",
}
OPEN = "not settled yet"


LOOKED_AT = 300
REQUESTS_MAX = 5
REQUEST_CHARS = 500
JUDGED = ("low_confidence", "disagreement", "low_agreement", "insufficient_context")
"""Reasons of a denial that a clearer exchange would have saved."""
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
    from compass.show.log_line import check_of

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
    from compass.show.log_line import check_of, why_of
    from compass.show.log_line import verdict_of as outcome_of

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


def _request(checks: Sequence[tuple[KeptCheck, Check]], places: Sequence[int]) -> HeldRequest:
    kept, first = checks[places[0]]
    concern = _concern(first)
    said = first.exchange.request_text if first.exchange is not None else ""
    doubt = _doubt(first.convergence) if first.convergence is not None else DOUBTED[concern]
    held = dict.fromkeys(_write(checks[place][1]) for place in places)
    return HeldRequest(
        at=kept.at,
        session=first.pending.session_id,
        request=said[:REQUEST_CHARS],
        held=tuple(held),
        doubt=doubt,
        settled=_settled([check for _, check in checks[places[0] + 1 :]], first),
        coach=COACHED[concern],
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
        if ended and (chosen or same) and check.reason in SETTLED:
            labels = ", ".join(check.resolved.labels) if check.resolved is not None else ""
            return SETTLED[check.reason] + (f": {labels}" if labels else "")
    return OPEN


def _doubt(found: Convergence) -> str:
    """Without a doubt the rationale is that of a reader who saw nothing."""
    concern = found.primary_concern
    return " ".join(filter(None, (DOUBTED[concern], found.rationale if concern != "none" else "")))


def _summary(checks: int, held: int, doubts: Counter[Concern]) -> str:
    if not checks:
        return "No check of this project is kept yet."
    if not held:
        return f"None of the last {checks} checks held a write for want of clear words."
    told = "; ".join(
        f"{DOUBTED[concern].rstrip('.').lower()} ({count})" for concern, count in doubts.most_common()
    )
    return f"In the last {checks} checks {held} request{'s' if held > 1 else ''} had writes held: {told}."


def _concern(check: Check) -> Concern:
    return check.convergence.primary_concern if check.convergence is not None else "none"


def _turn_of(kept: KeptCheck, check: Check) -> tuple[str, object]:
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


def questions(found: Here, now: float) -> tuple[PendingQuestion, ...]:
    """Raises StateError for state that cannot be read."""
    asked = [_question(one, now) for one in found.history.held(found.project)]
    return tuple(one for one in asked if one is not None)[:LISTED_MAX]


def _question(one: HeldSession, now: float) -> PendingQuestion | None:
    held = memory.heard_since(one.held, one.prompts, now)
    left = memory.waiting(held, now)
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


def feedback(*, project: str | PathLike[str] | None = None) -> Coaching:
    """What was open in the newest requests of a project whose writes were held. Raises CompassError as `checks`."""
    return coaching(_here(project))


def _here(project: str | PathLike[str] | None) -> Here:
    expect(project=project)
    return here(folder_of(project))
