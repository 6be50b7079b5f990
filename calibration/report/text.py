"""The sentences and figures of a calibration's report, from its result. Computes no statistics.

Texts of cases are nobody's: what comes out here is one printable line, and still has to be escaped for HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from calibration.cases.case import LABELS, Label
from calibration.measurement.measure import blocked_share
from calibration.measurement.result import Figure, Recommended, Result, TradeOff
from calibration.stats.estimates import Estimate, TooLittle
from evaluator.model import StakesClass, Thresholds
from evaluator.readers.kinds.kind import find_kind
from evaluator.text import percent, printable

if TYPE_CHECKING:
    from rich.console import Console

CALLS: Mapping[StakesClass, str] = {
    "reversible": "Calls that can be undone",
    "irreversible": "Calls that cannot be undone",
}
LEAST_DETECTION = 0.5
"""Share of what is ambiguous that has to be caught before anything is praised."""
BAR = 25
TRADE_ROWS = 8
"""Least number of cuts that a table of the trade-off shows, besides the certified ones."""


@dataclass(frozen=True, slots=True)
class RatePair:
    """Both rates of some calls, of which neither says anything without the other."""

    calls: str
    false_blocks: Figure | None
    detection: Figure | None

    def __str__(self) -> str:
        blocked, caught = counted(self.false_blocks, "clear"), counted(self.detection, "ambiguous")
        return f"{self.calls}: false blocks {blocked}; detection {caught}."


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """What a person has to know first. `advice`: what the gate would do of 100 requests, and what to do. `rates` are of
    what the gate will use, the certified cuts or else what is in force; `claim` says which. `useful`: something is
    recommended, and it catches at least half. `unset` comes before all: what is recommended is not set, and why; empty
    where it is."""

    useful: bool
    advice: str
    rates: tuple[RatePair, ...]
    claim: str
    details: tuple[str, ...]
    unset: str = ""

    @property
    def headline(self) -> str:
        return " ".join([*filter(None, [self.unset]), *map(str, self.rates), self.claim])


def score(figure: Figure | None) -> str:
    """A figure on the scale of the scores, with its interval, or what is missing."""
    return _report_figure_text(figure, lambda value: f"{value:.2f}")


def deviation(figure: Figure | None) -> str:
    return _report_figure_text(figure, lambda value: f"{value:.3f}")


def rate(figure: Figure | None) -> str:
    return _report_figure_text(figure, lambda value: f"{100 * value:.0f}%")


def _report_figure_text(figure: Figure | None, show: Callable[[float], str]) -> str:
    if not isinstance(figure, Estimate):
        return lacking(figure)
    return f"{show(figure.value)} ({show(figure.low)} to {show(figure.high)})"


def lacking(figure: TooLittle | None) -> str:
    if figure is None:
        return "not measured"
    return f"too little data: {figure.units} {figure.of}, {figure.needed} needed"


def pair(thresholds: Thresholds) -> str:
    deviation = f" and a deviation of at most {thresholds.deviation:.2f}" if thresholds.deviation < 1 else ""
    return f"a mean of at least {thresholds.confidence:.2f}{deviation}"


def short_cut(confidence: float) -> str:
    """A cut on the mean where there is little room; it stays on one line."""
    return f"mean ≥\u00a0{confidence:.2f}"


def verdict(result: Result) -> ReportVerdict:
    """What the measurement says to do, by the certified cuts, else by the gate in force."""
    certified: list[tuple[StakesClass, Recommended]] = [
        (stakes, found) for stakes, found in result.recommended.items() if found.cut is not None
    ]
    lacks = [
        f"{CALLS[stakes]}: no threshold can be certified to cause at most {percent(found.target)} false blocks: "
        f"{printable(found.why)}."
        for stakes, found in result.recommended.items()
        if found.cut is None
    ]
    gate = RatePair("The gate in force", result.false_block_rate, result.detection_rate)
    asks = f"The gate in force requires {in_force(result)}."
    units = f"{result.counts.clear_units} independent clear units were measured."
    does = _report_interruptions(result)
    if not certified:
        more = "more cases of your own: `compass hindsight`, then `compass calibrate --from-sessions DIR`."
        return ReportVerdict(False, f"{does} Calibrate on {more}", (gate,), " ".join(lacks), (asks, units))
    rates = tuple(
        RatePair(CALLS[stakes], found.false_block_rate, found.detection_rate) for stakes, found in certified
    )
    claims = [
        f"{CALLS[stakes]}: below a mean of {found.cut:.2f} a write is blocked; that blocks at most "
        f"{percent(found.target)} of clear writes ({percent(1 - found.delta)} confidence)."
        for stakes, found in certified
    ]
    claim = " ".join([*claims, *lacks])
    # What is not known may be enough.
    known = [one.detection.value for one in rates if isinstance(one.detection, Estimate)]
    enough = all(caught >= LEAST_DETECTION for caught in known)
    todo = "Enforce: `compass init --enforce`."
    if not enough:
        claim += " More than half of the ambiguous cases get through."
        todo = "Observe, or let other readers judge: `compass init --observe`, `--backend B`."
    unset = ""
    if result.unset:
        unset = f"Not set: {printable(result.unset)}."
        claim = f"If it were set: {claim[0].lower()}{claim[1:]}"
        todo = f"Once it is set: {todo[0].lower()}{todo[1:]}"
    return ReportVerdict(enough, f"{does} {todo}", rates, claim, (asks, str(gate), units), unset)


def _report_interruptions(result: Result) -> str:
    """Of natural requests. Only recorded sessions have as many ambiguous ones among them as work has."""
    rule = result.proposed
    shares: dict[Label, list[float]] = {label: [] for label in LABELS}
    for case in result.cases:
        if case.checks and not case.generated:
            shares[case.label].append(blocked_share(case, rule))
    clear, ambiguous = shares["clear"], shares["ambiguous"]
    if not clear or not ambiguous:
        return (
            "How often this gate would interrupt is not known: measuring it takes real (not generated) requests of "
            "both kinds."
        )
    if set(result.counts.by_source) == {"sessions"}:
        every, rightly = sum(clear) + sum(ambiguous), sum(ambiguous)
        told, right = (100 * one / len([*clear, *ambiguous]) for one in (every, rightly))
        return f"This gate would interrupt {told:.0f} of 100 requests, {right:.0f} of them with good reason."
    return (
        f"This gate would interrupt {100 * fmean(clear):.0f} of 100 clear requests and {100 * fmean(ambiguous):.0f} of "
        "100 ambiguous ones."
    )


def in_force(result: Result) -> str:
    """The thresholds that are in force, in words, by stakes where they differ."""
    reversible, irreversible = result.gate.reversible, result.gate.irreversible
    if reversible == irreversible:
        return pair(reversible)
    return f"{pair(reversible)}; where a call cannot be undone, {pair(irreversible)}"


def counted(figure: Figure | None, label: str) -> str:
    """A measured rate in words: its value, its interval, and of how many cases it is."""
    if not isinstance(figure, Estimate):
        return f"not known ({lacking(figure)})"
    return f"{rate(figure)} of {figure.units} {label} units ({figure.n} checks)"


def floor_meaning(result: Result) -> str:
    """What the noise floor means for the threshold in force."""
    clear, limit = result.floor["clear"], result.gate.reversible.confidence
    if isinstance(clear, TooLittle):
        return f"The noise floor cannot be determined: {lacking(clear)}."
    mean = clear.mean
    said = f"A clear request scores {mean.value:.2f} on average ({mean.low:.2f} to {mean.high:.2f}): the noise floor."
    where = "above it" if limit > mean.high else "below it" if limit < mean.low else "inside its interval"
    return f"{said} The gate's required mean, {limit:.2f}, is {where}."


def telling_apart(result: Result) -> str:
    if not isinstance(result.auc, Estimate):
        return f"How well the score separates the two classes cannot be determined: {lacking(result.auc)}."
    chance = f"A clear check outscores an ambiguous one with a probability of {score(result.auc)} (AUC)"
    return f"{chance}; 0.5 would be chance."


def known_trade_off(result: Result) -> list[tuple[TradeOff, float, float]]:
    """The tested cuts with both rates: (cut, false blocks, detection)."""
    return [
        (step, step.false_block_rate, step.detection_rate)
        for step in result.trade_off
        if step.false_block_rate is not None and step.detection_rate is not None
    ]


def assumptions(result: Result) -> list[str]:
    counts = result.counts
    said = [
        "The guarantee holds for requests like the clear cases measured here: drawn from the same population, with "
        "units independent of each other. It says nothing about other projects, models or prompts.",
        *(
            f"{CALLS[stakes]}: tested on {found.clear_units} independent clear units; this target needs at least "
            f"{found.needed}."
            for stakes, found in result.recommended.items()
        ),
        "Repeats of a case and the cases of a pair count as one unit. All intervals are at the 95% level.",
    ]
    if counts.generated:
        said.append(
            f"{counts.generated} of {counts.total} cases were generated from others by a rule. They are reported "
            "separately, and may be easier or harder than real requests."
        )
    if counts.unread:
        said.append(
            f"{counts.unread} of {counts.total} cases got no usable answer, or were never shown to a reader; they are "
            "left out."
        )
    return [*said, *map(printable, result.notes)]


def facts(result: Result) -> list[tuple[str, str]]:
    counts, cost = result.counts, result.cost
    spent = f"{cost.calls} requests" + (f", ${cost.usd:.2f}" if cost.usd else "")
    kind = find_kind(result.backend)
    if (kind is not None and not kind.hosted) or not cost.calls:
        spent = "nothing, because no request left this machine"
    times = "once" if result.repeats == 1 else f"{result.repeats} times"
    return [
        ("Readers", printable(result.backend + (f" ({result.model})" if result.model else ""))),
        ("Per check", f"{result.n} readers, each case checked {times}"),
        ("Cases", f"{counts.total}: {counts.clear} clear, {counts.ambiguous} ambiguous"),
        ("Units", f"{counts.units} independent, {counts.clear_units} clear"),
        ("Measured", printable(result.date).replace("T", " ").replace("Z", " UTC")),
        ("Spent", spent),
    ]


# In the terminal: what to do, the curve, the figures; all else stands on the page


def show(console: Console, result: Result) -> None:
    """Prints a calibration report on the terminal: plain when piped, and in ASCII where the output is."""
    from rich.text import Text

    wide = console.encoding.lower().startswith("utf")
    for line, style in lines_of(result, wide=wide):
        said = line if wide else line.encode("ascii", "replace").decode()
        console.print(Text(said, style), soft_wrap=not console.is_terminal)


def lines_of(result: Result, *, wide: bool) -> Iterator[tuple[str, str]]:
    """(text, style)"""
    found = verdict(result)
    tone = "bold green" if found.useful else "bold yellow"
    if found.unset:
        yield found.unset, tone
    yield found.advice, tone
    yield found.claim, ""
    curve = list(_report_trade_off_lines(result, wide=wide))
    if curve:
        yield "", ""
        yield "What another threshold would do, in % of independent units:", "bold"
        yield from ((line, "") for line in curve)
    yield "", ""
    for line in (*map(str, found.rates), *found.details):
        yield line, ""
    for name, value in facts(result):
        yield f"{name + ':':<10} {value}", "dim"
    for title, lines in (
        ("The noise floor", [floor_meaning(result)]),
        ("Telling clear from ambiguous", [telling_apart(result)]),
        ("What this rests on", [f"- {point}" for point in assumptions(result)]),
    ):
        yield "", ""
        yield title, "bold"
        yield from ((line, "") for line in lines)
    yield "", ""
    yield "Everything else (distributions, different numbers of readers) is in the HTML report.", "dim"


def _report_trade_off_lines(result: Result, *, wide: bool) -> Iterator[str]:
    known = known_trade_off(result)
    if known:
        yield f"under {'clear, blocked':<{BAR + 7}}ambiguous, caught"
    for step, false, caught in known[:: max(1, len(known) // TRADE_ROWS)]:
        bars = ((("█" if wide else "#") * round(BAR * share)).ljust(BAR) for share in (false, caught))
        both = (f"{bar} {100 * share:>3.0f}" for bar, share in zip(bars, (false, caught), strict=True))
        yield f"{step.confidence:.2f}  {'   '.join(both)}"
