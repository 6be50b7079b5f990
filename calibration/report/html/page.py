"""The report of a calibration as one HTML file: nothing to fetch, no script. Computes no statistics.

Whatever comes from a case was written by anybody, so it goes through `html.parts`. The page forbids itself scripts
and requests.
"""

from __future__ import annotations

from collections.abc import Iterable

from calibration.measurement.result import Result
from calibration.report.chapters import Chapter, chapters, known_trade_off
from calibration.report.html.charts import Box, ChartLine, Point, boxes, histogram, square
from calibration.report.html.parts import e, figure, paragraph, section, table
from calibration.report.html.style import STYLE
from calibration.report.text import Mistake, facts, mistakes, short_pair, verdict
from calibration.stats.estimate import Estimate
from calibration.stats.noise import Floor

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
WORST_MAX = 8
"""How many cases are listed on each side."""
_SYMBOL = '<svg viewBox="0 0 16 16" aria-hidden="true"><path class="point {}" d="{}"/></svg>'
_RING = _SYMBOL.format("gate", "M3 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z")
_DIAMOND = _SYMBOL.format("recommended", "M8 2l6 6l-6 6l-6 -6z")


def render(result: Result) -> str:
    """The whole file."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>Compass calibration</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{_head(result)}{''.join(_chapter(one, result) for one in chapters(result))}\n</main>\n</body>\n</html>\n"
    )


def _head(result: Result) -> str:
    found = verdict(result)
    tone = "good" if found.useful else "poor"
    more = "".join(f"<p>{e(line)}</p>" for line in found.details)
    known = "".join(f"<div><dt>{e(name)}</dt><dd>{e(value)}</dd></div>" for name, value in facts(result))
    return (
        "<h1>Compass calibration</h1>"
        f'<div class="verdict {tone}"><strong>{e(found.headline)}</strong>{more}</div>'
        f'<dl class="facts">{known}</dl>'
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
        case "floor":
            return section(chapter.title, '<div class="pair">', *_floor(result), beside, "</div>")
        case "distributions":
            return section(chapter.title, '<div class="pair">', *_distributions(result), beside, "</div>")
        case "roc":
            return section(chapter.title, '<div class="pair">', _roc(result), beside, "</div>")
        case "trade_off":
            return section(chapter.title, '<div class="pair">', _trade_off(result), beside, "</div>")
        case "mistakes":
            return section(chapter.title, _mistakes(result), beside)
        case "":
            return section(chapter.title, *said)


def _lines(result: Result, *, mean: bool) -> list[ChartLine]:
    """The thresholds in force and the recommended ones: of the mean, or of the deviation."""
    found: list[ChartLine] = []
    for kind, thresholds, label in (
        ("gate", result.gate, "in force"),
        ("recommended", result.recommended.thresholds, "recommended"),
    ):
        if thresholds is not None:
            value = thresholds.confidence if mean else thresholds.deviation
            found.append(ChartLine(value, f"{label} {value:.2f}", kind))
    return found


def _floor(result: Result) -> Iterable[str]:
    drawn = [
        Box(label, found.mean_quantiles, found.mean.value, found.mean.low, found.mean.high)
        for label, found in result.floor.items()
        if isinstance(found, Floor)
    ]
    if drawn:
        yield figure(
            boxes(drawn, _lines(result, mean=True)),
            "Line: 5 to 95% of checks. Box: the middle half, with the median. Dot and bar below: the mean and its "
            "95% interval.",
        )


def _distributions(result: Result) -> Iterable[str]:
    drawn = result.distributions.items()
    means = histogram(
        {label: found.means for label, found in drawn},
        _lines(result, mean=True),
        most=1.0,
        ticks=(0, 0.25, 0.5, 0.75, 1),
        what="mean score of a check",
    )
    deviations = histogram(
        {label: found.deviations for label, found in drawn},
        _lines(result, mean=False),
        most=0.5,
        ticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
        what="deviation between the readers of a check",
    )
    yield figure(means, "A check passes at the right of the threshold. Bars are shares of their class.")
    yield figure(deviations, "A check passes at the left of the threshold.")


def _roc(result: Result) -> str:
    limit = result.gate.confidence
    # The first point at or over the threshold in force blocks the same scores.
    mark = [
        Point(point.false_block_rate, point.detection_rate, f"blocking means under {limit:.2f}", "gate")
        for point in result.roc
        if point.threshold >= limit
    ][:1]
    points = [(point.false_block_rate, point.detection_rate) for point in result.roc]
    chart = square(points, mark, chance=True, what="ROC curve of the mean score")
    key = f'<ul class="key"><li>{_RING}{e(mark[0].name)}</li></ul>' if mark else ""
    return figure(chart, "ROC of the mean score; the dotted line is a gate that guesses.", key)


def _trade_off(result: Result) -> str:
    found = result.recommended
    points: list[Point] = []
    key: list[str] = []
    for kind, thresholds, rates, label, symbol in (
        ("gate", result.gate, result, "in force", _RING),
        ("recommended", found.thresholds, found, "recommended", _DIAMOND),
    ):
        x, y = rates.false_block_rate, rates.detection_rate
        if thresholds and isinstance(x, Estimate) and isinstance(y, Estimate):
            name = f"{label}: {short_pair(thresholds.confidence, thresholds.deviation)}"
            points.append(Point(x.value, y.value, name, kind))
            key.append(f"<li>{symbol}{e(name)}</li>")
    curve = [(false, caught) for _, false, caught in known_trade_off(result)]
    chart = square(curve, points, limit=found.target, what="False blocks against detection")
    return figure(
        chart,
        "Each point of the line is a pair of thresholds of the tested sequence. "
        f"Upright line: the target of {100 * found.target:.0f}% false blocks.",
        f'<ul class="key">{"".join(key)}</ul>',
    )


def _mistakes(result: Result) -> str:
    blocked, missed = mistakes(result)
    return _cases("Clear, and yet blocked", blocked) + _cases("Ambiguous, and let through", missed)


def _cases(title: str, found: list[Mistake]) -> str:
    if not found:
        return f"<h3>{e(title)}</h3>" + paragraph("None at the thresholds in force.", "lacking")
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
