"""What the answers say of the two rates: as JSON, and as lines for a person. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Final

import numpy as np

from calibration.audit.plan import AuditPlan
from calibration.stats.active.rates import Asked, Rate, RateFound, rate_of

DIGITS: Final = 6
NOT_TOLD_MAX: Final = 0.1
"""Share of questions that nobody could answer above which the rates say so."""
_BY: Final = {"betting": ", by a betting interval.", "count": ", by their count alone."}


@dataclass(frozen=True, slots=True)
class Findings:
    """`untold`: questions that the person could not answer. Sessions are the independent units."""

    plan: AuditPlan
    answered: int
    wanted: int
    untold: int
    sessions: int
    wrong_blocks: RateFound
    misses: RateFound

    def as_json(self) -> dict[str, object]:
        return {
            "version": 1,
            "source": self.plan.source,
            "judge": self.plan.judge,
            "date": self.plan.date,
            "seed": self.plan.seed,
            "judged_writes": len(self.plan.ids),
            "sessions": self.sessions,
            "left_out": self.plan.left_out,
            "answered": self.answered,
            "wanted": self.wanted,
            "could_not_tell": self.untold,
            "wrong_blocks": _rate_json(self.wrong_blocks, "of_blocked"),
            "misses": _rate_json(self.misses, "of_passed"),
        }


def findings(plan: AuditPlan, told: Mapping[str, bool | None], wanted: int) -> Findings:
    """Of the answers so far. A write that nobody could tell about counts as one that was not drawn."""
    held, wrong = np.array(plan.held), np.array(plan.wrong)
    session = np.array(plan.session, dtype=np.int64)
    found: dict[bool, RateFound] = {}
    untold = 0
    for kind in (True, False):
        within = {int(place): at for at, place in enumerate(np.flatnonzero(held == kind))}
        # Up to the first draw without an answer: what was answered beyond it is no sample.
        prefix = list(takewhile(lambda place: plan.ids[place] in told, plan.order[kind]))
        places = [place for place in prefix if told[plan.ids[place]] is not None]
        untold += len(prefix) - len(places)
        answers = np.array([float(told[plan.ids[place]] != kind) for place in places])
        order = np.array([within[place] for place in places], dtype=np.int64)
        found[kind] = rate_of(Asked(wrong, session, held == kind, order, answers, kind))
    counted = found[True].answers + found[False].answers
    return Findings(
        plan=plan,
        answered=counted,
        wanted=sum(plan.shares(wanted).values()),
        untold=untold,
        sessions=len(set(plan.session)),
        wrong_blocks=found[True],
        misses=found[False],
    )


def lines(found: Findings) -> list[str]:
    """For a person, each line whole."""
    plan = found.plan
    blocked = sum(plan.held)
    out = [
        f"{_count(len(plan.ids), 'judged write')} of {_count(found.sessions, 'session')} "
        f"({plan.source}), {blocked} of them held or would have been; {_count(found.answered, 'answer')}."
    ]
    if not found.answered:
        return [*out, "No answer yet, so there is no rate to tell."]
    out += _told("Wrong blocks", "held that should have run", "held writes", found.wrong_blocks)
    out += _told("Misses", "run that should have been held", "writes that ran", found.misses)
    out.append(f"How likely each verdict was wrong, by which writes were drawn, comes from {plan.judge}.")
    out.append(
        "Intervals are 95 %, clustered by session. They hold for sessions like these, judged by these readers."
    )
    if found.sessions < 2:
        out.append(
            "All writes are of one session, so writes are taken as independent: the intervals are too narrow."
        )
    if found.untold > NOT_TOLD_MAX * (found.answered + found.untold):
        out.append(
            f"{_count(found.untold, 'write')} nobody could tell about: the rates are those of writes that one can "
            "tell about."
        )
    return out


def _told(name: str, what: str, among: str, found: RateFound) -> list[str]:
    if found.per_check is None or found.within is None:
        missing = "there are none" if not found.writes else "none was asked about yet"
        return [f"{name}: no figure; of the {among} {missing}."]
    told = [
        f"{name} ({what}): {_share(found.per_check)} of all judged writes, {_share(found.within)} of the "
        f"{found.writes} {among}; {found.positives} of {_count(found.answers, 'answer')}"
        + _BY.get(found.method, ".")
    ]
    if found.more is not None:
        told.append(f"  {_count(found.more, 'more answer')} of that kind would halve this interval.")
    else:
        told.append("  Answers alone would not halve this interval: it takes more recorded traffic.")
    return told


def _share(rate: Rate) -> str:
    return f"{100 * rate.value:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _rate_json(found: RateFound, within: str) -> dict[str, object]:
    return {
        "per_check": _ends(found.per_check),
        within: _ends(found.within),
        "writes": found.writes,
        "answers": found.answers,
        "positives": found.positives,
        "method": found.method,
        "more_answers_to_halve": found.more,
    }


def _ends(rate: Rate | None) -> dict[str, float] | None:
    return None if rate is None else {key: round(value, DIGITS) for key, value in asdict(rate).items()}
