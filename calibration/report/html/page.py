"""The report of a calibration as one HTML file: nothing to fetch, no script. Computes no statistics.

Whatever comes from a case was written by anybody, so it goes through `html_parts`. The page forbids itself scripts
and requests.
"""

from __future__ import annotations

from collections.abc import Sequence

from calibration.report.html.charts import Box, Line, Point, boxes, histogram, square
from calibration.report.html.parts import e, figure, paragraph, section, table
from calibration.report.html.style import STYLE
from calibration.report.text import (
    LABELS,
    WORST_MAX,
    Document,
    Mistake,
    assumptions,
    components,
    deviation,
    facts,
    floor_meaning,
    mistakes,
    no_other_readers,
    notes,
    number,
    numbers,
    part,
    rate,
    rows,
    score,
    short_pair,
    text,
    too_little,
    verdict,
    whole,
)

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
TRADE_ROWS = 8
"""Least number of pairs that the table of the trade-off shows, besides the recommended one."""
_SYMBOL = '<svg viewBox="0 0 16 16" aria-hidden="true"><path class="point {}" d="{}"/></svg>'
_RING = _SYMBOL.format("gate", "M3 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z")
_DIAMOND = _SYMBOL.format("recommended", "M8 2l6 6l-6 6l-6 -6z")


def render(document: Document) -> str:
    """The whole file. `document` is `Result.as_json()`, or calibration.json as it was read."""
    sections = (
        _floor(document),
        _distributions(document),
        _roc(document),
        _trade_off(document),
        _readers(document),
        _symbolic(document),
        _origins(document),
        _mistakes(document),
        _history(document),
        _assumptions(document),
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>Compass calibration</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{_head(document)}{''.join(sections)}\n</main>\n</body>\n</html>\n"
    )


def _head(document: Document) -> str:
    found = verdict(document)
    tone = "good" if found.useful else "poor"
    more = "".join(f"<p>{e(line)}</p>" for line in found.details)
    known = "".join(f"<div><dt>{e(name)}</dt><dd>{e(value)}</dd></div>" for name, value in facts(document))
    return (
        "<h1>Compass calibration</h1>"
        f'<div class="verdict {tone}"><strong>{e(found.headline)}</strong>{more}</div>'
        f'<dl class="facts">{known}</dl>'
    )


def _lines(document: Document, name: str) -> list[Line]:
    """The thresholds in force and the recommended ones; `name` is confidence or deviation."""
    found: list[Line] = []
    for kind, where, label in (
        ("gate", part(document, "gate"), "in force"),
        ("recommended", part(document, "recommended", "thresholds"), "recommended"),
    ):
        value = number(where, name)
        if value is not None:
            found.append(Line(value, f"{label} {value:.2f}", kind))
    return found


def _floor(document: Document) -> str:
    known = [(label, part(document, "floor", label)) for label in LABELS if part(document, "floor", label)]
    drawn = [box for label, found in known if (box := _box(label, found)) is not None]
    body = [(label, score(found), deviation(part(found, "stddev")), _checks(found)) for label, found in known]
    chart = ""
    if drawn:
        chart = figure(
            boxes(drawn, _lines(document, "confidence")),
            "Line: 5 to 95% of checks. Box: the middle half, with the median. Dot and bar below: the mean and its "
            "95% interval.",
        )
    figures = table("Per class, with 95% intervals", ("Class", "Mean", "Deviation", "Checks"), body)
    parts = [
        (label, *(value for _, value in components(found)))
        for label, found in known
        if part(found, "components")
    ]
    spreads = table(
        "Where the spread of scores comes from, as standard deviations",
        ("Class", "Readers of a check", "Checks of a case", "Cases"),
        parts,
    )
    return section(
        "The noise floor",
        paragraph(floor_meaning(document)),
        f'<div class="pair"><div>{chart}</div><div>{figures}{spreads if parts else ""}</div></div>',
    )


def _box(label: str, found: Document) -> Box | None:
    mean, low, high = (number(found, name) for name in ("value", "low", "high"))
    quantiles = numbers(part(found, "quantiles"), "mean")
    if mean is None or low is None or high is None or len(quantiles) != 5:
        return None
    return Box(label, quantiles, mean, low, high)


def _checks(found: Document) -> str:
    return f"{whole(found, 'n')} in {whole(found, 'units')} units" if number(found, "n") else "none"


def _distributions(document: Document) -> str:
    means = {label: numbers(part(document, "distributions", label), "means") for label in LABELS}
    deviations = {label: numbers(part(document, "distributions", label), "deviations") for label in LABELS}
    if not any(means.values()):
        return section("Means and deviations", paragraph("No check was read.", "lacking"))
    left = histogram(
        means,
        _lines(document, "confidence"),
        most=1.0,
        ticks=(0, 0.25, 0.5, 0.75, 1),
        what="mean score of a check",
    )
    right = histogram(
        deviations,
        _lines(document, "deviation"),
        most=0.5,
        ticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
        what="deviation between the readers of a check",
    )
    return section(
        "Means and deviations",
        '<div class="pair">',
        figure(left, "A check passes at the right of the threshold. Bars are shares of their class."),
        figure(right, "A check passes at the left of the threshold."),
        "</div>",
    )


def _roc(document: Document) -> str:
    auc, curve = part(document, "auc"), rows(document, "roc")
    said = [
        paragraph(
            f"A clear check outscores an ambiguous one with a chance of {score(auc)} (AUC); 0.5 would be chance. "
            f"Within pairs of a clear case and its ambiguous counterpart: {score(part(document, 'within_pairs'))}."
            if number(auc, "value") is not None
            else f"How well the score tells both classes apart cannot be stated: {too_little(auc) or 'not measured'}."
        ),
        paragraph(
            "Expected calibration error, the score read as the chance that a case is clear: "
            f"{score(part(document, 'ece'))}.",
            "soft",
        ),
    ]
    if not curve:
        return section("Telling clear from ambiguous", *said)
    points = [_rates(point) for point in curve]
    mark = _mean_alone(document, curve)
    chart = square(points, mark, steps=True, chance=True, what="ROC curve of the mean score")
    key = f'<ul class="key"><li>{_RING}{e(mark[0].name)}</li></ul>' if mark else ""
    return section(
        "Telling clear from ambiguous",
        '<div class="pair">',
        figure(chart, "ROC of the mean score; the dotted line is a gate that guesses.", key),
        f"<div>{''.join(said)}</div></div>",
    )


def _rates(point: Document) -> tuple[float, float]:
    return number(point, "false_block_rate") or 0.0, number(point, "detection_rate") or 0.0


def _mean_alone(document: Document, curve: Sequence[Document]) -> list[Point]:
    """The curve's own point at the mean threshold in force: the first at or over it blocks the same scores."""
    limit = number(part(document, "gate"), "confidence")
    if limit is None:
        return []
    beyond = (point for point in curve if (at := number(point, "threshold")) is None or at >= limit)
    point = next(beyond, None)
    return [] if point is None else [Point(*_rates(point), f"blocking means under {limit:.2f}", "gate")]


def _trade_off(document: Document) -> str:
    steps, found = rows(document, "trade_off"), part(document, "recommended")
    known = [
        step
        for step in steps
        if number(step, "false_block_rate") is not None and number(step, "detection_rate") is not None
    ]
    title = "False blocks against detection"
    if not known:
        return section(title, paragraph("This takes read cases of both classes.", "lacking"))
    points: list[Point] = []
    names = (("gate", document, "in force", _RING), ("recommended", found, "recommended", _DIAMOND))
    key: list[str] = []
    for kind, where, label, symbol in names:
        thresholds = part(where, "gate") if kind == "gate" else part(where, "thresholds")
        x = number(part(where, "false_block_rate"), "value")
        y = number(part(where, "detection_rate"), "value")
        if thresholds and x is not None and y is not None:
            points.append(Point(x, y, f"{label}: {short_pair(thresholds)}", kind))
            key.append(f"<li>{symbol}{e(f'{label}: {short_pair(thresholds)}')}</li>")
    target = number(found, "target")
    chart = square(
        [_rates(step) for step in known], points, limit=target, what="False blocks against detection"
    )
    caption = "Each point of the line is a pair of thresholds of the tested sequence."
    if target is not None:
        caption += f" Upright line: the target of {100 * target:.0f}% false blocks."
    best = _closest(known, part(found, "thresholds"))
    every = max(1, len(known) // TRADE_ROWS)
    shown = [i for i in range(len(known)) if i % every == 0 or i == best]
    body = [
        (
            short_pair(known[i]) + (" (recommended)" if i == best else ""),
            f"{100 * _rates(known[i])[0]:.0f}%",
            f"{100 * _rates(known[i])[1]:.0f}%",
        )
        for i in shown
    ]
    pairs = table(
        "Some of the tested pairs",
        ("Thresholds", "Clear blocked", "Ambiguous caught"),
        body,
        [shown.index(best)] if best is not None else [],
    )
    return section(
        title,
        '<div class="pair">',
        figure(chart, caption, f'<ul class="key">{"".join(key)}</ul>'),
        f"<div>{pairs}</div></div>",
    )


def _closest(steps: Sequence[Document], thresholds: Document) -> int | None:
    """The place of the recommended pair in the sequence that it was taken from."""
    wanted = number(thresholds, "confidence")
    if wanted is None:
        return None
    return min(range(len(steps)), key=lambda i: abs((number(steps[i], "confidence") or 0.0) - wanted))


def _readers(document: Document) -> str:
    found = part(document, "readers")
    title = "What other numbers of readers would give"
    if not found:
        return section(title, paragraph(no_other_readers(document), "lacking"))
    own = whole(document, "n")
    listed = sorted((part(found, name) for name in found), key=lambda row: whole(row, "n"))
    body: list[tuple[str, ...]] = []
    for row in listed:
        n = whole(row, "n")
        kind = (
            "measured here" if n == own else "forecast" if row.get("modelled") else "from the measured ones"
        )
        why = text(row, "why")
        thresholds = part(row, "thresholds")
        body.append(
            (
                f"{n} readers",
                kind,
                score(part(row, "auc")) if part(row, "auc") else why or "not known",
                short_pair(thresholds) if thresholds else why or "not for a forecast",
                rate(part(row, "false_block_rate")) if part(row, "false_block_rate") else "not known",
                rate(part(row, "detection_rate")) if part(row, "detection_rate") else "not known",
            )
        )
    numbered = table(
        "Each at thresholds of its own for the same target, with 95% intervals",
        ("Readers", "How known", "AUC", "Thresholds", "Clear blocked", "Ambiguous caught"),
        body,
        [i for i, row in enumerate(listed) if whole(row, "n") == own],
    )
    note = "What a lone dissenter can do depends on their number, so thresholds are kept for each."
    return section(title, numbered, paragraph(note, "soft"))


def _symbolic(document: Document) -> str:
    found = part(document, "symbolic")
    body = [
        ("Ambiguous cases that it would let through", rate(part(found, "wrong_skip"))),
        ("Clear answers that it should let through and does not", rate(part(found, "missed_skip"))),
    ]
    return section(
        "The symbolic layer's errors",
        paragraph("Clean answers to an enumerated question are let through before any reader is asked."),
        table("With 95% intervals", ("Error", "Rate"), body),
    )


def _origins(document: Document) -> str:
    found = part(document, "origins")
    body = [
        (
            f"{name.capitalize()} ambiguous cases",
            str(whole(part(found, name), "ambiguous")),
            score(part(found, name, "auc")),
            rate(part(found, name, "detection_rate")),
        )
        for name in ("natural", "generated")
        if part(found, name)
    ]
    title = "Natural and generated cases apart"
    if not body:
        return section(title, paragraph("There is no ambiguous case.", "lacking"))
    return section(
        title,
        table(
            "Each against all clear cases", ("Origin", "Cases", "AUC", "Caught by the gate in force"), body
        ),
    )


def _mistakes(document: Document) -> str:
    blocked, missed = mistakes(document)
    return section(
        "What it got most wrong",
        _cases("Clear, and yet blocked", blocked),
        _cases("Ambiguous, and let through", missed),
    )


def _cases(title: str, found: Sequence[Mistake]) -> str:
    if not found:
        return f"<h3>{e(title)}</h3>" + paragraph("None at the thresholds in force.", "lacking")
    more = (
        paragraph(f"{len(found)} in all; the {WORST_MAX} farthest off are shown.", "soft")
        if len(found) > WORST_MAX
        else ""
    )
    items = "".join(
        f"<li><q><bdi>{e(case.request)}</bdi></q>"
        f'<div class="mono"><bdi>{e(case.target) or "(no named target)"}</bdi></div>'
        f"<div>mean {case.mean:.2f}, deviation {case.deviation:.2f}"
        + (f"; {e(case.concern)}: <bdi>{e(case.rationale)}</bdi>" if case.rationale else "")
        + f'</div><div class="soft"><bdi>{e(case.id)}</bdi> ({e(case.origin)})</div></li>'
        for case in found[:WORST_MAX]
    )
    return f'<h3>{e(title)}</h3>{more}<ol class="cases">{items}</ol>'


def _history(document: Document) -> str:
    found = part(document, "history")
    if not found:
        return ""
    body = [
        ("Released by the user", str(whole(found, "released"))),
        ("Cancelled by the user", str(whole(found, "cancelled"))),
        ("Clarified", str(whole(found, "clarified"))),
        ("Never answered", str(whole(found, "unanswered"))),
        ("False blocks among the answered", rate(part(found, "false_blocks"))),
    ]
    return section(
        "What became of past blocks",
        paragraph(
            f"{whole(found, 'blocks')} blocks of this project. Only blocks are seen here, so this says nothing of what "
            "was missed, and never loosens a threshold."
        ),
        table("Past blocks", ("End", "Blocks"), body),
    )


def _assumptions(document: Document) -> str:
    items = "".join(f"<li>{e(line)}</li>" for line in (*assumptions(document), *notes(document)))
    sources = part(document, "counts", "by_source")
    body = [
        (name, str(whole(part(sources, name), "clear")), str(whole(part(sources, name), "ambiguous")))
        for name in sources
    ]
    listed = table("Cases by source", ("Source", "Clear", "Ambiguous"), body) if body else ""
    return section("What this rests on", f"<ul>{items}</ul>", listed)
