"""The report of a calibration as one HTML file. Computes no statistics."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from calibration.measurement.result import Figure, Result
from calibration.report import charts, text
from calibration.report.charts import SHAPES, ChartLine, Point
from calibration.report.html import document
from calibration.report.text import known_trade_off, short_cut
from calibration.stats.estimates import Estimate
from calibration.stats.noise import ReadersRow


def render(result: Result) -> str:
    """The whole HTML file of a calibration: what to do, the curve, the figures, and the rest behind a fold."""
    points = list(_report_points(result))
    target = next(iter(result.recommended.values())).target
    curve = [(false, caught) for _, false, caught in known_trade_off(result)]
    means, deviations = _report_histograms(result)
    given: dict[str, object] = {
        "result": result,
        "verdict": text.verdict(result),
        "facts": text.facts(result),
        "target": target,
        "points": points,
        "square": charts.square(curve, points, limit=target, what="False blocks against detection"),
        "shapes": SHAPES,
        "floor_meaning": text.floor_meaning(result),
        "means": means,
        "deviations": deviations,
        "telling_apart": text.telling_apart(result),
        "readers_row": _report_readers_row,
        "assumptions": text.assumptions(result),
        **{name: getattr(text, name) for name in ("score", "deviation", "rate", "lacking")},
    }
    return document("Compass calibration", "calibration.html", given)


def _report_points(result: Result) -> Sequence[Point]:
    """The gate in force and what is certified, as far as both rates are known."""
    found: list[tuple[str, str, Figure | None, Figure | None]] = [
        ("gate", f"in force: {text.in_force(result)}", result.false_block_rate, result.detection_rate)
    ]
    for stakes, one in result.recommended.items():
        if one.cut is not None:
            name = f"certified, {stakes}: {short_cut(one.cut)}"
            found.append(("recommended", name, one.false_block_rate, one.detection_rate))
    return [
        Point(x.value, y.value, name, kind)
        for kind, name, x, y in found
        if isinstance(x, Estimate) and isinstance(y, Estimate)
    ]


def _report_histograms(result: Result) -> tuple[Markup, Markup]:
    """With what is in force and what is certified, of either stakes: of the mean, and of the deviation."""
    drawn = result.distributions.items()
    gate = (result.gate.reversible, result.gate.irreversible)
    cuts = {found.cut for found in result.recommended.values() if found.cut is not None}
    means = charts.histogram(
        {label: found.means for label, found in drawn},
        [
            *(
                ChartLine(limit, f"in force {limit:.2f}", "gate")
                for limit in {one.confidence for one in gate}
            ),
            *(ChartLine(cut, f"certified {cut:.2f}", "recommended") for cut in cuts),
        ],
        most=1.0,
        ticks=(0, 0.25, 0.5, 0.75, 1),
        what="mean score of a check, 0 to 1",
    )
    limits = {one.deviation for one in gate if one.deviation < 1}
    deviations = charts.histogram(
        {label: found.deviations for label, found in drawn},
        [ChartLine(limit, f"in force {limit:.2f}", "gate") for limit in limits],
        most=0.5,
        ticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5),
        what="deviation between readers, 0 to 0.5",
    )
    return means, deviations


def _report_readers_row(row: ReadersRow, own: bool) -> tuple[str, ...]:
    pair = row.thresholds
    return (
        f"{row.n} readers",
        "measured here" if own else "forecast" if row.modelled else "from the measured readers",
        text.score(row.auc) if row.auc else row.why or "not known",
        short_cut(pair.confidence) if pair else row.why or "a forecast does not set this",
        text.rate(row.false_block_rate) if row.false_block_rate else "not known",
        text.rate(row.detection_rate) if row.detection_rate else "not known",
    )
