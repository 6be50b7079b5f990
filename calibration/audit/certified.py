"""What the answers certify: cuts on the score of calibration, for the writes that were audited. Pure.

One answered write a session out of an even sample, as `calibration.stats.certificates` asks for. Readers that were
ended early leave a score unknown: a write that was right to run has the least score that it can have had, one that
should have been held the greatest, so both certificates stay on their safe side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from calibration.audit.even import EvenCase, even_sample, least_chance
from calibration.audit.plan import AuditPlan, AuditReaders
from calibration.stats.certificates import Aims, CertifiedSide, CertifiedSides, Reach, certify, reach
from calibration.stats.checks import DIGITS
from calibration.stats.estimate import Bools, Floats, Ints, TooLittle, codes
from calibration.stats.looks import BARRED, LookColumns
from calibration.stats.thresholds import MOST_DEVIATION, one_of_each
from evaluator.configuration.calibrated import Certificate
from evaluator.model import Score
from evaluator.record import values_of
from evaluator.verdict.convergence import TOLERANCE
from evaluator.verdict.score import total

SCORE: Final = Score()
"""As shipped: eighty answers are too few to fit weights on some and certify on the rest."""
_EVEN, _UNITS = 1, 2


@dataclass(frozen=True, slots=True)
class AuditCertified:
    """`readers` None, and `why`, where the writes are not of one known set of readers; nothing is certified then.

    `held_rightly`: of the sessions with a drawn write that should have been held, how many the block cut holds.
    `more`: some so many answers more would do for a block cut, for both cuts; None where all writes answered would not,
    0 where there are enough. `complete`: all answers that were asked for are in.
    """

    aims: Aims
    readers: AuditReaders | None
    why: str
    reached: Reach
    sides: CertifiedSides
    held_rightly: int
    more: tuple[int | None, int | None]
    complete: bool

    @property
    def certificate(self) -> Certificate | None:
        """What could be set; None where no cut that blocks anything is certified."""
        if self.readers is None or not self.complete or not self.sides.blocks:
            return None
        return Certificate(SCORE, {"": self.sides.cuts})

    def as_json(self) -> dict[str, object]:
        found = self.certificate
        return {
            "aims": asdict(self.aims),
            "readers": None if self.readers is None else asdict(self.readers),
            "why": self.why,
            "score": values_of(SCORE),
            "reach": asdict(self.reached),
            "block": asdict(self.sides.block),
            "passing": asdict(self.sides.passing),
            "crossed": self.sides.crossed,
            "held_rightly": self.held_rightly,
            "more_answers": {"block": self.more[0], "both": self.more[1]},
            "complete": self.complete,
            "cuts": None if found is None else values_of(found.cuts[""]),
        }


def certified(
    plan: AuditPlan,
    told: Mapping[str, bool | None],
    aims: Aims,
    *,
    complete: bool,
    agreement: float | None = None,
) -> AuditCertified:
    """By the plan's own seed: the same answers certify the same. `agreement` is the threshold that the gate holds
    readings to beside any cut; what it blocks counts as blocked."""
    kept, table, sides = certified_sides(plan, told, aims, agreement)
    clear, ambiguous = (len({one.unit for one in kept if one.ambiguous == label}) for label in (False, True))
    reached = reach(clear, ambiguous, aims)
    readers, why = readers_of(plan)
    held = 0
    if isinstance(sides.block, CertifiedSide) and sides.block.cut is not None:
        rows = table.of(table.ambiguous)
        drawn = one_of_each(rows.unit, np.random.default_rng([plan.seed, _UNITS]))
        held = int((rows.totals[drawn, -1] < sides.block.cut - TOLERANCE).sum())
    return AuditCertified(
        aims, readers, why, reached, sides, held, _more(plan, told, kept, reached), complete
    )


def certified_sides(
    plan: AuditPlan, told: Mapping[str, bool | None], aims: Aims, agreement: float | None = None
) -> tuple[list[EvenCase], LookColumns, CertifiedSides]:
    """The even sample without what is held whatever the scores are, its scores, and what one of each session
    certifies."""
    kept = [
        one for one in even_sample(plan, told, np.random.default_rng([plan.seed, _EVEN])) if not one.fixed
    ]
    table = _columns(kept, agreement)
    return kept, table, certify(table, SCORE, aims, "fixed", np.random.default_rng([plan.seed, _UNITS]))


def readers_of(plan: AuditPlan) -> tuple[AuditReaders | None, str]:
    """Whose scores they are; None, and why, where that is mixed or not known."""
    if len(plan.readers) > 1:
        each = ", ".join(f"{count} by {named(who)}" for who, count in plan.readers)
        return None, f"the writes were not all judged by the same readers ({each})"
    found = next(who for who, _ in plan.readers)
    if not found.backend or not found.asked:
        return None, "it was not kept which readers judged these writes"
    if not found.prompt:
        return None, "it was not kept what the readers of these writes were told"
    return found, ""


def named(who: AuditReaders) -> str:
    model = f" {who.model}" if who.model else ""
    told = f", prompt {who.prompt[:8]}" if who.prompt else ", prompt not known"
    return f"{who.asked} of {who.backend}{model}{told}"


def lines(found: AuditCertified) -> list[str]:
    """For a person: what is certified, and what it would take."""
    if found.readers is None:
        return [f"No thresholds from these answers: {found.why}."]
    reached, aims = found.reached, found.aims
    out = [
        "Thresholds, by one evenly drawn answer a session: "
        f"{reached.clear} sessions with a write that was right to run, {reached.ambiguous} with one that should have "
        "been held."
    ]
    if not found.complete:
        return [
            *out,
            "  What they certify is told once all answers are in; looking earlier would cost certainty.",
        ]
    block, passing = found.sides.block, found.sides.passing
    if isinstance(block, TooLittle):
        out.append(
            f"  Nothing can be certified yet: wrong blocks of at most {_share(aims.alpha)} take {block.needed} "
            f"sessions of the first kind, {_answers(found.more[0])}."
        )
        return out
    if block.cut is None:
        out.append(
            f"  No cut that holds anything keeps wrong blocks at {_share(aims.alpha)} with confidence "
            f"{_share(1 - block.delta)}."
        )
        return out
    out.append(
        f"  Certified: held under a score of {block.cut:.3f}. At most {_share(aims.alpha)} of what is right to run is "
        f"held, with confidence {_share(1 - block.delta)}; here {block.errors} of {block.units}, and "
        f"{found.held_rightly} of the {reached.ambiguous} that should be."
    )
    if isinstance(passing, TooLittle):
        kind = "first" if passing.of == "clear units" else "second"
        out.append(
            f"  Nothing is certified about misses: at most {_share(aims.beta)} takes {passing.needed} sessions of the "
            f"{kind} kind, {_answers(found.more[1])}."
        )
    elif passing.cut is None:
        out.append(f"  No cut keeps misses at {_share(aims.beta)}: nothing is certified about them.")
    else:
        out.append(
            f"  Certified: run from a score of {passing.cut:.3f}. At most {_share(aims.beta)} of what should be held "
            f"reaches it, with confidence {_share(1 - passing.delta)}; here {passing.errors} of {passing.units}."
        )
    return out


def _columns(kept: Sequence[EvenCase], agreement: float | None) -> LookColumns:
    """One look a write, at all of its readers."""
    count = len(kept)
    at: Floats = np.array([_score(one, agreement) for one in kept], dtype=np.float64)
    ambiguous: Bools = np.array([one.ambiguous for one in kept], dtype=np.bool_)
    unit: Ints = codes(np.array([one.unit for one in kept], dtype=np.int64), count)
    none = np.zeros(count, dtype=np.bool_)
    return LookColumns(
        at.reshape(count, 1), np.full(count, 2, dtype=np.int64), 2, ambiguous, none, unit, none
    )


def _score(one: EvenCase, limit: float | None) -> float:
    """T, or where readers were ended early, the end of what it can have been that certifies less."""
    mean, stddev, agreed = one.mean, one.stddev, 1.0 if one.agreement is None else one.agreement
    if one.unheard:
        asked = one.heard + one.unheard
        mean *= one.heard / asked
        if one.ambiguous:
            mean, stddev, agreed = mean + one.unheard / asked, 0.0, 1.0
        else:
            # The others may have agreed with nobody.
            pairs = one.heard * (one.heard - 1) / (asked * (asked - 1))
            stddev, agreed = MOST_DEVIATION, 0.0 if one.agreement is None else one.agreement * pairs
    if limit is not None and agreed < limit - TOLERANCE:
        return BARRED
    return round(total(mean, stddev, agreed, SCORE), DIGITS)


def _more(
    plan: AuditPlan, told: Mapping[str, bool | None], kept: Sequence[EvenCase], reached: Reach
) -> tuple[int | None, int | None]:
    """By what share of the even sample each kind is: with how many answers as many sessions are to be expected."""
    answered = sum(hold is not None for hold in told.values())
    sizes = np.unique(
        np.array([code for code, fixed in zip(plan.session, plan.fixed, strict=True) if not fixed]),
        return_counts=True,
    )[1]
    share = (sum(one.ambiguous for one in kept) + 0.5) / (len(kept) + 1)
    both = reached.clear >= reached.needed_clear and reached.ambiguous >= reached.needed_ambiguous

    def expected(answers: int) -> tuple[float, float]:
        chance = least_chance(plan, answers)
        clear, ambiguous = ((1 - (1 - chance * part) ** sizes).sum() for part in (1 - share, share))
        return float(clear), float(ambiguous)

    def least(clear: int, ambiguous: int) -> int | None:
        low, high = answered, len(plan.ids)
        if not _reaches(expected(high), clear, ambiguous):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if _reaches(expected(middle), clear, ambiguous) else (middle, high)
        return max(1, high - answered)

    return (
        0 if reached.block_delta else least(reached.needed_alone, 0),
        0 if both else least(reached.needed_clear, reached.needed_ambiguous),
    )


def _reaches(found: tuple[float, float], clear: int, ambiguous: int) -> bool:
    return found[0] >= clear and found[1] >= ambiguous


def _answers(more: int | None) -> str:
    if more is None:
        return "more than these writes have: it takes more recorded sessions"
    return f"some {more} answers more"


def _share(rate: float) -> str:
    return f"{100 * rate:g} %"
