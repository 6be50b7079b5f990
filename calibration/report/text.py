"""The sentences and figures of a calibration report, from its document (`Result.as_json`). Computes no statistics.

Texts of cases are nobody's: what comes out here is one printable line, and still has to be escaped for HTML.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from evaluator.readers.kinds.kind import find_kind

Document = Mapping[str, object]
LABELS = ("clear", "ambiguous", "disputed")
WORST_MAX = 8
"""How many cases are listed on each side."""
TEXT_MAX = 400


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person has to know first. `useful`: thresholds are recommended, and they catch something."""

    useful: bool
    headline: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A case on the wrong side of the thresholds in force."""

    id: str
    label: str
    request: str
    target: str
    mean: float
    deviation: float
    concern: str
    rationale: str
    origin: str


def part(value: object, *names: str) -> Document:
    """The object below these names; an empty one where there is none."""
    for name in names:
        value = cast(Document, value).get(name) if isinstance(value, Mapping) else None
    return cast(Document, value) if isinstance(value, Mapping) else {}


def rows(value: Document, name: str) -> list[Document]:
    found = value.get(name)
    items = cast(Sequence[object], found) if isinstance(found, (list, tuple)) else ()
    return [cast(Document, item) for item in items if isinstance(item, Mapping)]


def number(value: Document, name: str) -> float | None:
    found = value.get(name)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
        return None
    return float(found)


def whole(value: Document, name: str) -> int:
    return int(number(value, name) or 0)


def numbers(value: Document, name: str) -> list[float]:
    found = value.get(name)
    items = cast(Sequence[object], found) if isinstance(found, (list, tuple)) else ()
    return [float(item) for item in items if isinstance(item, (int, float)) and math.isfinite(item)]


def text(value: Document, name: str) -> str:
    found = value.get(name)
    return printable(found) if isinstance(found, str) else ""


def printable(found: str, most: int = TEXT_MAX) -> str:
    """One line without control or format characters (those that steer a terminal, or turn the writing direction)."""
    line = " ".join("".join(char if char.isprintable() else " " for char in found).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def score(figure: Document) -> str:
    """A figure on the scale of the scores, with its interval, or what is missing."""
    return _figure(figure, lambda value: f"{value:.2f}")


def deviation(figure: Document) -> str:
    return _figure(figure, lambda value: f"{value:.3f}")


def rate(figure: Document) -> str:
    return _figure(figure, lambda value: f"{100 * value:.0f}%")


def _figure(figure: Document, show: Callable[[float], str]) -> str:
    value, low, high = (number(figure, name) for name in ("value", "low", "high"))
    if value is None:
        return too_little(figure) or "not measured"
    if low is None or high is None:
        return show(value)
    return f"{show(value)} ({show(low)} to {show(high)})"


def too_little(figure: Document) -> str:
    """Empty unless the figure is one that could not be had."""
    if number(figure, "value") is not None or not text(figure, "of"):
        return ""
    return f"too little data: {whole(figure, 'units')} {text(figure, 'of')}, {whole(figure, 'needed')} needed"


def pair(thresholds: Document) -> str:
    mean, spread = number(thresholds, "confidence"), number(thresholds, "deviation")
    if mean is None or spread is None:
        return "none"
    return f"a mean of at least {mean:.2f} and a deviation of at most {spread:.2f}"


def short_pair(thresholds: Document) -> str:
    """The same where there is little room."""
    mean, spread = number(thresholds, "confidence"), number(thresholds, "deviation")
    return "none" if mean is None or spread is None else f"mean ≥ {mean:.2f}, deviation ≤ {spread:.2f}"


def verdict(document: Document) -> Verdict:
    found, counts = part(document, "recommended"), part(document, "counts")
    target, delta = number(found, "target"), number(found, "delta")
    goal = f"{100 * target:.0f}%" if target is not None else "the target"
    sure = f"{100 * (1 - delta):.0f}% sure" if delta is not None else "not tested"
    now = f"The thresholds in force ask for {pair(part(document, 'gate'))}: {_rates(document)}."
    units = f"{whole(counts, 'clear_units')} independent clear units were measured"
    thresholds = part(found, "thresholds")
    if not thresholds:
        why = text(found, "why") or "the data do not allow it"
        headline = f"No thresholds can be recommended for at most {goal} false blocks: {why}."
        return Verdict(
            False, headline, (now, f"{units}, {whole(found, 'needed')} is the least for this target.")
        )
    headline = f"Ask for {pair(thresholds)}: at most {goal} of clear requests are then blocked ({sure})."
    then = f"With these, {_rates(found)}."
    useful = _tells_apart(found)
    if not useful:
        headline += " They catch next to nothing: no gate, rather than a better one."
    return Verdict(useful, headline, (then, now, f"{units}."))


def _tells_apart(found: Document) -> bool:
    """Whether detection lies above false blocks, interval against interval."""
    blocked = number(part(found, "false_block_rate"), "high")
    caught = number(part(found, "detection_rate"), "low")
    return blocked is None or caught is None or caught > blocked


def _rates(found: Document) -> str:
    false, caught = part(found, "false_block_rate"), part(found, "detection_rate")
    blocked = f"{rate(false)} of the clear cases are blocked"
    if number(false, "value") is None:
        blocked = f"how many clear cases are blocked is not known ({too_little(false) or 'not measured'})"
    if number(caught, "value") is None:
        return f"{blocked}; how many ambiguous ones is not known ({too_little(caught) or 'not measured'})"
    return f"{blocked}, and {rate(caught)} of the ambiguous ones"


def floor_meaning(document: Document) -> str:
    """What the noise floor means for the threshold in force."""
    clear = part(document, "floor", "clear")
    value, low, high = (number(clear, name) for name in ("value", "low", "high"))
    limit = number(part(document, "gate"), "confidence")
    if value is None or low is None or high is None:
        return f"The noise floor cannot be stated: {too_little(clear) or 'no clear case was read'}."
    floor = f"A clear request scores {value:.2f} on average ({low:.2f} to {high:.2f}): the noise floor."
    if limit is None:
        return floor
    where = "above it" if limit > high else "below it" if limit < low else "inside its interval"
    return f"{floor} The mean that the gate asks for, {limit:.2f}, lies {where}; {_share_under(clear, limit)}"


def _share_under(clear: Document, limit: float) -> str:
    found = part(clear, "quantiles")
    at, values = numbers(found, "at"), numbers(found, "mean")
    under = [q for q, value in zip(at, values, strict=False) if value < limit]
    over = [q for q, value in zip(at, values, strict=False) if value >= limit]
    if not at or len(at) != len(values):
        return "how many clear checks score under it is not known."
    if not under:
        return f"fewer than {100 * over[0]:.0f}% of clear checks score under it."
    if not over:
        return f"more than {100 * under[-1]:.0f}% of clear checks score under it."
    return f"between {100 * under[-1]:.0f} and {100 * over[0]:.0f}% of clear checks score under it."


def components(floor: Document) -> list[tuple[str, str]]:
    """Where a class's spread comes from, as standard deviations; what the design cannot tell says so."""
    found = part(floor, "components")
    names = (("readers of a check", "readers"), ("checks of a case", "checks"), ("cases", "cases"))
    return [
        (
            name,
            "cannot be told apart" if (value := number(found, key)) is None else f"{math.sqrt(value):.3f}",
        )
        for name, key in names
    ]


def no_other_readers(document: Document) -> str:
    if not whole(part(document, "counts"), "checks"):
        return "No check was read."
    return "The readers of this backend differ by name: fewer of them, or more, would be another gate."


def assumptions(document: Document) -> list[str]:
    counts, found = part(document, "counts"), part(document, "recommended")
    generated, total = whole(counts, "generated"), whole(counts, "total")
    said = [
        "The guarantee holds for requests like the clear cases measured here: drawn from the same population, their "
        "units independent of each other. It says nothing of other projects, models or prompts.",
        f"It was tested on {whole(found, 'clear_units')} independent clear units; {whole(found, 'needed')} are the "
        "least for this target.",
        "Repeats of a case and the cases of a pair count as one unit. Intervals are 95%.",
    ]
    if generated:
        said.append(
            f"{generated} of {total} cases were made from others by a rule. They are reported apart, and may be easier "
            "or harder than what people write."
        )
    if unread := whole(counts, "unread"):
        said.append(
            f"{unread} of {total} cases got no usable answer, or were asked of no reader; they are left out."
        )
    return said


def notes(document: Document) -> list[str]:
    found = document.get("notes")
    items = cast(Sequence[object], found) if isinstance(found, (list, tuple)) else ()
    return [printable(note) for note in items if isinstance(note, str)]


def mistakes(document: Document) -> tuple[list[Mistake], list[Mistake]]:
    """(clear cases that were blocked, ambiguous ones that passed), the worst first by their distance from the gate."""
    cases = [_mistake(case) for case in rows(document, "cases") if number(case, "confidence") is not None]
    verdicts = [
        text(case, "verdict") for case in rows(document, "cases") if number(case, "confidence") is not None
    ]
    blocked = [
        case for case, end in zip(cases, verdicts, strict=True) if (case.label, end) == ("clear", "failed")
    ]
    missed = [
        case
        for case, end in zip(cases, verdicts, strict=True)
        if (case.label, end) == ("ambiguous", "passed")
    ]
    return (
        sorted(blocked, key=lambda case: (case.mean, -case.deviation, case.id)),
        sorted(missed, key=lambda case: (-case.mean, case.deviation, case.id)),
    )


def _mistake(case: Document) -> Mistake:
    made = "generated" if case.get("generated") is True else "natural"
    source = text(case, "source")
    return Mistake(
        id=text(case, "id"),
        label=text(case, "label"),
        request=text(case, "request"),
        target=text(case, "target"),
        mean=number(case, "confidence") or 0.0,
        deviation=number(case, "stddev") or 0.0,
        concern=text(case, "concern"),
        rationale=text(case, "rationale"),
        origin=f"{made}, {source}" if source else made,
    )


def facts(document: Document) -> list[tuple[str, str]]:
    counts, cost = part(document, "counts"), part(document, "cost")
    model, usd = text(document, "model"), number(cost, "usd")
    spent = f"{whole(cost, 'calls')} requests" + (f", ${usd:.2f}" if usd else "")
    kind = find_kind(text(document, "backend"))
    if (kind is not None and not kind.hosted) or not whole(cost, "calls"):
        spent = "nothing: no request left this machine"
    return [
        ("Readers", text(document, "backend") + (f" ({model})" if model else "")),
        (
            "Per check",
            f"{whole(document, 'n')} readers, each case checked {_times(whole(document, 'repeats'))}",
        ),
        (
            "Cases",
            f"{whole(counts, 'total')}: {whole(counts, 'clear')} clear, {whole(counts, 'ambiguous')} ambiguous",
        ),
        ("Units", f"{whole(counts, 'units')} independent, {whole(counts, 'clear_units')} clear"),
        ("Measured", text(document, "date").replace("T", " ").replace("Z", " UTC")),
        ("Spent", spent),
    ]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
