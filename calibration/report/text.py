"""The sentences and figures of a calibration's report, from its result. Computes no statistics.

Texts of cases are nobody's: what comes out here is one printable line, and still has to be escaped for HTML.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from calibration.measurement.result import CaseResult, Figure, Recommended, Result
from calibration.report.printable import printable
from calibration.stats.estimate import Estimate, TooLittle
from calibration.stats.noise import QUANTILES, Floor
from evaluator.model import Thresholds
from evaluator.readers.kinds.kind import find_kind


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """What a person has to know first. `useful`: thresholds are recommended, and they catch something."""

    useful: bool
    headline: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A case on the wrong side of the thresholds in force."""

    id: str
    request: str
    target: str
    mean: float
    deviation: float
    why: str
    origin: str

    @property
    def figures(self) -> str:
        return f"mean {self.mean:.2f}, deviation {self.deviation:.2f}"


def score(figure: Figure | None) -> str:
    """A figure on the scale of the scores, with its interval, or what is missing."""
    return _figure(figure, lambda value: f"{value:.2f}")


def deviation(figure: Figure | None) -> str:
    return _figure(figure, lambda value: f"{value:.3f}")


def rate(figure: Figure | None) -> str:
    return _figure(figure, lambda value: f"{100 * value:.0f}%")


def _figure(figure: Figure | None, show: Callable[[float], str]) -> str:
    if not isinstance(figure, Estimate):
        return lacking(figure)
    return f"{show(figure.value)} ({show(figure.low)} to {show(figure.high)})"


def lacking(figure: TooLittle | None) -> str:
    if figure is None:
        return "not measured"
    return f"too little data: {figure.units} {figure.of}, {figure.needed} needed"


def pair(thresholds: Thresholds) -> str:
    return f"a mean of at least {thresholds.confidence:.2f} and a deviation of at most {thresholds.deviation:.2f}"


def short_pair(confidence: float, spread: float) -> str:
    """The same where there is little room."""
    return f"mean ≥ {confidence:.2f}, deviation ≤ {spread:.2f}"


def verdict(result: Result) -> ReportVerdict:
    found, clear = result.recommended, result.counts.clear_units
    goal = f"{100 * found.target:.0f}%"
    now = f"The thresholds in force ask for {pair(result.gate)}: {_rates(result)}."
    units = f"{clear} independent clear units were measured"
    if found.thresholds is None:
        headline = (
            f"No thresholds can be recommended for at most {goal} false blocks: {printable(found.why)}."
        )
        return ReportVerdict(False, headline, (now, f"{units}, {found.needed} is the least for this target."))
    sure = f"{100 * (1 - found.delta):.0f}% sure"
    headline = (
        f"Ask for {pair(found.thresholds)}: at most {goal} of clear requests are then blocked ({sure})."
    )
    useful = _tells_apart(found)
    if not useful:
        headline += " They catch next to nothing: no gate, rather than a better one."
    return ReportVerdict(useful, headline, (f"With these, {_rates(found)}.", now, f"{units}."))


def _tells_apart(found: Recommended) -> bool:
    """Whether detection lies above false blocks, interval against interval."""
    blocked, caught = found.false_block_rate, found.detection_rate
    if not isinstance(blocked, Estimate) or not isinstance(caught, Estimate):
        return True
    return caught.low > blocked.high


def _rates(found: Result | Recommended) -> str:
    false, caught = found.false_block_rate, found.detection_rate
    blocked = f"{rate(false)} of the clear cases are blocked"
    if not isinstance(false, Estimate):
        blocked = f"how many clear cases are blocked is not known ({lacking(false)})"
    if not isinstance(caught, Estimate):
        return f"{blocked}; how many ambiguous ones is not known ({lacking(caught)})"
    return f"{blocked}, and {rate(caught)} of the ambiguous ones"


def floor_meaning(result: Result) -> str:
    """What the noise floor means for the threshold in force."""
    clear, limit = result.floor["clear"], result.gate.confidence
    if isinstance(clear, TooLittle):
        return f"The noise floor cannot be stated: {lacking(clear)}."
    mean = clear.mean
    where = "above it" if limit > mean.high else "below it" if limit < mean.low else "inside its interval"
    return (
        f"A clear request scores {mean.value:.2f} on average ({mean.low:.2f} to {mean.high:.2f}): the noise floor. "
        f"The mean that the gate asks for, {limit:.2f}, lies {where}; {_share_under(clear, limit)}"
    )


def _share_under(clear: Floor, limit: float) -> str:
    known = list(zip(QUANTILES, clear.mean_quantiles, strict=True))
    under = [q for q, value in known if value < limit]
    over = [q for q, value in known if value >= limit]
    if not under:
        return f"fewer than {100 * over[0]:.0f}% of clear checks score under it."
    if not over:
        return f"more than {100 * under[-1]:.0f}% of clear checks score under it."
    return f"between {100 * under[-1]:.0f} and {100 * over[0]:.0f}% of clear checks score under it."


def spread(variance: float | None) -> str:
    """A component of a class's spread, as a standard deviation; what the design cannot tell says so."""
    return "cannot be told apart" if variance is None else f"{math.sqrt(variance):.3f}"


def assumptions(result: Result) -> list[str]:
    counts, found = result.counts, result.recommended
    said = [
        "The guarantee holds for requests like the clear cases measured here: drawn from the same population, their "
        "units independent of each other. It says nothing of other projects, models or prompts.",
        f"It was tested on {found.clear_units} independent clear units; {found.needed} are the "
        "least for this target.",
        "Repeats of a case and the cases of a pair count as one unit. Intervals are 95%.",
    ]
    if counts.generated:
        said.append(
            f"{counts.generated} of {counts.total} cases were made from others by a rule. They are reported apart, and "
            "may be easier or harder than what people write."
        )
    if counts.unread:
        said.append(
            f"{counts.unread} of {counts.total} cases got no usable answer, or were asked of no reader; they are left "
            "out."
        )
    return [*said, *map(printable, result.notes)]


def mistakes(result: Result) -> tuple[list[Mistake], list[Mistake]]:
    """(clear cases that were blocked, ambiguous ones that passed), the worst first by their distance from the gate."""
    read = [_mistake(case, case.confidence) for case in result.cases if case.confidence is not None]
    ends = [(case.label, case.verdict) for case in result.cases if case.confidence is not None]
    blocked = [one for one, end in zip(read, ends, strict=True) if end == ("clear", "failed")]
    missed = [one for one, end in zip(read, ends, strict=True) if end == ("ambiguous", "passed")]
    return (
        sorted(blocked, key=lambda one: (one.mean, -one.deviation, one.id)),
        sorted(missed, key=lambda one: (-one.mean, one.deviation, one.id)),
    )


def _mistake(case: CaseResult, mean: float) -> Mistake:
    made = "generated" if case.generated else "natural"
    return Mistake(
        id=printable(case.id),
        request=printable(case.request),
        target=printable(case.target) or "(no named target)",
        mean=mean,
        deviation=case.stddev or 0.0,
        why=printable(f"{case.concern}: {case.rationale}") if case.rationale else "",
        origin=printable(f"{made}, {case.source}" if case.source else made),
    )


def facts(result: Result) -> list[tuple[str, str]]:
    counts, cost = result.counts, result.cost
    spent = f"{cost.calls} requests" + (f", ${cost.usd:.2f}" if cost.usd else "")
    kind = find_kind(result.backend)
    if (kind is not None and not kind.hosted) or not cost.calls:
        spent = "nothing: no request left this machine"
    times = "once" if result.repeats == 1 else f"{result.repeats} times"
    return [
        ("Readers", printable(result.backend + (f" ({result.model})" if result.model else ""))),
        ("Per check", f"{result.n} readers, each case checked {times}"),
        ("Cases", f"{counts.total}: {counts.clear} clear, {counts.ambiguous} ambiguous"),
        ("Units", f"{counts.units} independent, {counts.clear_units} clear"),
        ("Measured", printable(result.date).replace("T", " ").replace("Z", " UTC")),
        ("Spent", spent),
    ]
