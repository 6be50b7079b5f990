"""An even sample from the answers of an audit: what the certificates of calibration hold for. Pure.

Certificates count wrong verdicts among cases that all had one chance to be there. The draws of an audit had not: who
was likelier is left out at random until all chances are those of the least likely write.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from calibration.audit.plan import AuditPlan
from calibration.stats.active.draws import chances
from calibration.stats.estimate import Floats


@dataclass(frozen=True, slots=True)
class EvenCase:
    """`ambiguous`: it should have been held. `unit` is its session; `agreement` None without readings.

    `heard`, `unheard` and `fixed` as of `calibration.audit.plan.JudgedWrite`.
    """

    write: str
    unit: int
    ambiguous: bool
    mean: float
    stddev: float
    agreement: float | None
    heard: int = 1
    unheard: int = 0
    fixed: bool = False


def even_sample(
    plan: AuditPlan, told: Mapping[str, bool | None], generator: np.random.Generator
) -> tuple[EvenCase, ...]:
    """In the order of the plan's writes; blocked and passed ones as often as they come."""
    held, wrong = np.array(plan.held), np.array(plan.wrong)
    chance: dict[int, float] = {}
    least = 1.0
    for kind in (True, False):
        places = np.flatnonzero(held == kind)
        prefix = list(takewhile(lambda place: plan.ids[place] in told, plan.order[kind]))
        if not len(places):
            continue
        each = inclusion(chances(wrong[places], kind), len(prefix))
        least = min(least, float(each.min()))
        of_place = dict(zip(places.tolist(), each.tolist(), strict=True))
        chance |= {place: of_place[place] for place in prefix if told[plan.ids[place]] is not None}
    return tuple(
        EvenCase(
            plan.ids[place],
            plan.session[place],
            bool(told[plan.ids[place]]),
            plan.mean[place],
            plan.stddev[place],
            plan.agreement[place],
            plan.heard[place],
            plan.unheard[place],
            plan.fixed[place],
        )
        for place in sorted(chance)
        if generator.random() < least / chance[place]
    )


def least_chance(plan: AuditPlan, answers: int) -> float:
    """With which chance each write comes into the even sample of so many answers."""
    held, wrong = np.array(plan.held), np.array(plan.wrong)
    found = [
        float(inclusion(chances(wrong[held == kind], kind), count).min())
        for kind, count in plan.shares(answers).items()
        if (held == kind).any()
    ]
    return min(found, default=0.0)


def inclusion(relative: Floats, count: int) -> Floats:
    """The chance of each to be among the first `count` draws, given where they ended (Efraimidis and Spirakis 2006)."""
    if count >= len(relative):
        return np.ones(len(relative))
    low, high = 0.0, 1.0
    while (1 - np.exp(-high * relative)).sum() < count:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 - np.exp(-middle * relative)).sum() < count else (low, middle)
    found: Floats = 1 - np.exp(-high * relative)
    return found
