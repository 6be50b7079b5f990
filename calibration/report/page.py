"""The report of a calibration as one HTML file: nothing to fetch, no script. Computes no statistics.

Whatever comes from a case was written by anybody, so it goes through `e`. The page forbids itself scripts and requests.
"""

from __future__ import annotations

from collections.abc import Iterable

from calibration.measurement.result import Figure, Result
from calibration.report.chapters import Chapter, chapters, known_trade_off
from calibration.report.html import (
    SHAPES,
    ChartLine,
    Point,
    document,
    e,
    figure,
    histogram,
    paragraph,
    section,
    square,
    table,
)
from calibration.report.text import (
    Mistake,
    RatePair,
    facts,
    in_force,
    lacking,
    mistakes,
    per_check,
    short_cut,
    verdict,
)
from calibration.stats.estimates import Estimate

WORST_MAX = 8
"""How many cases are listed on each side."""


def render(result: Result) -> str:
    """The whole file: what to do, the curve, the figures, and the rest behind a fold."""
    every = list(chapters(result))
    curve = [one for one in every if one.drawing == "trade_off"]
    rest = "".join(_chapter(one, result) for one in every if one not in curve)
    return document(
        "Compass calibration",
        _head(result)
        + "".join(_chapter(one, result) for one in curve)
        + _figures(result)
        + f'<details class="rest"><summary>Everything else that was measured</summary>{rest}</details>',
    )


def _head(result: Result) -> str:
    found = verdict(result)
    tone = "good" if found.useful else "poor"
    unset = f'<p class="unset">{e(found.unset)}</p>' if found.unset else ""
    advice = f"<strong>{e(found.advice)}</strong>"
    return f'<h1>Compass calibration</h1><div class="verdict {tone}">{unset}{advice}<p>{e(found.claim)}</p></div>'


def _figures(result: Result) -> str:
    found = verdict(result)
    more = "".join(map(paragraph, found.details))
    known = "".join(f"<div><dt>{e(name)}</dt><dd>{e(value)}</dd></div>" for name, value in facts(result))
    rates = "".join(map(_rates, found.rates))
    return section("Figures", rates, more, f'<dl class="facts">{known}</dl>')


def _rates(found: RatePair) -> str:
    """Both rates side by side."""
    cards = "".join(
        f"<div><dt>{e(name)}</dt>{_card(figure, label)}</div>"
        for name, figure, label in (
            ("False blocks", found.false_blocks, "clear"),
            ("Detection", found.detection, "ambiguous"),
        )
    )
    return (paragraph(found.calls, "calls") if found.calls else "") + f'<dl class="rates">{cards}</dl>'


def _card(figure: Figure | None, label: str) -> str:
    if not isinstance(figure, Estimate):
        return f"<dd>not known</dd><dd>{e(lacking(figure))}</dd>"
    return (
        f'<dd class="big">{100 * figure.value:.0f}%</dd>'
        f"<dd>{100 * figure.low:.0f}% to {100 * figure.high:.0f}%, of {figure.units} {label} units</dd>"
        f"<dd>per check {e(per_check(figure))}, of {figure.n}</dd>"
    )


def _chapter(chapter: Chapter, result: Result) -> str:
    """Drawings stand beside what is said, or above it where there is little room."""
    said = [paragraph(line) for line in chapter.lead]
    if chapter.missing:
        said.append(paragraph(chapter.missing, "lacking"))
    if chapter.points:
        said.append(f"<ul>{''.join(f'<li>{e(point)}</li>' for point in chapter.points)}</ul>")
    said += [
        table(one.caption, one.head, one.rows, () if one.chosen is None else (one.chosen,))
        for one in chapter.tables
    ]
    if chapter.note:
        said.append(paragraph(chapter.note, "soft"))
    beside = f"<div>{''.join(said)}</div>" if said else ""
    match chapter.drawing:
        case "distributions":
            return section(chapter.title, '<div class="pair">', *_distributions(result), beside, "</div>")
        case "trade_off":
            return section(chapter.title, '<div class="pair">', _trade_off(result), beside, "</div>")
        case "mistakes":
            return section(chapter.title, _mistakes(result), beside)
        case "":
            return section(chapter.title, *said)


def _lines(result: Result, *, mean: bool) -> list[ChartLine]:
    """What is in force and what is certified, of either stakes: of the mean, or of the deviation."""
    gate = (result.gate.reversible, result.gate.irreversible)
    if not mean:
        return [
            ChartLine(limit, f"in force {limit:.2f}", "gate")
            for limit in {one.deviation for one in gate}
            if limit < 1
        ]
    cuts = {found.cut for found in result.recommended.values() if found.cut is not None}
    return [
        *(ChartLine(limit, f"in force {limit:.2f}", "gate") for limit in {one.confidence for one in gate}),
        *(ChartLine(cut, f"certified {cut:.2f}", "recommended") for cut in cuts),
    ]


def _distributions(result: Result) -> Iterable[str]:
    drawn = result.distributions.items()
    means = histogram(
        {label: found.means for label, found in drawn},
        _lines(result, mean=True),
        most=1.0,
        ticks=(0, 0.25, 0.5, 0.75, 1),
        what="mean score of a check, 0 to 1",
    )
    deviations = histogram(
        {label: found.deviations for label, found in drawn},
        _lines(result, mean=False),
        most=0.5,
        ticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
        what="deviation between readers, 0 to 0.5",
    )
    yield figure(means, "A check passes at the right of the threshold. Bars are shares of their class.")
    yield figure(deviations, "A check passes at the left of the threshold.")


def _trade_off(result: Result) -> str:
    points: list[Point] = []
    key: list[str] = []
    shown: list[tuple[str, str, Figure | None, Figure | None]] = [
        ("gate", f"in force: {in_force(result)}", result.false_block_rate, result.detection_rate),
        *(
            (
                "recommended",
                f"certified, {stakes}: {short_cut(cut)}",
                found.false_block_rate,
                found.detection_rate,
            )
            for stakes, found in result.recommended.items()
            if (cut := found.cut) is not None
        ),
    ]
    for kind, name, x, y in shown:
        if isinstance(x, Estimate) and isinstance(y, Estimate):
            points.append(Point(x.value, y.value, name, kind))
            key.append(f"<li>{_symbol(kind)}{e(name)}</li>")
    curve = [(false, caught) for _, false, caught in known_trade_off(result)]
    target = next(iter(result.recommended.values())).target
    chart = square(curve, points, limit=target, what="False blocks against detection")
    return figure(
        chart,
        "The ROC over the tested cuts: each point of the line is one. "
        f"Upright line: the target of {100 * target:.0f}% false blocks.",
        f'<ul class="key">{"".join(key)}</ul>',
    )


def _symbol(kind: str) -> str:
    return f'<svg viewBox="0 0 16 16" aria-hidden="true"><path class="point {kind}" d="M8 8{SHAPES[kind]}"/></svg>'


def _mistakes(result: Result) -> str:
    blocked, missed = mistakes(result)
    return _cases("Clear, and yet blocked", blocked) + _cases("Ambiguous, and let through", missed)


def _cases(title: str, found: list[Mistake]) -> str:
    if not found:
        return f"<h3>{e(title)}</h3>" + paragraph("None by the gate in force.", "lacking")
    more = f"{len(found)} in all; the {WORST_MAX} farthest off are shown."
    items = "".join(
        f"<li><q><bdi>{e(case.request)}</bdi></q>"
        f'<div class="mono"><bdi>{e(case.target)}</bdi></div>'
        f"<div>{e(case.figures)}" + (f"; <bdi>{e(case.why)}</bdi>" if case.why else "") + "</div>"
        f'<div class="soft"><bdi>{e(case.id)}</bdi> ({e(case.origin)})</div></li>'
        for case in found[:WORST_MAX]
    )
    told = paragraph(more, "soft") if len(found) > WORST_MAX else ""
    return f'<h3>{e(title)}</h3>{told}<ol class="cases">{items}</ol>'
