"""The report of a calibration as one HTML file, and the reports' charts as SVG without a script: geometry alone, the
style sheets colour it. Computes no statistics.

Drawn 340 units wide, which is a phone's width: text keeps its size there, and grows a little elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from calibration.measurement.result import Figure, Result
from calibration.report import text
from calibration.report.html import document
from calibration.report.text import known_trade_off, short_cut
from calibration.stats.estimates import Estimate
from calibration.stats.noise import ReadersRow

WIDTH = 340
LEFT, RIGHT = 44, 16
SPAN = WIDTH - LEFT - RIGHT
BINS = 25
NAME_WIDTH = 110
"""More than the name of a threshold takes."""
NAME_HEIGHT, BARS_HEIGHT = 20, 58
SHARE_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
"""Between marks on a scale of shares."""
QUARTERS = ((0, "0"), (0.25, "25"), (0.5, "50"), (0.75, "75"), (1, "100"))
SHAPES = {"gate": "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "recommended": "m0 -6l6 6l-6 6l-6 -6z"}
"""Of each kind of point, from its middle."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A threshold across a chart. `kind` is its style: `gate` or `recommended`."""

    at: float
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Point:
    """A point in the unit square. `kind` is its style: `gate` or `recommended`."""

    x: float
    y: float
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A rectangle across the chart, from `top` down to `foot`, for values up to `across` and `up`."""

    top: float
    foot: float
    across: float = 1.0
    up: float = 1.0

    def x(self, value: float) -> float:
        return LEFT + SPAN * min(1.0, max(0.0, value / self.across))

    def y(self, value: float) -> float:
        return self.foot - (self.foot - self.top) * value / self.up

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """Straight from point to point: a tie of both classes counts half in the area, as it does in the AUC."""
        return "M" + "L".join(f"{_chart_num(self.x(x))} {_chart_num(self.y(y))}" for x, y in points)

    def upwards(self, ticks: Iterable[tuple[float, str]]) -> Iterator[Markup]:
        for at, label in ticks:
            yield _chart_tag("path", "grid", d=f"M{LEFT} {_chart_num(self.y(at))}h{SPAN}")
            yield _chart_tag("text", "end", label, x=LEFT - 5, y=self.y(at) + 4)

    def along(self, ticks: Iterable[tuple[float, str]], name: str) -> Iterator[Markup]:
        for at, label in ticks:
            yield _chart_tag("path", "axis", d=f"M{_chart_num(self.x(at))} {_chart_num(self.foot)}v4")
            yield _chart_tag("text", "mid", label, x=self.x(at), y=self.foot + 15)
        yield _chart_tag("text", "mid", name, x=LEFT + SPAN / 2, y=self.foot + 30)

    def unit(self, name: str) -> Markup:
        middle = _chart_num((self.top + self.foot) / 2)
        return _chart_tag("text", "mid", name, transform=f"translate(11 {middle}) rotate(-90)")

    @property
    def edges(self) -> Markup:
        return _chart_tag("path", "axis", d=f"M{LEFT} {_chart_num(self.top)}V{_chart_num(self.foot)}h{SPAN}")


def histogram(
    samples: Mapping[str, Sequence[float]],
    lines: Sequence[ChartLine],
    *,
    most: float,
    ticks: Sequence[float],
    what: str,
) -> Markup:
    """One panel a class, below each other, over [0, `most`]; bars are shares of the class, all on one scale."""
    counted = {label: _chart_bin_counts(values, most) for label, values in samples.items() if values}
    peak = max((max(bins) / sum(bins) for bins in counted.values()), default=1.0)
    # Round shares from 0 up to the peak, about three of them.
    size = next((size for size in SHARE_STEPS if peak / size < 4), SHARE_STEPS[-1])
    shares = [(tick * size, f"{100 * tick * size:.3g}") for tick in range(int(peak / size + 1e-9) + 1)]
    top, high = 4 + 14 * len(lines), NAME_HEIGHT + BARS_HEIGHT
    panels = [
        Panel(top + high * row + NAME_HEIGHT, top + high * (row + 1), most, peak)
        for row in range(len(counted))
    ]
    parts = list[Markup]()
    for panel, (label, bins) in zip(panels, counted.items(), strict=True):
        total, step = sum(bins), SPAN / BINS
        parts.append(_chart_tag("text", f"name {label}", f"{label}, {total} checks", x=LEFT, y=panel.top - 6))
        parts += panel.upwards(shares)
        for place, count in enumerate(bins):
            if count:
                y = panel.y(count / total)
                title = Markup("<title>{} of {}</title>").format(count, total)
                x, width = LEFT + place * step + 0.5, step - 1
                parts.append(_chart_tag("rect", label, title, x=x, y=y, width=width, height=panel.foot - y))
        parts.append(panel.edges)
    whole = Panel(top, top + high * max(1, len(counted)), most)
    names = [whole.unit("share of checks (%)"), *whole.along([(tick, f"{tick:g}") for tick in ticks], what)]
    parts += [*_draw_chart_thresholds(lines, whole, panels), *names]
    return _chart_svg(whole.foot + 34, f"Histograms: {what}", parts)


def _chart_bin_counts(values: Sequence[float], most: float) -> list[int]:
    found = [0] * BINS
    for value in values:
        found[min(BINS - 1, max(0, int(value / most * BINS + 1e-9)))] += 1
    return found


def _draw_chart_thresholds(
    lines: Sequence[ChartLine], whole: Panel, panels: Sequence[Panel]
) -> Iterator[Markup]:
    """Each line down through the panels, but not through the names between them, its own name on a row above."""
    for row, line in enumerate(sorted(lines, key=lambda line: line.at)):
        x = whole.x(line.at)
        through = "".join(
            f"M{_chart_num(x)} {_chart_num(panel.top)}V{_chart_num(panel.foot)}" for panel in panels
        )
        yield _chart_tag(
            "path", f"line {line.kind}", d=f"M{_chart_num(x)} {3 + 14 * row}V{_chart_num(whole.top)}{through}"
        )
        kind, aside = (f"{line.kind} end", -4) if x > WIDTH - NAME_WIDTH else (line.kind, 4)
        yield _chart_tag("text", kind, line.name, x=x + aside, y=12 + 14 * row)


def square(
    curve: Sequence[tuple[float, float]], points: Sequence[Point], *, limit: float, what: str
) -> Markup:
    """A chart of the trade-off: false blocks to the right, detection upwards, from 0 to 100%. `limit`: a rate to stay
    under."""
    panel = Panel(10, 10 + SPAN)
    parts = _chart_square_grid(panel, QUARTERS, ("clear requests blocked (%)", "ambiguous caught (%)"))
    parts.append(_chart_tag("path", "limit", d=f"M{_chart_num(panel.x(limit))} {panel.top}V{panel.foot}"))
    if curve:
        parts.append(_chart_tag("path", "curve", d=panel.path(curve)))
    for point in points:
        title = Markup("<title>{}</title>").format(point.name)
        place = f"M{_chart_num(panel.x(point.x))} {_chart_num(panel.y(point.y))}"
        parts.append(_chart_tag("path", f"point {point.kind}", title, d=place + SHAPES[point.kind]))
    return _chart_svg(panel.foot + 34, what, parts)


def bands(
    series: Mapping[str, tuple[str, Sequence[tuple[float, float, float, float]]]], *, what: str, axis: str
) -> Markup:
    """Shares over [0, 1], each a line in its interval. `series`: by style the name and the points (place, share, low,
    high)."""
    top = 10 + 14 * len(series)
    panel = Panel(top, top + SPAN)
    parts = _chart_square_grid(panel, [(at, f"{at:g}") for at, _ in QUARTERS], (axis, "share of turns (%)"))
    for row, (kind, (name, points)) in enumerate(series.items()):
        parts.append(_chart_tag("text", f"name {kind}", name, x=LEFT + 4, y=12 + 14 * row))
        if points:
            around = [(x, high) for x, _, _, high in points] + [(x, low) for x, _, low, _ in reversed(points)]
            parts.append(_chart_tag("path", f"band {kind}", d=panel.path(around) + "z"))
            parts.append(
                _chart_tag("path", f"stroke {kind}", d=panel.path((x, value) for x, value, _, _ in points))
            )
    return _chart_svg(panel.foot + 34, what, parts)


def _chart_square_grid(
    panel: Panel, along: Iterable[tuple[float, str]], names: tuple[str, str]
) -> list[Markup]:
    down = "".join(f"M{_chart_num(panel.x(at))} {panel.top}V{panel.foot}" for at, _ in QUARTERS[1:])
    parts = [_chart_tag("path", "grid", d=down), *panel.upwards(QUARTERS), panel.edges]
    return [*parts, *panel.along(along, names[0]), panel.unit(names[1])]


def _chart_svg(height: float, what: str, parts: Iterable[Markup]) -> Markup:
    head = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
        WIDTH, _chart_num(height), what
    )
    return head + Markup("").join(parts) + Markup("</svg>")


def _chart_tag(name: str, kind: str, within: str = "", /, **given: float | str) -> Markup:
    rest = Markup("").join(
        Markup(' {}="{}"').format(key, value if isinstance(value, str) else _chart_num(value))
        for key, value in given.items()
    )
    return Markup('<{0} class="{1}"{2}>{3}</{0}>').format(name, kind, rest, within)


def _chart_num(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


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
        "square": square(curve, points, limit=target, what="False blocks against detection"),
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
    means = histogram(
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
    deviations = histogram(
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
